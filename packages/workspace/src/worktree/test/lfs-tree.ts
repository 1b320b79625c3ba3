import { mkdir, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Workspace } from '@sluice/core/workspace';
import { expect } from 'vitest';
import { plainGit, SAMPLE_FILES, writeFiles } from '../../git/test/scratch.ts';
import { committed, never, workspaceScratch } from './workspace-scratch.ts';

export const pointerTo = (digit: string, extension = '') =>
  `version https://git-lfs.github.com/spec/v1\n${extension}oid sha256:${digit.repeat(64)}\nsize 12\n`;
export const pathsOf = (...first: string[]) => ({ first, count: first.length });
export const POINTER = pointerTo('a');
export const RAW = 'from,to\nEUR,USD\n';
export const ATTRIBUTES = [
  '[attr]big filter=lfs -text',
  '*.csv filter=lfs diff=lfs merge=lfs -text',
  'assets/** filter=lfs',
  'assets/keep.txt !filter',
  '*.psd big',
  '',
].join('\n');
export const FILES = {
  ...SAMPLE_FILES,
  '.gitattributes': ATTRIBUTES,
  'docs/.gitattributes': '*.csv -filter\n',
  'data/.gitattributes': '*.bin filter=lfs\n',
  'rates.csv': POINTER,
  'old.csv': 'a,b\n',
};

export const commit = (workspace: Workspace) => workspace.commit({ message: 'change', signal: never });
/** The refusal of these paths, each named. */
export const refused = (...paths: readonly string[]) => ({
  code: 'lfs_content_refused',
  message: expect.stringContaining(`something else: ${paths.map((path) => `\`${path}\``).join(', ')}.`),
});

/** A tree of a repository that uses Git LFS, with files put there as a command puts them. */
export async function changed(files: Readonly<Record<string, string>>, base: Readonly<Record<string, string>> = FILES) {
  const it = await workspaceScratch(base);
  const workspace = await it.prepare();
  await writeFiles(workspace.root, files);
  return { it, workspace };
}

export const RULE = '*.dat filter=lfs';
const BOM = '\uFEFF';

/** The files of attributes, and which of them are links: a link has its text as its target. */
export type Way = readonly [name: string, files: Readonly<Record<string, string>>, links: readonly string[]];
export const WAYS: readonly Way[] = [
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

/** These attributes count although they are those of the base. */
export async function expectToCountAtBase([, files, links]: Way): Promise<void> {
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
}

/** These attributes count although only the change has them. */
export async function expectToCountInChange([, files, links]: Way): Promise<void> {
  await using it = await workspaceScratch({ ...SAMPLE_FILES, 'sub/p.dat': 'raw at the base\n' });
  const workspace = await it.prepare();
  await put(workspace.root, files, links);
  await expect(workspace.files.write('sub/new.dat', RAW)).rejects.toMatchObject({ code: 'tool_refused' });
  await writeFiles(workspace.root, { 'sub/new.dat': RAW });
  await expect(commit(workspace)).rejects.toMatchObject(refused('sub/new.dat', 'sub/p.dat'));
}
