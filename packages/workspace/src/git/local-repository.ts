import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { AppError } from '@sluice/core/error';
import type { RepoAddress } from '@sluice/core/repo';
import type { ReachedRemote } from './reached-remote.ts';

const ALTERNATES_DEPTH = 5; // as deep as git itself follows them

/**
 * Finds the git repository at a path, with every symbolic link resolved. A worktree or a `.git` folder is the same
 * remote as its repository, so that the rule of one pipeline per repository sees through them.
 *
 * @throws AppError `remote_not_found` when there is none, `remote_refused` when it or its objects lie in the service's data
 */
export async function findLocalRepository(
  address: Extract<RepoAddress, { kind: 'local' }>,
  forbiddenRoots: readonly string[],
): Promise<ReachedRemote> {
  const root = await resolved(address.path);
  if (root === null) throw absent('There is no such folder on this server.');
  const gitDir = await findGitDir(root);
  if (gitDir === null) throw absent('This folder is not the root of a git repository.');
  const commonDir = await findCommonDir(gitDir);
  const forbidden = await Promise.all(forbiddenRoots.map(async (path) => (await resolved(path)) ?? resolve(path)));
  const places = [root, gitDir, commonDir, ...(await objectFolders(join(commonDir, 'objects'), ALTERNATES_DEPTH))];
  if (places.some((place) => forbidden.some((top) => place === top || place.startsWith(`${top}${sep}`)))) {
    const detail = "This folder belongs to the service's own data.";
    throw new AppError('remote_refused', { detail, errors: [{ path: 'url', message: detail }] });
  }
  const canonical = basename(commonDir) === '.git' ? dirname(commonDir) : commonDir;
  return { kind: 'local', url: root, canonical, name: basename(canonical).replace(/\.git$/, '') };
}

async function findGitDir(root: string): Promise<string | null> {
  const inner = await resolved(join(root, '.git'));
  if (inner === null) return (await isGitDir(root)) ? root : null;
  if ((await stat(inner)).isDirectory()) return (await isGitDir(inner)) ? inner : null;
  const target = /^gitdir: (.+)$/m.exec(await readSmall(inner))?.[1];
  const gitDir = target === undefined ? null : await resolved(resolve(root, target.trim()));
  return gitDir !== null && (await isFile(join(gitDir, 'HEAD'))) ? gitDir : null;
}

async function findCommonDir(gitDir: string): Promise<string> {
  if (!(await isFile(join(gitDir, 'commondir')))) return gitDir;
  const common = (await readSmall(join(gitDir, 'commondir'))).trim();
  return (await resolved(resolve(gitDir, common))) ?? gitDir;
}

async function isGitDir(path: string): Promise<boolean> {
  return (await isFile(join(path, 'HEAD'))) && (await resolved(join(path, 'objects'))) !== null;
}

/** The folders of a repository's objects: its own and those that it borrows from. */
async function objectFolders(objects: string, depth: number): Promise<string[]> {
  const folder = await resolved(objects);
  if (folder === null || depth === 0) return [];
  const pack = await resolved(join(folder, 'pack'));
  const list = join(folder, 'info', 'alternates');
  const lines = (await isFile(list)) ? (await readSmall(list)).split('\n') : [];
  const borrowed = lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => resolve(folder, line));
  const deeper = await Promise.all(borrowed.map((path) => objectFolders(path, depth - 1)));
  return [folder, ...(pack === null ? [] : [pack]), ...deeper.flat()];
}

async function resolved(path: string): Promise<string | null> {
  return realpath(path).catch(() => null);
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function readSmall(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > 64 * 1024) throw absent('This folder is not the root of a git repository.');
  return readFile(path, 'utf8');
}

function absent(detail: string): AppError {
  return new AppError('remote_not_found', { detail });
}
