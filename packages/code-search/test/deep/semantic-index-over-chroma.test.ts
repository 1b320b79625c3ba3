import { type ChromaServer, startChromaServer } from '@sluice/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createChromaVectorStore } from '../../src/chroma/create-chroma-vector-store.ts';
import { createScratchRepo } from '../../src/lexical/test/scratch-repo.ts';
import { manyFiles, otherId, repoId, semanticScratch, signal } from '../../src/semantic/test/semantic-scratch.ts';
import { documentsOf, wordHashEmbedder } from '../../src/semantic/test/word-hash-embedder.ts';

// Usual way: packages/code-search/src/chroma/create-chroma-vector-store.test.ts

const SAME = { tarn: 'lake' };

describe('the index by words and meaning over Chroma', () => {
  let chroma: ChromaServer;
  let scratch: ReturnType<typeof semanticScratch>;

  beforeAll(async () => {
    chroma = await startChromaServer();
  });
  beforeEach(async () => {
    await chroma.startEmpty();
    scratch = semanticScratch();
  });
  afterEach(() => scratch[Symbol.asyncDispose]());
  afterAll(() => chroma[Symbol.asyncDispose]());

  const open = (model = 'test/synonyms', limits = { readMs: 60_000, writeMs: 60_000 }) =>
    scratch.open(wordHashEmbedder(model, SAME), { vectors: createChromaVectorStore({ url: chroma.url, ...limits }) });

  it('finds by meaning in each of two repositories, and embeds only changed content', async () => {
    const { index, embedder, found, vectors } = open();
    using second = createScratchRepo(otherId);
    const files = { 'a.txt': 'a tarn\n', 'b.txt': 'a lake\n', 'c.txt': 'a meadow\n' };
    expect((await index.update(scratch.repo.commit(files), signal)).notes).toEqual([]);
    expect((await index.update(second.commit({ 'other.txt': 'the tarn\n' }), signal)).notes).toEqual([]);
    expect((await found('lake')).toSorted()).toEqual(expect.arrayContaining(['a.txt', 'b.txt']));
    expect(await found('lake', otherId)).toEqual(['other.txt']);
    embedder.requests.length = 0;
    const changed = scratch.repo.commit({ 'a.txt': 'a hill\n' });
    expect((await index.update(changed, signal)).notes).toEqual([]);
    expect(documentsOf(embedder)).toHaveLength(1);
    const [collection = ''] = await vectors.collections(`${repoId}.`, signal);
    const [tarn = new Float32Array()] = await embedder.embed(['a tarn'], 'query', { signal });
    expect(await vectors.nearest(collection, { vector: tarn, limit: 9 }, signal)).toHaveLength(3);
    await index.drop(repoId);
    expect(await vectors.collections(`${repoId}.`, signal)).toEqual([]);
    expect(await found('lake', otherId)).toEqual(['other.txt']);
    expect(scratch.wordsAlone).toEqual([]);
  });

  it('embeds everything again for another model, and removes the old vectors', async () => {
    const workspace = scratch.repo.commit(manyFiles(70, 'alpha'));
    const former = open('test/former');
    await former.index.update(workspace, signal);
    await former.index.close();
    const { index, embedder, vectors } = open('test/latter');
    expect((await index.update(workspace, signal)).notes).toEqual([]);
    expect(documentsOf(embedder)).toHaveLength(70);
    expect(await vectors.collections(`${repoId}.`, signal)).toHaveLength(1);
  });

  it('goes on with the words while Chroma is gone, says so, and makes good when it is back', async () => {
    const { index, embedder, found } = open();
    await index.update(scratch.repo.commit({ 'a.txt': 'a tarn\n', 'b.txt': 'a lake\n' }), signal);
    await chroma.kill();
    expect(await found('lake')).toEqual(['b.txt']);
    embedder.requests.length = 0;
    const more = scratch.repo.commit({ 'c.txt': 'the other tarn\n' });
    expect((await index.update(more, signal)).notes).toEqual([
      'Code is not fully searched by meaning: The vector store could not be reached. It is found by its words; the next update tries again.',
    ]);
    expect(documentsOf(embedder)).toEqual([]);
    expect(scratch.wordsAlone).toEqual(['not_ready', 'not_ready']);
    await chroma.start();
    expect((await index.update(more, signal)).notes).toEqual([]);
    expect((await found('lake')).toSorted()).toEqual(['a.txt', 'b.txt', 'c.txt']);
  });

  it('goes on with the words while Chroma hangs, and says what it is that hangs', async () => {
    const patient = open();
    const workspace = scratch.repo.commit({ 'a.txt': 'a tarn\n', 'b.txt': 'a lake\n' });
    expect((await patient.index.update(workspace, signal)).notes).toEqual([]);
    // With timeouts as short as these, a busy machine could fail the calls while Chroma is alive.
    const impatient = open('test/synonyms', { readMs: 300, writeMs: 300 });
    chroma.freeze();
    expect(await impatient.found('lake')).toEqual(['b.txt']);
    expect((await impatient.index.update(workspace, signal)).notes).toEqual([
      expect.stringContaining('The vector store did not answer in time.'),
    ]);
    expect(scratch.wordsAlone).toEqual(['not_ready', 'not_ready']);
    chroma.thaw();
    expect((await patient.index.update(workspace, signal)).notes).toEqual([]);
    expect((await patient.found('lake')).toSorted()).toEqual(['a.txt', 'b.txt']);
  });

  it('embeds everything again for a Chroma that came back empty', async () => {
    const { index, embedder, found } = open();
    const workspace = scratch.repo.commit(manyFiles(100, 'alpha'));
    await index.update(workspace, signal);
    await chroma.startEmpty();
    expect(await found('alpha')).toHaveLength(10);
    embedder.requests.length = 0;
    expect((await index.update(workspace, signal)).notes).toEqual([]);
    expect(documentsOf(embedder)).toHaveLength(100);
    expect(scratch.wordsAlone).toEqual([]);
  });

  it('goes on from where it was when Chroma dies in the middle of an update', async () => {
    const { index, embedder } = open();
    const workspace = scratch.repo.commit(manyFiles(200, 'alpha'));
    embedder.before = async () => {
      if (embedder.requests.length === 3) await chroma.kill();
    };
    expect((await index.update(workspace, signal)).notes).toEqual([expect.stringContaining('could not be reached')]);
    await chroma.start();
    embedder.requests.length = 0;
    expect((await index.update(workspace, signal)).notes).toEqual([]);
    expect(documentsOf(embedder)).toHaveLength(200 - 128);
  });
});
