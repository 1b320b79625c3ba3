import type { StoredVector, VectorStore } from '@sluice/core/code-search';
import { describe, expect, it } from 'vitest';

/** An empty store under test. */
export interface VectorStoreHarness extends AsyncDisposable {
  readonly store: VectorStore;
}

const signal = new AbortController().signal;

function stored(id: string, ...numbers: number[]): StoredVector {
  return { id, vector: Float32Array.from(numbers) };
}

function asked(limit: number, ...numbers: number[]) {
  return { vector: Float32Array.from(numbers), limit };
}

/** What a `VectorStore` promises, wherever it keeps its vectors. */
export function vectorStoreContract(name: string, open: () => Promise<VectorStoreHarness>): void {
  describe(`vectors in ${name}`, () => {
    const idsNear = async (store: VectorStore, collection: string, question: ReturnType<typeof asked>) =>
      (await store.nearest(collection, question, signal)).map(({ id }) => id);

    it('are found by direction and not by length, the nearest first', async () => {
      await using harness = await open();
      const { store } = harness;
      const vectors = [stored('east', 9, 0), stored('north', 0, 1), stored('west', -1, 0), stored('north-east', 2, 2)];
      await store.upsert('compass', vectors, signal);
      const found = await store.nearest('compass', asked(4, 1, 0.1), signal);
      expect(found.map(({ id }) => id)).toEqual(['east', 'north-east', 'north', 'west']);
      const [east, , , west] = found.map(({ similarity }) => similarity);
      expect(east).toBeCloseTo(0.995, 3);
      expect(west).toBeCloseTo(-0.995, 3);
      expect(await idsNear(store, 'compass', asked(2, 0, 5))).toEqual(['north', 'north-east']);
      const [same] = await store.nearest('compass', asked(1, 0, 5), signal);
      expect(same?.similarity).toBeCloseTo(1, 5);
    });

    it('are replaced by others with the same id', async () => {
      await using harness = await open();
      const { store } = harness;
      await store.upsert('one', [stored('a', 1, 0), stored('b', 0, 1)], signal);
      await store.upsert('one', [stored('a', 0, -1)], signal);
      await store.upsert('one', [], signal);
      expect(await idsNear(store, 'one', asked(5, 0, -1))).toEqual(['a', 'b']);
      const [first] = await store.nearest('one', asked(1, 0, -1), signal);
      expect(first?.similarity).toBeCloseTo(1, 5);
    });

    it('are known by their ids, as many as are asked for at once', async () => {
      await using harness = await open();
      const { store } = harness;
      const many = Array.from({ length: 2_500 }, (_, n) => stored(`chunk:${n}-${n + 9}`, n + 1, 1));
      await store.upsert('many', many, signal);
      const asked = many.flatMap(({ id }) => [id, `not ${id}`]);
      const existing = await store.existing('many', asked, signal);
      expect([...existing].sort()).toEqual(many.map(({ id }) => id).sort());
      expect(await store.existing('many', [], signal)).toEqual([]);
    });

    it('are kept apart by collection, each with its own length', async () => {
      await using harness = await open();
      const { store } = harness;
      await store.upsert('flat.2', [stored('a', 1, 0)], signal);
      await store.upsert('deep.3', [stored('a', 0, 0, 1), stored('c', 1, 0, 0)], signal);
      expect(await store.existing('flat.2', ['a', 'c'], signal)).toEqual(['a']);
      expect(await idsNear(store, 'deep.3', asked(9, 0, 0, 1))).toEqual(['a', 'c']);
      await store.drop('deep.3');
      await store.drop('deep.3');
      expect(await idsNear(store, 'deep.3', asked(9, 0, 0, 1))).toEqual([]);
      expect(await idsNear(store, 'flat.2', asked(9, 0, 1))).toEqual(['a']);
      await store.upsert('deep.3', [stored('back', 1, 0, 0, 0)], signal);
      expect(await idsNear(store, 'deep.3', asked(9, 1, 0, 0, 0))).toEqual(['back']);
    });

    it('find nothing in a missing collection, and change nothing there', async () => {
      await using harness = await open();
      const { store } = harness;
      expect(await store.nearest('nowhere', asked(3, 1, 0), signal)).toEqual([]);
      expect(await store.existing('nowhere', ['a'], signal)).toEqual([]);
      await store.keepOnly('nowhere', new Set(['a']), signal);
      await store.drop('nowhere');
      expect(await store.collections('', signal)).toEqual([]);
    });

    it('are removed but for those that are kept, however many', async () => {
      await using harness = await open();
      const { store } = harness;
      const many = Array.from({ length: 4_321 }, (_, n) => stored(`${n}`, n + 1, 1));
      await store.upsert('shrinking', many, signal);
      await store.upsert('untouched', [stored('7', 1, 0)], signal);
      await store.keepOnly('shrinking', new Set(['3', '4000', 'unknown']), signal);
      const left = await idsNear(store, 'shrinking', asked(10, 1, 0));
      expect([...left].sort()).toEqual(['3', '4000']);
      await store.keepOnly('shrinking', new Set(), signal);
      expect(await idsNear(store, 'shrinking', asked(10, 1, 0))).toEqual([]);
      expect(await store.existing('untouched', ['7'], signal)).toEqual(['7']);
    });

    it('are refused, all of an upsert, when one has another length, and so is such a question', async () => {
      await using harness = await open();
      const { store } = harness;
      await store.upsert('strict', [stored('a', 1, 0)], signal);
      const refused = store.upsert('strict', [stored('b', 0, 1), stored('c', 1, 0, 0)], signal);
      await expect(refused).rejects.toMatchObject({ code: 'not_ready' });
      await expect(store.nearest('strict', asked(3, 1, 0, 0), signal)).rejects.toMatchObject({ code: 'not_ready' });
      expect(await idsNear(store, 'strict', asked(9, 1, 0))).toEqual(['a']);
    });

    it('have collections that are listed by how their names start', async () => {
      await using harness = await open();
      const { store } = harness;
      const names = ['repo-1.model-a', 'repo-1.model-b', 'repo-10.model-a', 'repo-1'];
      for (const collection of names) await store.upsert(collection, [stored('a', 1, 0)], signal);
      expect([...(await store.collections('repo-1.', signal))].sort()).toEqual(['repo-1.model-a', 'repo-1.model-b']);
      await store.drop('repo-1.model-a');
      expect(await store.collections('repo-1.', signal)).toEqual(['repo-1.model-b']);
      expect(await store.collections('repo-2', signal)).toEqual([]);
    });

    it('are all there when several write at once', async () => {
      await using harness = await open();
      const { store } = harness;
      await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          store.upsert('shared', [stored(`from ${n}`, 1, n), stored('all', 0, 1)], signal),
        ),
      );
      expect(await idsNear(store, 'shared', asked(50, 1, 0))).toHaveLength(13);
    });

    it('are left alone by a call whose signal has fired', async () => {
      await using harness = await open();
      const { store } = harness;
      await store.upsert('calm', [stored('a', 1, 0)], signal);
      const reason = new Error('cancelled by a person');
      const fired = AbortSignal.abort(reason);
      await expect(store.upsert('calm', [stored('b', 1, 0)], fired)).rejects.toBe(reason);
      await expect(store.keepOnly('calm', new Set(), fired)).rejects.toBe(reason);
      await expect(store.nearest('calm', asked(1, 1, 0), fired)).rejects.toBe(reason);
      await expect(store.existing('calm', ['a'], fired)).rejects.toBe(reason);
      expect(await store.existing('calm', ['a', 'b'], signal)).toEqual(['a']);
    });

    it('cannot be reached after the store is closed, which can be done twice', async () => {
      await using harness = await open();
      const { store } = harness;
      await store.check(signal);
      await Promise.all([store.close(), store.close()]);
      await expect(store.check(signal)).rejects.toMatchObject({ kind: 'unavailable' });
      await expect(store.existing('any', ['a'], signal)).rejects.toMatchObject({ kind: 'unavailable' });
    });
  });
}
