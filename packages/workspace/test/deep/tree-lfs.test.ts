import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makePipe, plainGit, SAMPLE_FILES, writeFiles } from '../../src/git/test/scratch.ts';
import {
  ATTRIBUTES,
  changed,
  commit,
  expectToCountAtBase,
  expectToCountInChange,
  FILES,
  pathsOf,
  pointerTo,
  RAW,
  RULE,
  refused,
  WAYS,
  type Way,
} from '../../src/worktree/test/lfs-tree.ts';
import { committed, never, workspaceScratch } from '../../src/worktree/test/workspace-scratch.ts';

// Usual way: packages/workspace/src/worktree/tree-lfs.test.ts

describe('the attributes that count', () => {
  it('leave links alone that were there before', async () => {
    await using it = await workspaceScratch(FILES);
    await symlink('rates.csv', join(it.origin, 'newest.csv'));
    await symlink('README.md', join(it.origin, 'a.dat'));
    await plainGit(it.origin, 'add', '-A');
    await plainGit(it.origin, 'commit', '-q', '-m', 'links');
    const workspace = await it.prepare();
    await writeFiles(workspace.root, { '.gitattributes': `${ATTRIBUTES}*.dat filter=lfs\n` });
    expect(await commit(workspace)).not.toBeNull();
  });

  it('are in no file that is ignored, no link and no configuration that a command can reach', async () => {
    const { it, workspace } = await changed({
      '.gitignore': 'in/.gitattributes\n',
      'in/.gitattributes': '* -filter\n',
      'in/new.csv': RAW,
    });
    await using _ = it;
    await mkdir(join(workspace.root, 'by-link'));
    await symlink('../in/.gitattributes', join(workspace.root, 'by-link/.gitattributes'));
    await writeFiles(workspace.root, { 'by-link/new.csv': RAW });
    await expect(commit(workspace)).rejects.toMatchObject(refused('by-link/new.csv', 'in/new.csv'));
  });
});

describe('attributes that git reads in one way in a tree, and in another in the files of a checkout', () => {
  it.each(WAYS.slice(1))('count at the base: %s', (...way) => expectToCountAtBase(way));

  it.each([
    ...WAYS.slice(1),
    ['a carriage return beyond the longest line', { '.gitattributes': `${RULE.padEnd(2_047)}\r\n` }, []] satisfies Way,
  ])('count in the change: %s', (...way) => expectToCountInChange(way));

  it('are in no file that git ignores, for a tool and a commit', async () => {
    const { it, workspace } = await changed(
      {
        '.gitattributes': `${RULE}\n`,
        '.gitignore': 'in/.gitattributes\nout/.gitattributes\n',
        'in/.gitattributes': '*.dat -filter\n',
        'out/.gitattributes': '* filter=lfs\n',
      },
      SAMPLE_FILES,
    );
    await using _ = it;
    await expect(workspace.files.write('in/new.dat', RAW)).rejects.toMatchObject({ code: 'tool_refused' });
    await workspace.files.write('out/new.txt', RAW);
    expect(await commit(workspace)).not.toBeNull();
  });
});

describe('what a change does to Git LFS', () => {
  it('is reported for pointers that a rename or a copy puts where Git LFS stores nothing', async () => {
    const base = {
      ...FILES,
      'b.csv': pointerTo('b'),
      'c.csv': pointerTo('c'),
      'd.csv': pointerTo('d'),
      'was.txt': 'x\n',
    };
    const { it, workspace } = await changed({ 'c.txt': pointerTo('c'), 'was.txt': pointerTo('d') }, base);
    await using _ = it;
    await rename(join(workspace.root, 'rates.csv'), join(workspace.root, 'docs/rates.csv'));
    await rename(join(workspace.root, 'b.csv'), join(workspace.root, 'b2.csv')); // from one of its paths to another
    await rename(join(workspace.root, 'old.csv'), join(workspace.root, 'old.txt')); // raw, so nothing is lost
    await writeFiles(workspace.root, { 'example.txt': pointerTo('e'), 'empty.txt': '' });
    const first = await committed(workspace);
    const released = pathsOf('c.txt', 'docs/rates.csv', 'was.txt');
    expect(await workspace.lfsChange(first.commit, never)).toEqual({
      newPointers: pathsOf(),
      released,
      attributes: pathsOf(),
    });
    await rm(join(workspace.root, '.gitattributes')); // with the filter gone, all of them and nothing twice
    const second = await committed(workspace);
    const { released: all } = await workspace.lfsChange(second.commit, never);
    expect([...all.first].sort()).toEqual(['b2.csv', 'c.csv', 'c.txt', 'd.csv', 'docs/rates.csv', 'was.txt']);
    expect(all.count).toBe(6);
  });
});

describe('a file that an agent writes', () => {
  it.each(['.gitattributes', 'assets/.gitattributes', 'assets/.gitignore'])(
    'is refused at once where a command left a pipe in the place of %s',
    async (pipe) => {
      const { it, workspace } = await changed({ 'assets/keep.txt': RAW });
      await using _ = it;
      await rm(join(workspace.root, pipe), { force: true });
      makePipe(join(workspace.root, pipe));
      const unsafe = {
        code: 'workspace_unsafe',
        message: expect.stringContaining(`cannot be taken over: "${pipe}" is not a regular file.`),
      };
      await expect(workspace.files.list()).rejects.toMatchObject(unsafe);
      await expect(workspace.files.write('assets/deep/new.txt', RAW)).rejects.toMatchObject(unsafe);
      await expect(workspace.files.storedInLfs(['a.txt', 'assets/new.txt'])).rejects.toMatchObject(unsafe);
      await rm(join(workspace.root, pipe));
      await symlink('README.md', join(workspace.root, pipe)); // git follows none
      await workspace.files.write('assets/keep.txt', pointerTo('b'));
      await workspace.files.write('src/new.txt', RAW);
    },
    20_000,
  );
});
