import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a cold load of the inbox may take of script, compressed by gzip. */
const INBOX_BYTES = 180_000;
/** The bytes that any other page may take more, to a person who comes from the inbox. */
const MORE_BYTES = 120_000;

const INBOX = 'inbox';
/** How the console names the module of a page, which it loads when somebody goes there. */
const PAGE = /^src\/pages\/([\w-]+)-page\.tsx$/;

interface ManifestChunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
  readonly imports?: readonly string[];
}

export interface PageSize {
  /** The name of its module: `issue` for `src/pages/issue-page.tsx`. */
  readonly page: string;
  /** Bytes of script by gzip: all that a cold load of the inbox takes, and what another page takes more. */
  readonly bytes: number;
  readonly limit: number;
}

/**
 * The sizes of the pages of a built console, the inbox first.
 *
 * @param bytesOf the size of a script by gzip
 * @throws Error when the manifest has no entry, or no module of the inbox
 */
export function consoleSizes(
  manifest: Readonly<Record<string, ManifestChunk>>,
  bytesOf: (file: string) => number,
): PageSize[] {
  const keys = Object.keys(manifest);
  const entry = keys.find((key) => manifest[key]?.isEntry === true);
  if (entry === undefined) throw new Error('The manifest of the console has no entry.');
  const pages = new Map(
    keys.flatMap((key) => {
      const name = manifest[key]?.isDynamicEntry === true ? PAGE.exec(key)?.[1] : undefined;
      return name === undefined ? [] : [[name, key] as const];
    }),
  );
  const inbox = pages.get(INBOX);
  if (inbox === undefined) throw new Error(`The console loads no src/pages/${INBOX}-page.tsx on demand.`);
  const files = (roots: readonly string[]) => new Set(loadedWith(manifest, roots));
  const total = (names: Iterable<string>) => [...names].reduce((sum, file) => sum + bytesOf(file), 0);
  const cold = files([entry, inbox]);
  pages.delete(INBOX);
  const others = [...pages].map(([page, key]) => {
    return { page, bytes: total(files([key]).difference(cold)), limit: MORE_BYTES };
  });
  return [{ page: INBOX, bytes: total(cold), limit: INBOX_BYTES }, ...others];
}

/** The scripts of modules with all that they import statically. */
function loadedWith(manifest: Readonly<Record<string, ManifestChunk>>, roots: readonly string[]): string[] {
  const seen = new Set<string>();
  const visit = (key: string) => {
    if (seen.has(key)) return;
    seen.add(key);
    for (const imported of manifest[key]?.imports ?? []) visit(imported);
  };
  for (const root of roots) visit(root);
  return [...seen].flatMap((key) => manifest[key]?.file ?? []).filter((file) => file.endsWith('.js'));
}

/** The sizes of the console in a folder that `bundleConsole` has filled. */
export function readConsoleSizes(folder: string): PageSize[] {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
  const { scripts } = JSON.parse(readFileSync(join(folder, '.built.json'), 'utf8'));
  return consoleSizes(manifest, (file) => scripts[file]);
}

/** A table for people. */
export function printConsoleSizes(sizes: readonly PageSize[]): string {
  const lines = sizes.map(({ page, bytes, limit }) => {
    const more = page === INBOX ? ' ' : '+';
    return `${page.padEnd(16)}${(more + kilobytes(bytes)).padStart(10)}  of ${kilobytes(limit).padStart(8)}`;
  });
  return `Script of the pages by gzip: the inbox when nothing is loaded, the others beyond it\n${lines.join('\n')}\n`;
}

/** Checks the sizes of the pages. @throws Error when a page takes more than it may */
export function requireBudget(sizes: readonly PageSize[]): void {
  const over = sizes.filter(({ bytes, limit }) => bytes > limit);
  if (over.length === 0) return;
  const faults = over.map(({ page, bytes, limit }) => `${page} ${kilobytes(bytes)} of ${kilobytes(limit)}`);
  throw new Error(`The script of a page is larger than it may be: ${faults.join(', ')}.\n${printConsoleSizes(sizes)}`);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} KB`;
}
