import { join } from 'node:path';
import { createCodeIndex, createSemanticIndex, createSqliteVectorStore } from '@sluice/agents';
import type { Clock, CodeIndex, Embedder, HealthCheck, RepoId } from '@sluice/core';
import type { Logger } from 'pino';
import type { Config } from '../config/parse-config.ts';

export interface OpenCodeIndex {
  readonly codeIndex: CodeIndex;
  /** Whether code is found, and, with an embedding model, whether the vectors are. */
  readonly health: HealthCheck;
}

interface CodeIndexDeps {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly embedder: Embedder | null;
}

const NO_REPO = '00000000-0000-7000-8000-000000000000' as RepoId;

/** The index of code: by words, and with an embedding model by meaning too. Both are derived data in the data folder. */
export function openCodeIndex({ config, log, clock, embedder }: CodeIndexDeps): OpenCodeIndex {
  const lexical = createCodeIndex({
    file: join(config.dataDir, 'code-index.db'),
    clock,
    onRebuilt: (reason) => log.warn({ reason }, 'the code index was damaged and is built anew'),
  });
  const findsWords = async (signal: AbortSignal) => {
    await lexical.search(NO_REPO, { query: 'health', limit: 1 }, signal);
  };
  if (embedder === null) return { codeIndex: lexical, health: { check: findsWords } };
  const vectors = createSqliteVectorStore({
    file: join(config.dataDir, 'vectors.db'),
    onRebuilt: (reason) => log.warn({ reason }, 'the vectors were damaged and are made anew'),
  });
  return {
    codeIndex: createSemanticIndex(lexical, {
      embedder,
      vectors,
      clock,
      onWordsAlone: (error) =>
        log.warn({ code: error.code, detail: error.message }, 'code is found by its words alone'),
    }),
    health: {
      check: async (signal) => {
        await Promise.all([findsWords(signal), vectors.check(signal)]);
      },
    },
  };
}
