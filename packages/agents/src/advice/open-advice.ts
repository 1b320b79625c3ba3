import type { BaseFile, BaseFiles, WorkspaceFiles } from '@sluice/core/workspace';
import { textOf } from '../tools/text-of.ts';
import { type AdviceFile, type PlacedFile, type ReadAdvice, readAdviceFile } from './advice-file.ts';
import { advicePlace, isAdvicePath } from './advice-place.ts';
import { type Glob, type GlobWork, matchesGlob } from './glob.ts';

/** The repository's advice for contributors. */
export interface AdviceSource {
  /** The advice for any work: the root's files, the rules for all files, and what CONTRIBUTING says of tests and style. */
  general(): Promise<readonly AdviceFile[]>;
  /** The advice for some files besides: that of their folders, the nearest first, then the root's rules for such files. */
  about(paths: readonly string[]): Promise<readonly AdviceFile[]>;
  /** The paths of some advice files by the name of their content. */
  idsOf(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The paths of those that have the same text in the working tree. */
  unchanged(files: readonly AdviceFile[], tree: Pick<WorkspaceFiles, 'read'>): Promise<ReadonlySet<string>>;
}

const MAX_PATHS = 100; // that advice is looked for
const MAX_PATH = 1_000; // characters
const MAX_RULES = 200; // of the root or of one folder
const MAX_FILES = 300; // about some paths
const READ_AT_ONCE = 20; // each may have a MiB
const MAX_KNOWN = 600; // files that are remembered
const MAX_GLOB_WORK = 5_000_000; // characters, a tenth of a second: for 30 rules and 100 files it takes a tenth of them

/** Opens the advice in the files of a base commit. They are listed once, and remembered once they were read. */
export function openAdvice(base: BaseFiles, signal: AbortSignal): AdviceSource {
  let listing: Promise<ReadonlyMap<string, readonly PlacedFile[]>> | null = null;
  const known = new Map<string, ReadAdvice | null>();
  const listed = async () => {
    listing ??= base.find(isAdvicePath, signal).then(byFolder);
    return await listing;
  };
  const read = async (files: readonly PlacedFile[]): Promise<readonly ReadAdvice[]> => {
    if (known.size + files.length > MAX_KNOWN) known.clear();
    const unread = files.filter(({ path }) => !known.has(path));
    for (let at = 0; at < unread.length; at += READ_AT_ONCE) {
      const batch = unread.slice(at, at + READ_AT_ONCE);
      const texts = await base.read(batch, signal);
      for (const file of batch) known.set(file.path, readAdviceFile(file, texts.get(file.id) ?? null));
    }
    return files.flatMap((file) => known.get(file.path) ?? []);
  };
  return {
    async general() {
      const ofRoot = (await listed()).get('') ?? [];
      const contributing = ofRoot.filter(({ place }) => place.kind === 'contributing').slice(0, 1);
      const others = ofRoot.filter(({ place }) => place.kind !== 'contributing');
      return (await read([...withFewRules(others), ...contributing])).filter(({ globs }) => globs === null);
    },
    async about(paths) {
      const some = [...new Set(paths)].filter(({ length }) => length <= MAX_PATH).slice(0, MAX_PATHS);
      const folders = await listed();
      const work: GlobWork = { left: MAX_GLOB_WORK };
      const isAsked = ({ globs, place: { folder } }: ReadAdvice) =>
        globs === null ? folder !== '' : some.some((path) => isAbout(globs, { path, folder }, work));
      const nested = foldersOf(some).flatMap((folder) => withFewRules(folders.get(folder) ?? []));
      const rules = withFewRules((folders.get('') ?? []).filter(({ place }) => place.kind === 'rule'));
      return (await read([...nested.slice(0, MAX_FILES), ...rules])).filter(isAsked);
    },
    async idsOf(paths) {
      const wanted = new Set(paths);
      const files = [...(await listed()).values()].flat();
      return new Map(files.filter(({ path }) => wanted.has(path)).map(({ id, path }) => [id, path]));
    },
    async unchanged(files, tree) {
      const same = new Set<string>();
      const texts = files.length === 0 ? new Map<string, string>() : await base.read(files, signal);
      for (const { path, id } of files) if ((await textOf(tree, path)) === texts.get(id)) same.add(path);
      return same;
    },
  };
}

/** In the order within a folder; a path that is not plain text to a reader is left out. */
function byFolder(files: readonly BaseFile[]): ReadonlyMap<string, readonly PlacedFile[]> {
  const placed = files
    .flatMap((file) => {
      const place = advicePlace(file.path);
      return place === null || /[\p{C}\u2028\u2029]/u.test(file.path) ? [] : [{ ...file, place }];
    })
    .sort((one, other) => one.place.rank - other.place.rank || (one.path < other.path ? -1 : 1));
  return Map.groupBy(placed, ({ place }) => place.folder);
}

function withFewRules(files: readonly PlacedFile[]): readonly PlacedFile[] {
  const rules = files.filter(({ place }) => place.kind === 'rule');
  return [...files.filter(({ place }) => place.kind !== 'rule'), ...rules.slice(0, MAX_RULES)];
}

/** Whether globs name a path, from the root or from the folder of the rule. */
function isAbout(
  globs: readonly Glob[],
  { path, folder }: { readonly path: string; readonly folder: string },
  work: GlobWork,
): boolean {
  if (folder !== '' && !path.toLowerCase().startsWith(`${folder}/`)) return false;
  const ways = folder === '' ? [path] : [path, path.slice(folder.length + 1)];
  return ways.some((way) => matchesGlob(globs, way, work));
}

/** The folders of the files and those around them, without the root: the deepest first, and of those the most frequent. */
function foldersOf(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const parts = path.toLowerCase().split('/').slice(0, -1);
    for (let depth = parts.length; depth > 0; depth -= 1) {
      const folder = parts.slice(0, depth).join('/');
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  const depthOf = (folder: string) => folder.split('/').length;
  return [...counts]
    .sort(([a, countOfA], [b, countOfB]) => depthOf(b) - depthOf(a) || countOfB - countOfA || (a < b ? -1 : 1))
    .map(([folder]) => folder);
}
