import type { Clock } from '@sluice/core/async';
import { createKeyedMutex, untilAborted } from '@sluice/core/async';
import type { RepoId } from '@sluice/core/id';
import type { RepoIndex } from '@sluice/core/repo';
import type { Workspace } from '@sluice/core/workspace';
import { startingOver } from '../thread/starting-over.ts';
import { WorkThread } from '../thread/work-thread.ts';
import { createFileChunker } from './file-chunker.ts';
import { type IndexOperation, type IndexOperations, PAGE_CHUNKS, type UpdateKey } from './index-protocol.ts';
import { indexSnapshot, type SnapshotSteps } from './index-snapshot.ts';
import type { LexicalChunk, LexicalIndex } from './lexical-index.ts';

export interface CodeIndexOptions {
  /** The SQLite file; made with its folder when absent. One process at a time writes it. */
  readonly file: string;
  readonly clock: Clock;
  /** Called when the file was damaged and the index starts again from nothing, with the reason. */
  readonly onRebuilt: (reason: string) => void;
  /** How long one step in the thread may take before the thread is given up, in milliseconds. */
  readonly timeoutMs?: number;
  /** How much memory the thread's JavaScript may take, in MiB. */
  readonly memoryMb?: number;
  /** The code of the parsing thread, where it is not our own. */
  readonly parser?: URL;
}

const CALL_TIMEOUT_MS = 120_000; // the longest step is the first write of a very large repository's paths: seconds
const MEMORY_MB = 512;

type Call = <O extends IndexOperation>(
  operation: O,
  input: IndexOperations[O]['in'],
) => Promise<IndexOperations[O]['out']>;

/**
 * The code index: symbols and windows of lines, found by their words (BM25), in a separate SQLite file. One thread reads
 * and writes it, another one parses. Updates of one repository run one after the other; searches continue meanwhile and
 * see the last finished update. All calls reject with AppError `not_ready` when the thread dies or hangs, and with
 * `shutting_down` after `close`.
 */
export function createCodeIndex(options: CodeIndexOptions): LexicalIndex {
  const thread = new WorkThread<IndexOperations>({
    script: new URL('./index-worker.ts', import.meta.url),
    name: 'code-index',
    subject: 'The code index',
    data: { file: options.file },
    onRebuilt: options.onRebuilt,
    timeoutMs: options.timeoutMs ?? CALL_TIMEOUT_MS,
    memoryMb: options.memoryMb ?? MEMORY_MB,
  });
  const chunker = createFileChunker({ timeoutMs: options.timeoutMs, script: options.parser });
  const updates = createKeyedMutex();
  let lastUpdate = 0;

  const update = async (workspace: Workspace, signal: AbortSignal): Promise<RepoIndex> => {
    const call: Call = (operation, input) => {
      signal.throwIfAborted();
      return untilAborted(thread.call(operation, input), signal);
    };
    const known = await call('state', { repo: workspace.repoId });
    if (known?.commit === workspace.baseCommit) return known;
    const key: UpdateKey = { repo: workspace.repoId, number: ++lastUpdate };
    try {
      const steps = stepsOf({ call, key, clock: options.clock }, workspace.baseCommit);
      return await indexSnapshot({ steps, chunker }, workspace, signal);
    } catch (error) {
      // What has been indexed stays; only the thread's memory of the snapshot goes. A dead thread has none.
      void thread.call('abandon', { update: key }).catch(() => {});
      throw error;
    }
  };

  const chunksById = async (repo: RepoId, ids: readonly string[]) => {
    const found: LexicalChunk[] = [];
    for (let at = 0; at < ids.length; at += PAGE_CHUNKS) {
      const some = ids.slice(at, at + PAGE_CHUNKS);
      found.push(...(await startingOver(() => thread.call('chunksById', { repo, ids: some }))));
    }
    return found;
  };

  return {
    async update(workspace, signal) {
      const updated = () => startingOver(() => update(workspace, signal));
      return { index: await updates.run(workspace.repoId, updated, signal), notes: [] };
    },
    async search(repo, { query, limit }, signal) {
      signal.throwIfAborted();
      return untilAborted(
        startingOver(() => thread.call('search', { repo, query, limit })),
        signal,
      );
    },
    chunks: (repo, after, limit) => startingOver(() => thread.call('chunks', { repo, after, limit })),
    chunksById,
    drop: (repo) =>
      updates.run(repo, async () => {
        await startingOver(() => thread.call('drop', { repo }));
      }),
    outline: (file) => chunker.outline(file),
    syntaxFaults: (file) => chunker.syntaxFaults(file),
    async close() {
      await Promise.all([thread.close(), chunker.close()]);
    },
  };
}

function stepsOf(context: { call: Call; key: UpdateKey; clock: Clock }, commit: string): SnapshotSteps {
  const { call, key, clock } = context;
  return {
    list: (files) => call('list', { update: key, files }),
    missing: () => call('missing', { update: key }),
    put: (blobs) => call('put', { update: key, blobs }),
    async finish() {
      while (await call('repath', { update: key }));
      return call('finish', { update: key, commit, at: clock.now().toISOString() });
    },
    sweep: () => call('sweep', { repo: key.repo }),
  };
}
