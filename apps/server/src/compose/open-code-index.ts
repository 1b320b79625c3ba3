import { join } from 'node:path';
import { createCodeIndex, createPgCodeIndex, createSemanticIndex } from '@sluice/code-search';
import type { Clock, CodeIndex, Embedder, HealthCheck, RepoId } from '@sluice/core';
import type { Logger } from 'pino';
import type { Config } from '../config/parse-config.ts';
import { openVectorStore } from './open-vector-store.ts';

export interface OpenCodeIndex {
  readonly codeIndex: CodeIndex;
  /** Whether code is found, and, with an embedding model or an address of Chroma, whether the vectors are. */
  readonly health: HealthCheck;
}

interface CodeIndexDeps {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly embedder: Embedder | null;
}

/** Shown in `pg_stat_activity`. */
const APPLICATION_NAME = 'sluice code index';
const NO_REPO = '00000000-0000-7000-8000-000000000000' as RepoId;

/** The index of code: by words, and with an embedding model by meaning too. Both are derived data. */
export function openCodeIndex({ config, log, clock, embedder }: CodeIndexDeps): OpenCodeIndex {
  const lexical = openLexicalIndex({ config, log, clock });
  const findsWords = async (signal: AbortSignal) => {
    await lexical.search(NO_REPO, { query: 'health', limit: 1 }, signal);
  };
  // An operator who gives an address wants to know that it is right before he gives a model.
  if (embedder === null && config.chromaUrl === null) return { codeIndex: lexical, health: { check: findsWords } };
  const vectors = openVectorStore(config, log);
  const check = async (signal: AbortSignal) => {
    await Promise.all([findsWords(signal), vectors.check(signal)]);
  };
  if (embedder === null) {
    const close = async () => {
      await Promise.all([lexical.close(), vectors.close()]);
    };
    return { codeIndex: { ...lexical, close }, health: { check } };
  }
  return {
    codeIndex: createSemanticIndex(lexical, {
      embedder,
      vectors,
      clock,
      onWordsAlone: (error) =>
        log.warn({ code: error.code, detail: error.message }, 'code is found by its words alone'),
    }),
    health: { check },
  };
}

/** With a shared database in there, so that what one process has indexed all search; else in the data folder. */
function openLexicalIndex({ config, log, clock }: Omit<CodeIndexDeps, 'embedder'>) {
  if (config.databaseUrl !== null) {
    return createPgCodeIndex({ url: config.databaseUrl, applicationName: APPLICATION_NAME, clock });
  }
  return createCodeIndex({
    file: join(config.dataDir, 'code-index.db'),
    clock,
    onRebuilt: (reason) => log.warn({ reason }, 'the code index was damaged and is built anew'),
  });
}
