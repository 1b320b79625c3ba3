import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workspace } from '@sluice/core/workspace';
import { plainGit } from '../../git/test/scratch.ts';
import { never, type WorkspaceScratch } from './workspace-scratch.ts';

export interface Canary {
  /** A program that leaves a trace when it is run. */
  readonly program: string;
  /** How often it ran. */
  runs(): Promise<number>;
}

export async function plantCanary(it: WorkspaceScratch): Promise<Canary> {
  const program = it.scratch.join('canary.sh');
  const trace = it.scratch.join('trace');
  await writeFile(program, `#!/bin/sh\necho ran >> ${trace}\n`);
  await chmod(program, 0o755);
  await chmod(it.scratch.path, 0o777);
  return {
    program,
    runs: async () => (await readFile(trace, 'utf8').catch(() => '')).split('\n').length - 1,
  };
}

/** Everything in a repository's own configuration that git runs. */
export async function arm(gitDir: string, program: string): Promise<void> {
  for (const key of [
    'core.fsmonitor',
    'core.sshCommand',
    'core.editor',
    'core.pager',
    'core.alternateRefsCommand',
    'diff.external',
    'diff.evil.command',
    'diff.evil.textconv',
    'filter.evil.clean',
    'filter.evil.smudge',
    'filter.evil.process',
    'gpg.program',
  ]) {
    await plainGit(gitDir, '--git-dir', gitDir, 'config', key, program);
  }
  await mkdir(join(gitDir, 'hooks'), { recursive: true });
  for (const hook of [
    'pre-commit',
    'post-commit',
    'post-checkout',
    'pre-push',
    'post-index-change',
    'reference-transaction',
  ]) {
    await writeFile(join(gitDir, 'hooks', hook), `#!/bin/sh\n${program} </dev/null\n`);
    await chmod(join(gitDir, 'hooks', hook), 0o755);
  }
}

/** All that the service does with a tree. */
export async function everything(workspace: Workspace): Promise<void> {
  await workspace.files.list();
  const everywhere = { literal: false, ignoreCase: false, path: null, glob: null, context: 0, limit: 10 };
  await workspace.files.grep({ pattern: '.', ...everywhere }, never);
  await workspace.diff(never);
  const head = await workspace.commit({ message: 'change', signal: never });
  if (head !== null) {
    await workspace.push(head.commit, never);
    await workspace.restore(head, never);
  }
  const kept = await workspace.checkpoint(never);
  if (kept !== null) await workspace.restore(kept, never);
  await workspace.diff(never);
  await workspace.reset(never);
}
