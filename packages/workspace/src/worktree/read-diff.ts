import { join } from 'node:path';
import type { GitPlace } from '../git/git.ts';
import type { WorkingTree } from './working-tree.ts';

export interface DiffQuery {
  /** The arguments of `git diff-tree`, with the two trees or commits. */
  readonly arguments: readonly string[];
  /** Bytes that are read at most. */
  readonly limit: number;
}

/** The output of `git diff-tree`, up to a size; git is ended there. */
export async function readDiff(
  tree: WorkingTree,
  query: DiffQuery,
  signal: AbortSignal,
): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const stream = tree.git.stream(['diff-tree', ...query.arguments], { at: besideIndex(tree), signal });
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream.stdout as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > query.limit) break;
  }
  const isWhole = length <= query.limit;
  if (isWhole) await stream.done;
  else stream.stop();
  return { bytes: Buffer.concat(chunks).subarray(0, query.limit), isWhole };
}

/**
 * An index that is not there. git takes attributes from the index when it has no files to look at, and then the
 * repository decides what is shown (`-diff` hides a change from who reviews it), and one change has many patches.
 */
export function besideIndex({ paths }: { readonly paths: Pick<WorkingTree['paths'], 'gitDir'> }): GitPlace {
  return { gitDir: paths.gitDir, indexFile: join(paths.gitDir, 'sluice-no-index') };
}
