import type { CodeIndex } from '@sluice/core/code-search';
import { AppError } from '@sluice/core/error';
import { executionLease } from './execution-lease.ts';
import type { Outside } from './outside.ts';
import type { SimProcess } from './sim-process.ts';

/** The vectors of all code that was embedded, by repository: their store outlives the processes. */
export type Vectors = Map<string, Set<string>>;

/** A code index with an embedding model: each new blob costs a request, and so does each question. */
export function createCodeIndex(process: SimProcess, outside: Outside, vectors: Vectors): CodeIndex {
  /** @returns a note when the model did not answer: the index goes on with words alone then */
  async function embed(
    text: string,
    of: { issueId: string; signal: AbortSignal; beforeCall: (() => Promise<void>) | undefined },
  ): Promise<string | null> {
    await of.beforeCall?.();
    const { issueId, signal } = of;
    try {
      await outside.send({ process, what: 'embed', issueId }, { signal, lost: 'model_unavailable' }, () => text);
      return null;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AppError)) throw error;
      return error.message;
    }
  }

  return {
    async update(workspace, signal, beforeCall) {
      const { repoId, issueId, baseCommit } = workspace;
      await process.gate('code.update', signal);
      const blobs = await workspace.blobs(signal);
      const there = vectors.get(repoId) ?? new Set();
      vectors.set(repoId, there);
      const notes: string[] = [];
      for (const { blob } of blobs) {
        if (there.has(blob)) continue;
        const note = await embed(blob, { issueId, signal, beforeCall });
        if (note === null) there.add(blob);
        else notes.push(note);
      }
      const index = { commit: baseCommit, files: blobs.length, chunks: blobs.length, updated_at: EPOCH };
      return { index, notes };
    },
    async search(_, { query, beforeCall }, signal) {
      await process.gate('code.search', signal);
      await embed(query, { issueId: executionLease()?.issueId ?? '', signal, beforeCall });
      return [];
    },
    outline: async () => null,
    syntaxFaults: async () => null,
    drop: async (repoId) => void vectors.delete(repoId),
    close: async () => undefined,
  };
}

const EPOCH = new Date(0).toISOString(); // nothing here compares it
