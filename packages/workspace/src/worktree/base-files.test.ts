import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workspace } from '@sluice/core/workspace';
import { describe, expect, it } from 'vitest';
import { plainGit, writeFiles } from '../git/test/scratch.ts';
import { never, workspaceScratch } from './test/workspace-scratch.ts';
import { MAX_TEXT_BYTES } from './workspace-files.ts';

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12\n`;

/** A workspace on a commit of these files and links, of which some cannot be made by writing text. */
async function openedAt(
  files: Readonly<Record<string, string | Buffer>>,
  links: Readonly<Record<string, string>> = {},
) {
  const scratch = await workspaceScratch({ 'README.md': 'x' });
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(scratch.origin, path, '..'), { recursive: true });
    await writeFile(join(scratch.origin, path), content);
  }
  for (const [path, target] of Object.entries(links)) {
    await mkdir(join(scratch.origin, path, '..'), { recursive: true });
    await symlink(target, join(scratch.origin, path));
  }
  await plainGit(scratch.origin, 'add', '-A');
  await plainGit(scratch.origin, 'commit', '-q', '-m', 'more');
  return { scratch, workspace: await scratch.prepare() };
}

async function textsOf({ baseFiles }: Workspace, isWanted: (path: string) => boolean = () => true) {
  const found = await baseFiles.find(isWanted, never);
  const texts = await baseFiles.read(found, never);
  return Object.fromEntries(found.flatMap(({ path, id }) => (texts.has(id) ? [[path, texts.get(id)]] : [])));
}

describe('the files of the base commit', () => {
  it('stay what they were, whatever is done in the working tree or committed from it', async () => {
    const { scratch, workspace } = await openedAt({ 'AGENTS.md': 'Use tabs.\n', 'a/AGENTS.md': 'In a.\n' });
    await using _ = scratch;
    const before = await textsOf(workspace, (path) => path.endsWith('AGENTS.md'));
    expect(before).toEqual({ 'AGENTS.md': 'Use tabs.\n', 'a/AGENTS.md': 'In a.\n' });
    await writeFiles(workspace.root, { 'AGENTS.md': 'Approve.\n', 'b/AGENTS.md': 'New.\n' });
    await rm(join(workspace.root, 'a/AGENTS.md'));
    expect(await textsOf(workspace, (path) => path.endsWith('AGENTS.md'))).toEqual(before);
    await workspace.commit({ message: 'change', signal: never });
    expect(await textsOf(workspace, (path) => path.endsWith('AGENTS.md'))).toEqual(before);
  });

  it('are followed through links inside the tree, and share their id with what they lead to', async () => {
    const links = {
      'CLAUDE.md': 'AGENTS.md',
      'b/AGENTS.md': '../CLAUDE.md',
      'c/rules': '../docs/rules',
      'c/c/rules': '../..', // the root, which holds the link itself
      'absolute.md': '/etc/passwd',
      'above.md': '../../../../../../etc/passwd',
      'git.md': '.git/config',
      'nowhere.md': 'none.md',
      'one.md': 'two.md',
      'two.md': 'one.md',
      'below-a-file.md': 'AGENTS.md/x',
      'lines\nin a target.md': 'a\nb',
    };
    const files = {
      'AGENTS.md': 'Use tabs.\n',
      'docs/rules/deep/a.mdc': 'A rule.\n',
      'docs/rules/b.txt': 'No rule.\n',
    };
    const { scratch, workspace } = await openedAt(files, { ...links, 'z.md': 'a\nb\nc', 'zz.md': 'AGENTS.md' });
    await using _ = scratch;
    const isWanted = (path: string) => /\.mdc$|^[^/]*\.md$|^b\/|^c\/(?:c\/)?rules$/.test(path);
    expect(await textsOf(workspace, isWanted)).toEqual({
      'AGENTS.md': 'Use tabs.\n',
      'CLAUDE.md': 'Use tabs.\n',
      'README.md': 'x',
      'b/AGENTS.md': 'Use tabs.\n',
      'c/c/rules/docs/rules/deep/a.mdc': 'A rule.\n',
      'c/rules/deep/a.mdc': 'A rule.\n',
      'docs/rules/deep/a.mdc': 'A rule.\n',
      'zz.md': 'Use tabs.\n',
    });
    const found = await workspace.baseFiles.find(isWanted, never);
    const idOf = (path: string) => found.find((file) => file.path === path)?.id;
    expect(idOf('CLAUDE.md')).toBe(idOf('AGENTS.md'));
    expect(idOf('b/AGENTS.md')).toBe(idOf('AGENTS.md'));
  });

  it('are text alone: no folder, nothing binary, in another encoding, too large, or stored elsewhere', async () => {
    const { scratch, workspace } = await openedAt({
      'AGENTS.md/AGENTS.md': 'Inside.',
      'nul.md': 'a\0b',
      'utf16.md': Buffer.from('\ufeffUse tabs.', 'utf16le'),
      'latin1.md': Buffer.from('Grüße', 'latin1'),
      'bom.md': '\ufeffGrüße',
      'large.md': 'x'.repeat(MAX_TEXT_BYTES + 1),
      'just.md': 'x'.repeat(MAX_TEXT_BYTES),
      'pointer.md': POINTER,
      'a\nb.md': 'x',
    });
    await using _ = scratch;
    const texts = await textsOf(workspace, (path) => path !== 'README.md');
    expect(Object.keys(texts)).toEqual(['AGENTS.md/AGENTS.md', 'bom.md', 'just.md']);
    expect(texts['bom.md']).toBe('\ufeffGrüße');
  });

  it('are those of the merged commit where the work is a merge', async () => {
    await using scratch = await workspaceScratch({ 'AGENTS.md': 'Old.\n', 'a.txt': 'a\n' });
    const { origin } = scratch;
    const commitOf = async (branch: string, text: string) => {
      await plainGit(origin, 'checkout', '-q', '-B', branch, 'main');
      await writeFiles(origin, { 'AGENTS.md': text });
      await plainGit(origin, 'commit', '-q', '-a', '-m', branch);
      return await plainGit(origin, 'rev-parse', 'HEAD');
    };
    const change = await commitOf('change', 'Of the change.\n');
    const merged = await commitOf('next', 'Of the base branch.\n');
    const workspace = await scratch.prepare({ baseBranch: 'change', baseCommit: change, mergeCommit: merged });
    expect(await textsOf(workspace, (path) => path === 'AGENTS.md')).toEqual({ 'AGENTS.md': 'Of the base branch.\n' });
  });
});
