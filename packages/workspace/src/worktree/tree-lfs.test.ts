import { chmod, mkdir, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Workspace } from '@sluice/core';
import { describe, expect, it, test } from 'vitest';
import { makePipe, plainGit, SAMPLE_FILES, writeFiles } from '../git/test/scratch.ts';
import { committed, never, newIssueId, type WorkspaceScratch, workspaceScratch } from './test/workspace-scratch.ts';

const pointerTo = (digit: string, extension = '') =>
  `version https://git-lfs.github.com/spec/v1\n${extension}oid sha256:${digit.repeat(64)}\nsize 12\n`;
const pathsOf = (...first: string[]) => ({ first, count: first.length });
const POINTER = pointerTo('a');
const RAW = 'from,to\nEUR,USD\n';
const ATTRIBUTES = [
  '[attr]big filter=lfs -text',
  '*.csv filter=lfs diff=lfs merge=lfs -text',
  'assets/** filter=lfs',
  'assets/keep.txt !filter',
  '*.psd big',
  '',
].join('\n');
const FILES = {
  ...SAMPLE_FILES,
  '.gitattributes': ATTRIBUTES,
  'docs/.gitattributes': '*.csv -filter\n',
  'data/.gitattributes': '*.bin filter=lfs\n',
  'rates.csv': POINTER,
  'old.csv': 'a,b\n',
};

const commit = (workspace: Workspace) => workspace.commit({ message: 'change', signal: never });
/** The refusal of these paths, each named. */
const refused = (...paths: readonly string[]) => ({
  code: 'lfs_content_refused',
  message: expect.stringContaining(`something else: ${paths.map((path) => `\`${path}\``).join(', ')}.`),
});

/** A tree of a repository that uses Git LFS, with files put there as a command puts them. */
async function changed(files: Readonly<Record<string, string>>, base: Readonly<Record<string, string>> = FILES) {
  const it = await workspaceScratch(base);
  const workspace = await it.prepare();
  await writeFiles(workspace.root, files);
  return { it, workspace };
}

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
  const RULE = '*.dat filter=lfs';
  const BOM = '\uFEFF';

  /** The files of attributes, and which of them are links: a link has its text as its target. */
  type Way = readonly [name: string, files: Readonly<Record<string, string>>, links: readonly string[]];
  const ways: readonly Way[] = [
    ['a byte order mark', { '.gitattributes': `${BOM}${RULE}\n` }, []],
    ['a byte order mark before a macro', { '.gitattributes': `${BOM}[attr]big filter=lfs\n*.dat big\n` }, []],
    [
      'a byte order mark before what takes files out',
      { '.gitattributes': `${RULE}\n`, 'sub/.gitattributes': `${BOM}*.dat -filter\n` },
      [],
    ],
    ['a NUL before the rule', { 'sub/.gitattributes': `# \0\n${RULE}\n` }, []],
    ['a NUL before what takes files out', { '.gitattributes': `${RULE}\n#\0\n*.dat -filter\n` }, []],
    ['a link whose target is the rule', { 'sub/.gitattributes': RULE }, ['sub/.gitattributes']],
    [
      'another encoding in checkouts',
      { '.gitattributes': 'sub/.gitattributes working-tree-encoding=UTF-16BE\n', 'sub/.gitattributes': RULE },
      [],
    ],
  ];

  async function put(root: string, files: Readonly<Record<string, string>>, links: readonly string[]): Promise<void> {
    await writeFiles(root, Object.fromEntries(Object.entries(files).filter(([path]) => !links.includes(path))));
    for (const path of links) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await symlink(files[path] ?? '', join(root, path));
    }
  }

  it.each(ways)('count at the base: %s', async (_, files, links) => {
    await using it = await workspaceScratch({ ...SAMPLE_FILES, 'sub/p.dat': POINTER });
    await put(it.origin, files, links);
    await plainGit(it.origin, 'add', '-A');
    await plainGit(it.origin, 'commit', '-q', '-m', 'attributes');
    const workspace = await it.prepare();
    await expect(workspace.files.write('sub/p.dat', RAW)).rejects.toMatchObject({ code: 'tool_refused' });
    await writeFiles(workspace.root, { 'sub/p.dat': RAW, 'sub/new.dat': RAW });
    await expect(commit(workspace)).rejects.toMatchObject(refused('sub/new.dat', 'sub/p.dat'));
    await workspace.reset(never);
    expect(await workspace.absent(never)).toMatchObject({ usesLfs: true, lfsFiles: pathsOf('sub/p.dat') });
    for (const path of Object.keys(files)) await rm(join(workspace.root, path));
    const head = await committed(workspace);
    expect(await workspace.lfsChange(head.commit, never)).toMatchObject({
      released: pathsOf('sub/p.dat'),
      attributes: pathsOf(...Object.keys(files)),
    });
  });

  it.each([
    ...ways,
    ['a carriage return beyond the longest line', { '.gitattributes': `${RULE.padEnd(2_047)}\r\n` }, []] satisfies Way,
  ])('count in the change: %s', async (_, files, links) => {
    await using it = await workspaceScratch({ ...SAMPLE_FILES, 'sub/p.dat': 'raw at the base\n' });
    const workspace = await it.prepare();
    await put(workspace.root, files, links);
    await expect(workspace.files.write('sub/new.dat', RAW)).rejects.toMatchObject({ code: 'tool_refused' });
    await writeFiles(workspace.root, { 'sub/new.dat': RAW });
    await expect(commit(workspace)).rejects.toMatchObject(refused('sub/new.dat', 'sub/p.dat'));
  });

  it('count in neither of two ways where only another encoding is asked for', async () => {
    await using it = await workspaceScratch({
      ...SAMPLE_FILES,
      '.gitattributes': '*.txt working-tree-encoding=UTF-16\n',
    });
    expect(await (await it.prepare()).absent(never)).toMatchObject({ usesLfs: false });
  });

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

  it.each(['.gitattributes', 'assets/.gitattributes', 'assets/.gitignore'])(
    'is refused at once where a command left a pipe in the place of %s',
    async (pipe) => {
      const { it, workspace } = await changed({ 'assets/keep.txt': RAW });
      await using _ = it;
      await rm(join(workspace.root, pipe), { force: true });
      makePipe(join(workspace.root, pipe));
      const unsafe = {
        code: 'workspace_unsafe',
        message: expect.stringContaining(`cannot be taken over: "${pipe}" is no regular file.`),
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
