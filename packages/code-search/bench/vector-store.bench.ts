import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, it } from 'vitest';
import { createSqliteVectorStore } from '../src/semantic/create-sqlite-vector-store.ts';

const COUNT = 20_000; // as many as a repository may have
const DIMENSIONS = 384;

/** Numbers from -1 to 1 without a pattern, the same in every run. */
const noise = (n: number) => (Math.sin(n) * 43_758.5453) % 1;

const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const signal = new AbortController().signal;
const store = createSqliteVectorStore({
  file: join(folder, 'vectors.db'),
  onRebuilt: (reason) => {
    throw new Error(reason);
  },
});
const vectors = Array.from({ length: COUNT }, (_, n) => ({
  id: `${n}`,
  vector: Float32Array.from({ length: DIMENSIONS }, (_, m) => noise(n * DIMENSIONS + m)),
}));
await store.upsert('bench', vectors, signal);
const question = { vector: Float32Array.from({ length: DIMENSIONS }, (_, m) => noise(-1 - m)), limit: 10 };

afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

// The peer holds all vectors in the memory of the event loop's own thread and blocks it meanwhile.
it('finds the nearest 10 of 20,000 vectors, beside a loop in JavaScript', async ({ bench }) => {
  const expected = nearestInMemory().map(({ id }) => id);
  const found = (await store.nearest('bench', question, signal)).map(({ id }) => id);
  if (found.join() !== expected.join()) throw new Error(`${found} is not ${expected}`);
  await bench.compare(
    bench('a loop in JavaScript', () => {
      nearestInMemory();
    }),
    bench('the store in SQLite, in its thread', async () => {
      await store.nearest('bench', question, signal);
    }),
  );
});

function nearestInMemory() {
  const length = Math.hypot(...question.vector);
  return vectors
    .map(({ id, vector }) => {
      let product = 0;
      let square = 0;
      for (let m = 0; m < DIMENSIONS; m += 1) {
        const one = vector[m] ?? 0;
        product += one * (question.vector[m] ?? 0);
        square += one * one;
      }
      return { id, similarity: product / (Math.sqrt(square) * length) };
    })
    .sort((one, other) => other.similarity - one.similarity)
    .slice(0, 10);
}
