import { join } from 'node:path';
import { createChromaVectorStore, createSqliteVectorStore } from '@sluice/code-search';
import type { VectorStore } from '@sluice/core';
import type { Logger } from 'pino';
import type { Config } from '../config/parse-config.ts';

/** Where the vectors of code are kept: in Chroma where it has an address, otherwise in the data folder. */
export function openVectorStore(config: Config, log: Logger): VectorStore {
  if (config.chromaUrl !== null) return createChromaVectorStore({ url: config.chromaUrl });
  return createSqliteVectorStore({
    file: join(config.dataDir, 'vectors.db'),
    onRebuilt: (reason) => log.warn({ reason }, 'the vectors were damaged and are made anew'),
  });
}
