import { lstat, mkdir, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { AppError } from '@sluice/core/error';

/*
 * Node has no openat2, so each step is resolved before the next one is looked up or made. A first version of this
 * had two holes: a link `g -> .git` let `g/hooks/x` be written, and `mkdir -p` through a link made a folder outside
 * before it refused. Safe against links that change meanwhile because tools run one at a time and the sandbox leaves
 * no process behind.
 */

const MAX_PATH_BYTES = 2_048; // with the root before it still a path that the system takes
const MAX_FOLDERS = 100; // resolving a path takes time with the square of its depth: 2 000 folders took minutes
const MAX_NAME_BYTES = 255;

/** Characters that HFS+ leaves out when it compares names. */
const HFS_IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Whether some system takes this name for git's own folder: in any case, by its short name, with what is ignored. */
export function isGitName(name: string): boolean {
  const plain =
    name
      .replace(HFS_IGNORED, '')
      .replace(/[. ]+$/, '')
      .split(':')[0] ?? '';
  return /^(\.git|git~\d+)$/i.test(plain);
}

/** A place in the tree: no part of `folder` is a link, and `name` is what stands in it. */
export interface ConfinedPath {
  readonly folder: string;
  readonly name: string;
  readonly full: string;
}

export interface Confinement {
  /** Absolute, without links. */
  readonly root: string;
  /** Called for each folder on the way that is not there, after everything above was checked; absent: refused. */
  readonly makeFolder?: (path: string) => Promise<void>;
}

/**
 * Finds the place that a tool's path means.
 *
 * @throws AppError `tool_refused` for whatever could lead out of the tree or into `.git`
 */
export async function confine(within: Confinement, path: string): Promise<ConfinedPath> {
  const segments = lexicalCheck(path);
  const name = segments.pop() ?? '';
  let folder = within.root;
  for (const segment of segments) folder = await enter(within, { folder, segment, path });
  const full = join(folder, name);
  return { folder, name, full };
}

/** The target of a link at the end of a path, if that is inside. @throws AppError `tool_refused` */
export async function followLink(root: string, place: ConfinedPath, path: string): Promise<ConfinedPath> {
  const found = await lstat(place.full).catch(() => null);
  if (found?.isSymbolicLink() !== true) return place;
  const real = await realpath(place.full).catch(() => null);
  if (real === null || real === root || !isInside(root, real)) {
    throw refused(path, 'it is a link that leads out of the repository');
  }
  const cut = real.lastIndexOf(sep);
  return { folder: real.slice(0, cut), name: real.slice(cut + 1), full: real };
}

/** The name in a folder that differs only in case, which other systems take for the same; null when there is none. */
export async function caseTwin(place: Pick<ConfinedPath, 'folder' | 'name'>): Promise<string | null> {
  const names = await readdir(place.folder).catch((): string[] => []);
  if (names.includes(place.name)) return null;
  const folded = fold(place.name);
  return names.find((name) => fold(name) === folded) ?? null;
}

export function refused(path: string, reason: string): AppError {
  return new AppError('tool_refused', { detail: `"${path.slice(0, 200)}" is refused: ${reason}.` });
}

function lexicalCheck(path: string): string[] {
  if (path === '' || Buffer.byteLength(path) > MAX_PATH_BYTES) throw refused(path, 'give a path inside the repository');
  if (/\p{Cc}/u.test(path)) throw refused(path.replace(/\p{Cc}/gu, '?'), 'it holds control characters');
  if (path.includes('\\')) throw refused(path, 'separate folders with /');
  if (path.startsWith('/')) throw refused(path, 'give a path relative to the root of the repository');
  const segments = path.replace(/^(\.\/)+/, '').split('/');
  if (segments.length > MAX_FOLDERS) throw refused(path, 'it lies too deep');
  for (const segment of segments) {
    if (segment === '' || segment === '.' || segment === '..') throw refused(path, 'it is not a plain path');
    if (/[. ]$/.test(segment)) throw refused(path, 'a name must not end with a dot or a space');
    if (Buffer.byteLength(segment) > MAX_NAME_BYTES) throw refused(path, 'a name in it is too long');
    if (isGitName(segment)) throw refused(path, "git's own folder is out of reach");
  }
  return segments;
}

async function enter(within: Confinement, step: { folder: string; segment: string; path: string }): Promise<string> {
  const next = join(step.folder, step.segment);
  const found = await lstat(next).catch(() => null);
  if (found === null) {
    if (within.makeFolder === undefined) throw refused(step.path, 'there is no such file');
    const twin = await caseTwin({ folder: step.folder, name: step.segment });
    if (twin !== null) throw refused(step.path, `it differs only in case from the folder "${twin}"`);
    await within.makeFolder(next);
    return next;
  }
  const real = await realpath(next).catch(() => null);
  if (real === null || !isInside(within.root, real)) throw refused(step.path, 'it leads out of the repository');
  if (!(await lstat(real)).isDirectory()) throw refused(step.path, `"${step.segment}" is not a folder`);
  return real;
}

/** Whether a path without links is in the tree and not in a `.git`. */
function isInside(root: string, real: string): boolean {
  if (real === root) return true;
  if (!real.startsWith(root + sep)) return false;
  return !real
    .slice(root.length + 1)
    .split(sep)
    .some(isGitName);
}

/** Makes one folder, for a confinement's `makeFolder`. */
export async function makeOneFolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o755 });
}

function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
