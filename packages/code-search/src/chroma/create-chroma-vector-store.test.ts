import { type ChromaServer, startChromaServer, vectorStoreContract } from '@sluice/testing';
import { afterAll, beforeAll } from 'vitest';
import { createChromaVectorStore } from './create-chroma-vector-store.ts';

let chroma: ChromaServer;

beforeAll(async () => {
  chroma = await startChromaServer();
});

afterAll(() => chroma[Symbol.asyncDispose]());

vectorStoreContract('Chroma', async () => {
  await chroma.startEmpty();
  const store = createChromaVectorStore({ url: chroma.url, readMs: 60_000, writeMs: 60_000 });
  return { store, [Symbol.asyncDispose]: () => store.close() };
});
