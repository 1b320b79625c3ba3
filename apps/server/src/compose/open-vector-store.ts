import { join } from 'node:path';
import { createChromaVectorStore, createSqliteVectorStore } from '@sluice/code-search';
import type { VectorStore } from '@sluice/core';
import type { Logger } from 'pino';
import type { Config } from '../config/parse-config.ts';

/** The vector store: Chroma if CHROMA_URL is set, otherwise SQLite in the data folder. */
export function openVectorStore(config: Config, log: Logger): VectorStore {
  if (config.chromaUrl !== null) return createChromaVectorStore({ url: config.chromaUrl });
  return createSqliteVectorStore({
    file: join(config.dataDir, 'vectors.db'),
    onRebuilt: (reason) => log.warn({ reason }, 'the vector store was damaged and is being rebuilt'),
  });
}
