import { posix } from 'node:path';
import { filesNamedBy, linesOf, type SourceFile } from './source-file.ts';

/** A file with fewer lines has to have a second reader, or one in another folder. */
const MIN_LINES = 40;
const MAX_EXCUSES = 20;

/**
 * A private step of one neighbour belongs into that neighbour: a source file of fewer than 40 lines whose only importer is
 * in its own folder is a fault. Doors and stylesheets are not looked at.
 *
 * @param sources all source files
 * @param excused why a file stays by itself, by its path
 * @returns a sentence for each fault
 */
export function faultsOfSmallFiles(
  sources: readonly SourceFile[],
  excused: Readonly<Record<string, string>>,
): string[] {
  const importers = importersOf(sources);
  const isPrivateStep = ({ path, text }: SourceFile) =>
    !isDoor(path) && !path.endsWith('.css') && linesOf(text) < MIN_LINES && onlyNeighbour(path, importers) !== null;
  const small = sources.filter(isPrivateStep).map(({ path }) => path);
  const needless = Object.keys(excused).filter((path) => !small.includes(path));
  const excuses = Object.keys(excused).length;
  return [
    ...small
      .filter((path) => !Object.hasOwn(excused, path))
      .map(
        (path) =>
          `${path} has fewer than ${MIN_LINES} lines, and ${onlyNeighbour(path, importers)} alone imports it: move it into that file`,
      ),
    ...needless.map((path) => `${path} needs no excuse: remove it from scripts/mass/excused-files.ts`),
    ...(excuses > MAX_EXCUSES ? [`${excuses} small files are excused, more than ${MAX_EXCUSES}`] : []),
  ];
}

const isDoor = (path: string) => posix.basename(path) === 'index.ts';

function importersOf(sources: readonly SourceFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  const importers = new Map<string, Set<string>>();
  for (const source of sources) {
    for (const named of filesNamedBy(source)) {
      importers.set(named, (importers.get(named) ?? new Set()).add(source.path));
    }
  }
  return importers;
}

/** The only importer of a file, where that stands in the same folder and is not its door. */
function onlyNeighbour(path: string, importers: ReadonlyMap<string, ReadonlySet<string>>): string | null {
  const [importer, ...others] = importers.get(path) ?? [];
  if (importer === undefined || others.length > 0 || isDoor(importer)) return null;
  return posix.dirname(importer) === posix.dirname(path) ? importer : null;
}
