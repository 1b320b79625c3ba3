import { untilAborted } from '@sluice/core/async';
import type { VectorStore } from '@sluice/core/code-search';
import { startingOver } from '../thread/starting-over.ts';
import { WorkThread } from '../thread/work-thread.ts';
import { IDS_PER_MESSAGE, VECTORS_PER_MESSAGE, type VectorOperations } from './vector-protocol.ts';

export interface SqliteVectorStoreOptions {
  /** The SQLite file; made with its folder when absent. One process at a time writes it. */
  readonly file: string;
  /** Called when the file was damaged and the store starts again from nothing, with the reason. */
  readonly onRebuilt: (reason: string) => void;
  /** How long one step in the thread may take before the thread is given up, in milliseconds. */
  readonly timeoutMs?: number;
  /** How much memory the thread's JavaScript may take, in MiB. */
  readonly memoryMb?: number;
}

const CALL_TIMEOUT_MS = 60_000; // a scan of some hundred thousand vectors on a slow disk takes seconds
const MEMORY_MB = 256;

/**
 * A vector store in a separate SQLite file, which one thread reads and writes. Distances are exact: each query is
 * compared with all vectors of its collection. The content is derived, so a damaged file is thrown away.
 * All calls reject with AppError `not_ready` when the thread dies or hangs, and with `shutting_down` after `close`.
 */
export function createSqliteVectorStore(options: SqliteVectorStoreOptions): VectorStore {
  const thread = new WorkThread<VectorOperations>({
    script: new URL('./vector-worker.ts', import.meta.url),
    name: 'vector-store',
    subject: 'The store of vectors',
    data: { file: options.file },
    onRebuilt: options.onRebuilt,
    timeoutMs: options.timeoutMs ?? CALL_TIMEOUT_MS,
    memoryMb: options.memoryMb ?? MEMORY_MB,
  });
  const call = <N extends keyof VectorOperations>(
    operation: N,
    input: VectorOperations[N]['in'],
    signal?: AbortSignal,
  ): Promise<VectorOperations[N]['out']> => {
    signal?.throwIfAborted();
    return untilAborted(
      startingOver(() => thread.call(operation, input)),
      signal,
    );
  };

  return {
    async upsert(collection, vectors, signal) {
      for (const some of parts(vectors, VECTORS_PER_MESSAGE))
        await call('upsert', { collection, vectors: some }, signal);
    },
    async existing(collection, ids, signal) {
      const found: string[] = [];
      for (const some of parts(ids, IDS_PER_MESSAGE))
        found.push(...(await call('existing', { collection, ids: some }, signal)));
      return found;
    },
    nearest: async (collection, question, signal) => call('nearest', { collection, ...question }, signal),
    async keepOnly(collection, ids, signal) {
      for (let after = ''; ; ) {
        const page = await call('ids', { collection, after }, signal);
        const gone = page.filter((id) => !ids.has(id));
        if (gone.length > 0) await call('remove', { collection, ids: gone }, signal);
        const last = page.at(-1);
        if (last === undefined) return;
        after = last;
      }
    },
    collections: async (prefix, signal) => call('collections', { prefix }, signal),
    async drop(collection) {
      await call('drop', { collection });
    },
    async check(signal) {
      await call('check', {}, signal);
    },
    close: () => thread.close(),
  };
}

function* parts<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}
