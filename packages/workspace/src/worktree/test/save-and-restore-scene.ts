import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checkpoint, Workspace } from '@sluice/core/workspace';
import { plainGit, SAMPLE_FILES, writeFiles } from '../../git/test/scratch.ts';
import { createWorkspaces } from '../workspaces.ts';
import { never, type WorkspaceScratch, workspacesOptions } from './workspace-scratch.ts';

/** Prepares the same issue on a host that knows nothing but the remote. */
export async function onAnotherHost(it: WorkspaceScratch, baseCommit: string): Promise<Workspace> {
  const folder = it.scratch.join(`host-${randomBytes(4).toString('hex')}`);
  return createWorkspaces(workspacesOptions(folder)).prepare(it.request({ baseCommit }));
}

export async function kept(workspace: Workspace): Promise<Checkpoint> {
  const checkpoint = await workspace.checkpoint(never);
  if (checkpoint === null) throw new Error('nothing was kept');
  return checkpoint;
}

/** A checkpoint with its patch as text: comparing the bytes of a large patch would take seconds. */
export function comparable({ commit, object, patch }: Checkpoint): object {
  return { commit, object, patch: Buffer.from(patch).toString('latin1') };
}

export function git(workspace: Workspace, ...args: string[]): Promise<string> {
  return plainGit(workspace.root, '--git-dir', workspace.gitDir, ...args);
}

export const VARIED_FILES = {
  ...SAMPLE_FILES,
  'dos.txt': 'one\r\ntwo\r\nthree\r\n',
  'empty.txt': '',
  'gone.txt': 'gone\n',
  'moved from.txt': 'moved\nmoved\nmoved\n',
  'no-end.txt': 'no line feed at the end',
  'script.sh': '#!/bin/sh\n',
  'to-link.txt': 'text\n',
  'folder/a': 'a\n',
  'file-to-folder': 'x\n',
  'spaces.txt': 'a  \n\t b\n',
};

/** Every kind of change that git knows. */
export async function changeEverything(root: string): Promise<void> {
  await writeFile(join(root, 'bin'), randomBytes(100_000));
  await writeFiles(root, {
    'dos.txt': 'one\r\n2\r\nthree\n',
    'empty.txt': 'no longer\n',
    'new-empty.txt': '',
    'no-end.txt': 'no line feed at the end, still',
    'spaces.txt': 'a \n\t b\t \n \n\n\n',
    'a b/c d.txt': 'x\n',
    ' leading and trailing ': 'x\n',
    '-rf': 'x\n',
    'quote"d.txt': 'x\n',
    "it's.txt": 'x\n',
    'tab\there.txt': 'x\n',
    'line\nfeed.txt': 'x\n',
    'back\\slash.txt': 'x\n',
    'ä ö/ü.txt': 'x\n',
    'a b/b/x b/y': 'x\n',
    'new mode.sh': '#!/bin/sh\n',
    '.gitattributes': '*.txt text eol=crlf\n*.sh -diff\n',
    'large.txt': 'the same line again\n'.repeat(200_000),
    'latin1.txt': '',
  });
  await writeFile(join(root, 'latin1.txt'), Buffer.from([0x66, 0xfc, 0x72, 0x0a]));
  await rm(join(root, 'gone.txt'));
  await rename(join(root, 'moved from.txt'), join(root, 'moved to.txt'));
  await chmod(join(root, 'script.sh'), 0o755);
  await chmod(join(root, 'new mode.sh'), 0o755);
  await rm(join(root, 'to-link.txt'));
  await symlink('/etc/passwd', join(root, 'to-link.txt'));
  await rm(join(root, 'folder'), { recursive: true });
  await symlink('src', join(root, 'folder'));
  await rm(join(root, 'file-to-folder'));
  await writeFiles(root, { 'file-to-folder/x': 'x\n' });
  execFileSync('bash', ['-c', 'mkdir "$(printf "d\\377")" && echo x > "$(printf "d\\377/f\\376")"'], { cwd: root });
}
