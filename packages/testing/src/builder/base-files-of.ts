import { createHash } from 'node:crypto';
import type { BaseFiles } from '@sluice/core/workspace';

/** The files of a base commit in memory. */
export function baseFilesOf(files: Iterable<readonly [string, string]>): BaseFiles {
  const found = [...files]
    .map(([path, text]) => ({ path, text, id: createHash('sha256').update(text).digest('hex') }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
  const texts = new Map(found.map(({ id, text }) => [id, text]));
  return {
    find: async (isWanted) => found.flatMap(({ path, id }) => (isWanted(path) ? [{ path, id }] : [])),
    read: async (wanted) => new Map(wanted.map(({ id }) => [id, texts.get(id) ?? ''])),
  };
}
