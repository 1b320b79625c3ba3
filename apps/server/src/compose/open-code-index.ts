import { join } from 'node:path';
import {
  createChromaVectorStore,
  createCodeIndex,
  createPgCodeIndex,
  createSemanticIndex,
  createSqliteVectorStore,
} from '@sluice/code-search';
import type { Clock } from '@sluice/core/async';
import type { CodeIndex, Embedder, VectorStore } from '@sluice/core/code-search';
import type { RepoId } from '@sluice/core/id';
import type { HealthCheck } from '@sluice/core/operation';
import type { Logger } from 'pino';
import type { Config } from '../config/parse-config.ts';

export interface OpenCodeIndex {
  readonly codeIndex: CodeIndex;
  /** Whether search works: lexical search and, with an embedding model or CHROMA_URL, the vector store. */
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

/** Code search: lexical and, with an embedding model, semantic. Both indexes are derived data. */
export function openCodeIndex({ config, log, clock, embedder }: CodeIndexDeps): OpenCodeIndex {
  const lexical = openLexicalIndex({ config, log, clock });
  const checkLexical = async (signal: AbortSignal) => {
    await lexical.search(NO_REPO, { query: 'health', limit: 1 }, signal);
  };
  // With CHROMA_URL but no model yet, the operator should still learn whether the address is right.
  if (embedder === null && config.chromaUrl === null) return { codeIndex: lexical, health: { check: checkLexical } };
  const vectors = openVectorStore(config, log);
  const check = async (signal: AbortSignal) => {
    await Promise.all([checkLexical(signal), vectors.check(signal)]);
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
        log.warn({ code: error.code, detail: error.message }, 'semantic search failed; search is lexical only'),
    }),
    health: { check },
  };
}

/** In Postgres if the database is shared, so that every process can search; otherwise in the data folder. */
function openLexicalIndex({ config, log, clock }: Omit<CodeIndexDeps, 'embedder'>) {
  if (config.databaseUrl !== null) {
    return createPgCodeIndex({ url: config.databaseUrl, applicationName: APPLICATION_NAME, clock });
  }
  return createCodeIndex({
    file: join(config.dataDir, 'code-index.db'),
    clock,
    onRebuilt: (reason) => log.warn({ reason }, 'the code index was damaged and is being rebuilt'),
  });
}

/** The vector store: Chroma if CHROMA_URL is set, otherwise SQLite in the data folder. */
function openVectorStore(config: Config, log: Logger): VectorStore {
  if (config.chromaUrl !== null) return createChromaVectorStore({ url: config.chromaUrl });
  return createSqliteVectorStore({
    file: join(config.dataDir, 'vectors.db'),
    onRebuilt: (reason) => log.warn({ reason }, 'the vector store was damaged and is being rebuilt'),
  });
}
