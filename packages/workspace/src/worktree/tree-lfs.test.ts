import { chmod, mkdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { plainGit, SAMPLE_FILES, writeFiles } from '../git/test/scratch.ts';
import {
  ATTRIBUTES,
  changed,
  commit,
  expectToCountAtBase,
  expectToCountInChange,
  FILES,
  POINTER,
  pathsOf,
  pointerTo,
  RAW,
  refused,
  WAYS,
} from './test/lfs-tree.ts';
import { committed, never, newIssueId, type WorkspaceScratch, workspaceScratch } from './test/workspace-scratch.ts';

describe('a commit at paths that Git LFS stores', () => {
  it('is refused with anything but pointers, before it is made, with each file named', async () => {
    const files = {
      'assets/deep/er/x.txt': RAW, // by a folder
      'crlf.csv': POINTER.replaceAll('\n', '\r\n'),
      'data/x.bin': RAW, // by a nested file of attributes
      'grüße aus/a b.csv': RAW,
      'large.csv': 'x'.repeat(3 * 1024 * 1024),
      'longer.csv': `${POINTER}note\n`,
      'old.csv': 'a,b,c\n', // raw at the base, too
      'rates.csv': RAW, // a pointer at the base
    };
    const { it, workspace } = await changed({ ...files, 'a\nb.csv': RAW, 'x.psd': RAW });
    await using _ = it;
    await mkdir(join(workspace.root, 'links'));
    await symlink('../rates.csv', join(workspace.root, 'links/newest.csv'));
    await rename(join(workspace.root, 'README.md'), join(workspace.root, 'assets/README.md'));
    const error = await workspace.commit({ message: 'change', signal: never }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'lfs_content_refused' });
    expect(String(error)).not.toContain('\n');
    const named = ['a[U+000A]b.csv', 'assets/README.md', ...Object.keys(files), 'links/newest.csv', 'x.psd'].sort();
    expect(String(error)).toContain(`something else: ${named.map((path) => `\`${path}\``).join(', ')}.`);
    expect((await workspace.diff(never)).head_commit).toBeNull();
    for (const [path, text] of Object.entries(files)) {
      await workspace.reset(never);
      await writeFiles(workspace.root, { [path]: text });
      await expect(commit(workspace)).rejects.toMatchObject(refused(path));
    }
    expect((await workspace.checkpoint(never))?.patch.length).toBeGreaterThan(0); // it is only kept, never pushed
  });

  it('is made and pushed with pointers, empty files, deletions, new modes and what Git LFS does not store', async () => {
    const files = {
      'rates.csv': pointerTo('b'),
      'new.csv': pointerTo('b', `ext-0-zip sha256:${'c'.repeat(64)}\n`),
      'empty.csv': '',
      'docs/new.csv': RAW,
      'assets/keep.txt': RAW,
      'NEW.CSV': RAW, // git tells names apart by case here
      '.GITATTRIBUTES': '*.md filter=lfs\n',
      'src/add.js': 'export const add = (a, b) => a + b;\n',
    };
    const { it, workspace } = await changed(files, {
      ...FILES,
      'gone.csv': pointerTo('c'),
      'moved.csv': pointerTo('d'),
    });
    await using _ = it;
    await rm(join(workspace.root, 'gone.csv'));
    await rename(join(workspace.root, 'moved.csv'), join(workspace.root, 'assets/moved'));
    await chmod(join(workspace.root, 'assets/moved'), 0o755);
    await chmod(join(workspace.root, 'old.csv'), 0o755); // raw, and as raw as it was
    const { commit } = await committed(workspace);
    await workspace.push(commit, never);
    const pushed = (await plainGit(it.origin, 'diff', '--name-only', '--no-renames', 'main', workspace.branch)).split(
      '\n',
    );
    const gone = ['gone.csv', 'moved.csv', 'assets/moved', 'old.csv'];
    expect(pushed.sort()).toEqual([...Object.keys(files), ...gone].sort());
    expect((await workspace.lfsChange(commit, never)).newPointers).toEqual(pathsOf('new.csv', 'rates.csv'));
  });
});

describe('the attributes that count', () => {
  it('are those of the base as well, whatever the change makes of them', async () => {
    const { it, workspace } = await changed({});
    await using _ = it;
    const changes: readonly Readonly<Record<string, string>>[] = [
      { '.gitattributes': '# none\n' },
      { '.gitattributes': `${ATTRIBUTES}*.csv -filter\n` },
      { '.gitattributes': `${ATTRIBUTES}*.csv filter=none\n` },
      { '.gitattributes': ATTRIBUTES.replace('[attr]big filter=lfs', '[attr]big -filter') },
      { 'in/.gitattributes': '* !filter\n' },
    ];
    for (const attributes of changes) {
      await workspace.reset(never);
      await writeFiles(workspace.root, { ...attributes, 'in/new.csv': RAW, 'in/new.psd': RAW });
      await expect(commit(workspace)).rejects.toMatchObject(refused('in/new.csv', 'in/new.psd'));
    }
    await workspace.reset(never);
    await rm(join(workspace.root, '.gitattributes'));
    await writeFiles(workspace.root, { 'new.csv': RAW });
    await expect(commit(workspace)).rejects.toMatchObject(refused('new.csv'));
  });

  it('are those of the change, for what it adds and for what was there before', async () => {
    const { it, workspace } = await changed({ '.gitattributes': '*.md filter=lfs\n', 'new.md': RAW }, SAMPLE_FILES);
    await using _ = it;
    await expect(commit(workspace)).rejects.toMatchObject(refused('README.md', 'new.md'));
    await writeFiles(workspace.root, { '.gitattributes': '*.bin filter=lfs\n' });
    const { commit: head } = await committed(workspace);
    expect(await workspace.lfsChange(head, never)).toEqual({
      newPointers: pathsOf(),
      released: pathsOf(),
      attributes: pathsOf(),
    });
  });
});

describe('attributes that git reads in one way in a tree, and in another in the files of a checkout', () => {
  it.each(WAYS.slice(0, 1))('count at the base: %s', (...way) => expectToCountAtBase(way));

  it.each(WAYS.slice(0, 1))('count in the change: %s', (...way) => expectToCountInChange(way));

  it('count in neither of two ways where only another encoding is asked for', async () => {
    await using it = await workspaceScratch({
      ...SAMPLE_FILES,
      '.gitattributes': '*.txt working-tree-encoding=UTF-16\n',
    });
    expect(await (await it.prepare()).absent(never)).toMatchObject({ usesLfs: false });
  });
});

describe('what a change does to Git LFS', () => {
  it('is reported: new pointers, released files, and changed attributes', async () => {
    const { it, workspace } = await changed({
      '.gitattributes': '*.bin filter=lfs\n',
      'copy.bin': POINTER,
      'invented.bin': pointerTo('f'),
    });
    await using _ = it;
    const { commit } = await committed(workspace);
    expect(await workspace.lfsChange(commit, never)).toEqual({
      newPointers: pathsOf('invented.bin'),
      released: pathsOf('old.csv', 'rates.csv'),
      attributes: pathsOf('.gitattributes'),
    });
  });

  it('is nothing where the repository does not use it', async () => {
    const { it, workspace } = await changed({ '.gitattributes': '*.js text\n', 'a.csv': RAW }, SAMPLE_FILES);
    await using _ = it;
    const { commit } = await committed(workspace);
    expect(await workspace.lfsChange(commit, never)).toEqual({
      newPointers: pathsOf(),
      released: pathsOf(),
      attributes: pathsOf(),
    });
  });
});

test('pushes no commit with content where Git LFS stores files, by any author', async () => {
  const { it, workspace } = await changed({ 'new.csv': RAW });
  await using _ = it;
  const kept = await workspace.checkpoint(never); // as an older release, or another host, may have left it
  await expect(workspace.push(kept?.commit ?? '', never)).rejects.toMatchObject(refused('new.csv'));
  expect(await plainGit(it.origin, 'branch', '--list', workspace.branch)).toBe('');
});

describe('a merge of the base', () => {
  const BRANCH = 'sluice/of-a-pull-request';

  /** A merge of `main` into the branch of a pull request, each with its own changes since they parted. */
  async function merging(
    ours: Readonly<Record<string, string>>,
    theirs: Readonly<Record<string, string>>,
    base: Readonly<Record<string, string>> = { ...FILES, 'both.txt': 'one\n' },
  ) {
    const it = await workspaceScratch(base);
    await plainGit(it.origin, 'branch', BRANCH);
    const theirTip = await commitAt(it, theirs);
    await plainGit(it.origin, 'checkout', '-q', BRANCH);
    await commitAt(it, ours);
    await plainGit(it.origin, 'checkout', '-q', '--detach', 'main');
    const request = { issueId: newIssueId(), baseBranch: BRANCH, branch: BRANCH, mergeCommit: theirTip };
    return { it, workspace: await it.prepare(request) };
  }

  async function commitAt(it: WorkspaceScratch, files: Readonly<Record<string, string>>): Promise<string> {
    await writeFiles(it.origin, files);
    await plainGit(it.origin, 'add', '-A');
    await plainGit(it.origin, 'commit', '-q', '-m', 'more');
    return plainGit(it.origin, 'rev-parse', 'HEAD');
  }

  it('takes over what either side has, raw content and released paths included', async () => {
    const { it, workspace } = await merging(
      { 'both.txt': 'two\n', 'mine.csv': RAW },
      { '.gitattributes': '*.bin filter=lfs\n', 'rates.csv': RAW, 'more.txt': 'x\n' },
    );
    await using _ = it;
    await workspace.reset(never);
    expect(await commit(workspace)).not.toBeNull();
  });

  it('is refused where settling a conflict leaves something else than a pointer', async () => {
    const { it, workspace } = await merging({ 'rates.csv': pointerTo('b') }, { 'rates.csv': pointerTo('c') });
    await using _ = it;
    await workspace.reset(never);
    expect(await workspace.files.read('rates.csv')).toContain('<<<<<<<');
    await expect(commit(workspace)).rejects.toMatchObject(refused('rates.csv'));
    await workspace.files.write('rates.csv', pointerTo('c'));
    expect(await commit(workspace)).not.toBeNull();
  });

  it('is refused where the merged attributes make content of the branch a path of Git LFS', async () => {
    const { it, workspace } = await merging(
      { 'mine.dat': RAW },
      { '.gitattributes': `${ATTRIBUTES}*.dat filter=lfs\n` },
    );
    await using _ = it;
    await workspace.reset(never);
    await expect(commit(workspace)).rejects.toMatchObject(refused('mine.dat'));
  });

  const UNFILTERED = '*.md text\n';
  const WITHOUT = { 'side.txt': 'x\n' };
  const WITH = { '.gitattributes': `${UNFILTERED}*.dat filter=lfs\n`, 'one.dat': POINTER };

  describe.each([
    ['the merged commit', WITHOUT, WITH],
    ['the branch', WITH, WITHOUT],
  ])('where %s alone has the filter', (_, ours, theirs) => {
    const base = { ...SAMPLE_FILES, '.gitattributes': UNFILTERED };

    it("is refused with content that the other side's attributes would allow", async () => {
      const { it, workspace } = await merging(ours, theirs, base);
      await using _ = it;
      await workspace.reset(never);
      await writeFiles(workspace.root, { '.gitattributes': UNFILTERED, 'one.dat': RAW, 'new.dat': RAW });
      await expect(commit(workspace)).rejects.toMatchObject(refused('new.dat', 'one.dat'));
      await expect(workspace.files.write('new.dat', RAW)).rejects.toMatchObject({ code: 'tool_refused' });
      const kept = await workspace.checkpoint(never); // as another release may have committed it
      await expect(workspace.push(kept?.commit ?? '', never)).rejects.toMatchObject(refused('new.dat', 'one.dat'));
    });

    it('tells of the files that it releases, and of the attributes', async () => {
      const { it, workspace } = await merging(ours, theirs, base);
      await using _ = it;
      await workspace.reset(never);
      const merge = await committed(workspace);
      const nothing = { newPointers: pathsOf(), released: pathsOf(), attributes: pathsOf() };
      expect(await workspace.lfsChange(merge.commit, never)).toEqual(nothing);
      await writeFiles(workspace.root, { '.gitattributes': UNFILTERED });
      const { commit } = await committed(workspace);
      const told = { newPointers: pathsOf(), released: pathsOf('one.dat'), attributes: pathsOf('.gitattributes') };
      expect(await workspace.lfsChange(commit, never)).toEqual(told);
    });
  });
});

describe('a file that an agent writes', () => {
  it('is refused at once where Git LFS stores it, with what can be done', async () => {
    const { it, workspace } = await changed({});
    await using _ = it;
    await symlink('../rates.csv', join(workspace.root, 'src/link.txt'));
    for (const path of ['new.csv', './assets/x', 'rates.csv', 'src/link.txt']) {
      const written = workspace.files.write(path, RAW);
      await expect(written).rejects.toMatchObject({
        code: 'tool_refused',
        message: expect.stringContaining('Git LFS stores this file'),
      });
    }
    await workspace.files.write('new.csv', pointerTo('b'));
    await workspace.files.write('empty.csv', '');
    await workspace.files.write('docs/new.csv', RAW);
  });

  it('is refused by attributes that the change adds, and by those that it removes', async () => {
    const { it, workspace } = await changed({ '.gitattributes': '*.dat filter=lfs\n' });
    await using _ = it;
    for (const path of ['new.dat', 'new.csv']) {
      await expect(workspace.files.write(path, RAW)).rejects.toMatchObject({ code: 'tool_refused' });
    }
  });

  it('is known before it is written, among other paths', async () => {
    const { it, workspace } = await changed({});
    await using _ = it;
    const paths = ['a.csv', 'a.txt', '../a.csv', '/a.csv', 'assets/ü.txt', ''];
    expect(await workspace.files.storedInLfs(paths)).toEqual(['a.csv', 'assets/ü.txt']);
  });
});

describe('what of the commit is not in the tree', () => {
  it('is listed: files of Git LFS and submodules', async () => {
    await using it = await workspaceScratch({
      ...FILES,
      'assets/ü': pointerTo('b'),
      'empty.csv': '',
      'p.txt': POINTER,
    });
    await plainGit(it.origin, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},lib/dep`);
    await plainGit(it.origin, 'commit', '-q', '-m', 'submodule');
    const workspace = await it.prepare();
    const absent = { usesLfs: true, lfsFiles: pathsOf('assets/ü', 'rates.csv'), submodules: pathsOf('lib/dep') };
    expect(await workspace.absent(never)).toEqual(absent);
    await writeFiles(workspace.root, { 'src/add.js': '1\n' });
    const { commit } = await committed(workspace);
    await workspace.push(commit, never);
    expect(await (await it.prepare()).absent(never)).toEqual(absent);
  });

  it('is nothing in a repository without them', async () => {
    await using it = await workspaceScratch();
    expect(await (await it.prepare()).absent(never)).toEqual({
      usesLfs: false,
      lfsFiles: pathsOf(),
      submodules: pathsOf(),
    });
  });
});
