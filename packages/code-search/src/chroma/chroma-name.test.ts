import type { RepoId } from '@sluice/core/id';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { collectionName } from '../semantic/vector-collections.ts';
import { chromaName, collectionOf } from './create-chroma-vector-store.ts';

const collection = fc.stringMatching(/^[A-Za-z0-9.-]{1,60}$/);

it('gives each collection a name that Chroma takes, and finds the collection by it', () => {
  fc.assert(
    fc.property(collection, (name) => {
      expect(chromaName(name)).toMatch(/^[A-Za-z0-9](?!.*\.\.)[A-Za-z0-9._-]+[A-Za-z0-9]$/);
      expect(collectionOf(chromaName(name))).toBe(name);
    }),
  );
});

it("fits the names of repositories' collections into what older releases take", () => {
  const name = collectionName('019a0000-0000-7000-8000-000000000001' as RepoId, 'openai/text-embedding-3-large');
  expect(chromaName(name).length).toBeLessThanOrEqual(63);
});

it.each(['langchain', 'sluice_', 'sluice_v', '_v', 'sluice__v', 'sluice_a', 'xsluice_a_v'])(
  'knows what is not ours: %s',
  (name) => {
    expect(collectionOf(name)).toBeNull();
  },
);
