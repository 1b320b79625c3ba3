import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { shows } from './toolchains.ts';

/** Services and their `.env` are at most this many folders below a visible one; nested packages are deeper. */
const deepest = 5;
/** A typical /usr has about 100,000 entries down to that depth, which take a quarter of a second. */
const mostEntries = 500_000;
const longestMs = 10_000;
/** Each one is another mount for every command. */
const mostFiles = 500;
const foldersAtOnce = 64;

export interface EnvironmentFiles {
  /** Real paths of the visible files. */
  readonly files: readonly string[];
  /** False when the search was stopped early, so there may be more. */
  readonly complete: boolean;
}

/**
 * Finds files named `.env*` in the visible folders, those nearest to the top first. Services keep keys in them; programs that
 * a command needs do not. Links are resolved.
 */
export async function environmentFiles(
  folders: readonly string[],
  covered: readonly string[],
): Promise<EnvironmentFiles> {
  const files = new Set<string>();
  const giveUpAt = performance.now() + longestMs;
  let entries = 0;
  let level = [...folders];
  for (let depth = 0; depth <= deepest && level.length > 0; depth += 1) {
    const below: string[] = [];
    for (let at = 0; at < level.length; at += foldersAtOnce) {
      if (entries > mostEntries || files.size > mostFiles || performance.now() > giveUpAt)
        return { files: [...files], complete: false };
      const batch = level.slice(at, at + foldersAtOnce);
      const listings = await Promise.all(
        batch.map((folder) => readdir(folder, { withFileTypes: true }).catch(() => [])),
      );
      for (const [index, listing] of listings.entries()) {
        entries += listing.length;
        for (const entry of listing) {
          if (entry.isDirectory()) {
            const path = join(batch[index] ?? '', entry.name);
            if (!covered.includes(path)) below.push(path);
          }
          if (!entry.name.startsWith('.env') || entry.isDirectory()) continue;
          const real = await realFile(join(batch[index] ?? '', entry.name));
          if (real !== null && folders.some((folder) => shows(folder, real, covered))) files.add(real);
        }
      }
    }
    level = below;
  }
  return { files: [...files], complete: true };
}

async function realFile(path: string): Promise<string | null> {
  const real = await realpath(path).catch(() => null);
  const entry = real === null ? null : await stat(real).catch(() => null);
  return entry?.isFile() ? real : null;
}
