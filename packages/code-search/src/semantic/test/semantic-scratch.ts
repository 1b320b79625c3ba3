import { join } from 'node:path';
import type { CodeIndex, Embedder, VectorStore } from '@sluice/core/code-search';
import type { RepoId } from '@sluice/core/id';
import { settableClock } from '@sluice/testing';
import { createCodeIndex } from '../../lexical/create-code-index.ts';
import { createScratchRepo, scratchFolder } from '../../lexical/test/scratch-repo.ts';
import { createSemanticIndex, type SemanticIndexOptions } from '../create-semantic-index.ts';
import { createSqliteVectorStore } from '../create-sqlite-vector-store.ts';

export const signal = new AbortController().signal;
export const repoId = '019a0000-0000-7000-8000-000000000001' as RepoId;
export const otherId = '019a0000-0000-7000-8000-000000000002' as RepoId;

/** A busy machine may be slower than a search waits: what is not about that does. */
const PATIENT = { searchMs: 60_000 };

type Changed = Partial<SemanticIndexOptions> & { readonly vectorFile?: string };

/** A semantic index over a real repository, a real index by words and a real store of vectors. */
export function semanticScratch() {
  const data = scratchFolder();
  const repo = createScratchRepo();
  const clock = settableClock();
  const opened: CodeIndex[] = [];
  const wordsAlone: string[] = [];
  const rebuilt: string[] = [];
  const vectorFile = join(data.path, 'vectors.db');
  const onRebuilt = (reason: string) => rebuilt.push(reason);

  return {
    repo,
    clock,
    vectorFile,
    /** Why searches and updates went on with the words alone, in order. */
    wordsAlone,
    rebuilt,
    open<E extends Embedder>(embedder: E, changed: Changed = {}) {
      const lexical = createCodeIndex({ file: join(data.path, 'code-index.db'), clock, onRebuilt });
      const file = changed.vectorFile ?? vectorFile;
      const vectors: VectorStore = changed.vectors ?? createSqliteVectorStore({ file, onRebuilt });
      const onWordsAlone = ({ code }: { code: string }) => wordsAlone.push(code);
      const index = createSemanticIndex(lexical, { embedder, clock, onWordsAlone, ...PATIENT, ...changed, vectors });
      opened.push(index);
      const found = async (query: string, where = repoId, limit = 10) =>
        (await index.search(where, { query, limit }, signal)).map(({ path }) => path);
      return { index, lexical, vectors, embedder, found };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((index) => index.close()));
      repo[Symbol.dispose]();
      data[Symbol.dispose]();
    },
  };
}

/** Files of one piece of code each, which share one word and have one of their own. */
export function manyFiles(count: number, word: string): Record<string, string> {
  const own = (n: number) => `${word}${String.fromCharCode(97 + (n % 26), 97 + Math.trunc(n / 26), 113)}`;
  return Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`src/${word}${n}.txt`, `the ${word} and ${own(n)}\n`]),
  );
}
