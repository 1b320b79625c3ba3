import { describe, expect, it } from 'vitest';
import { createScratchRepo } from '../lexical/test/scratch-repo.ts';
import { manyFiles, otherId, repoId, semanticScratch, signal } from './test/semantic-scratch.ts';
import { documentsOf, wordHashEmbedder } from './test/word-hash-embedder.ts';
import { collectionName, collectionPrefix } from './vector-collections.ts';

describe('the index by words and meaning', () => {
  it('finds what only the words find and what only the meaning finds, and first what both find', async () => {
    await using scratch = semanticScratch();
    const same = { login: 'entry', signon: 'entry', doorway: 'entry' };
    const { index, found } = scratch.open(wordHashEmbedder('test/synonyms', same));
    const workspace = scratch.repo.commit({
      'words.txt': `login ${'various remarks regarding cabbage farming seasons\n'.repeat(30)}`,
      'meaning.txt': 'doorway\n',
      'both.txt': 'login signon\n',
      'other.txt': 'cabbage and nothing else\n',
    });
    expect(await index.update(workspace, signal)).toMatchObject({ index: { files: 4, chunks: 4 }, notes: [] });
    const hits = await index.search(repoId, { query: 'login', limit: 3 }, signal);
    expect(hits.map(({ path }) => path).sort()).toEqual(['both.txt', 'meaning.txt', 'words.txt']);
    expect(hits[0]?.path).toBe('both.txt');
    expect(hits[0]?.score).toBeCloseTo(2 / 61, 2);
    const meaning = hits.find(({ path }) => path === 'meaning.txt');
    expect(meaning).toEqual({
      path: 'meaning.txt',
      startLine: 1,
      endLine: 1,
      symbol: null,
      text: expect.stringContaining('doorway'),
      score: expect.any(Number),
    });
    expect(await found('doorway', repoId, 1)).toEqual(['meaning.txt']);
    expect(scratch.wordsAlone).toEqual([]);
  });

  it('puts the third piece of a file behind the first of another', async () => {
    await using scratch = semanticScratch();
    const { index, found } = scratch.open(wordHashEmbedder());
    const long = 'turbine turbine\n'.repeat(500);
    await index.update(scratch.repo.commit({ 'big.txt': long, 'small.txt': 'turbine wheel\n' }), signal);
    expect((await found('turbine')).slice(0, 3).sort()).toEqual(['big.txt', 'big.txt', 'small.txt']);
  });

  it('embeds each content once, whatever moves, and removes what is gone', async () => {
    await using scratch = semanticScratch();
    const { index, embedder, vectors } = scratch.open(wordHashEmbedder());
    await index.update(scratch.repo.commit({ ...manyFiles(150, 'alpha'), 'old.txt': 'apple tree\n' }), signal);
    expect(documentsOf(embedder)).toHaveLength(151);
    expect(embedder.requests).toHaveLength(3);
    const second = scratch.repo.commit({
      'src/alpha7.txt': 'banana bread\n',
      'old.txt': null,
      'moved/new.txt': 'apple tree\n',
      'src/alpha8.txt': null,
    });
    await index.update(second, signal);
    expect(documentsOf(embedder).slice(151)).toEqual([expect.stringContaining('banana')]);
    expect(embedder.requests).toHaveLength(4);
    const collection = collectionName(repoId, embedder.id);
    const question = { vector: new Float32Array(256).fill(1), limit: 1_000 };
    expect(await vectors.nearest(collection, question, signal)).toHaveLength(150);
    await index.update(second, signal);
    expect(embedder.requests).toHaveLength(4);
  });

  it('asks its caller before each batch and each question, and sends none that it refuses', async () => {
    await using scratch = semanticScratch();
    const { index, embedder } = scratch.open(wordHashEmbedder());
    const workspace = scratch.repo.commit(manyFiles(150, 'alpha'));
    const refusal = new Error('another one has it now');
    let allowed = 1;
    const beforeCall = async () => {
      if (allowed === 0) throw refusal;
      allowed -= 1;
    };
    await expect(index.update(workspace, signal, beforeCall)).rejects.toBe(refusal);
    expect(documentsOf(embedder)).toHaveLength(64);
    const question = { query: 'alpha', limit: 1, beforeCall };
    await expect(index.search(repoId, question, signal)).rejects.toBe(refusal);
    expect(embedder.requests).toHaveLength(1);
    allowed = 1;
    await index.search(repoId, question, signal);
    expect(embedder.requests.at(-1)?.purpose).toBe('query');
  });

  it('keeps repositories apart and drops one with all its vectors', async () => {
    await using scratch = semanticScratch();
    using other = createScratchRepo(otherId);
    const { index, embedder, vectors, found } = scratch.open(wordHashEmbedder('test/synonyms', { tarn: 'lake' }));
    await Promise.all([
      index.update(scratch.repo.commit({ 'mine.txt': 'a tarn\n' }), signal),
      index.update(other.commit({ 'theirs.txt': 'a tarn\n', 'secret.txt': 'tarn of gold\n' }), signal),
    ]);
    expect(await found('lake')).toEqual(['mine.txt']);
    expect((await found('lake', otherId)).sort()).toEqual(['secret.txt', 'theirs.txt']);
    await index.drop(otherId);
    expect(await found('lake', otherId)).toEqual([]);
    expect(await found('lake')).toEqual(['mine.txt']);
    expect(await vectors.collections('', signal)).toEqual([collectionName(repoId, embedder.id)]);
  });

  it('embeds everything again for another model, and removes the old vectors', async () => {
    await using scratch = semanticScratch();
    const workspace = scratch.repo.commit({ 'a.txt': 'a tarn\n' });
    const before = scratch.open(wordHashEmbedder('test/former', { tarn: 'lake' }));
    await before.index.update(workspace, signal);
    await before.index.close();
    const { index, embedder, vectors, found } = scratch.open(wordHashEmbedder('test/latter', { tarn: 'pond' }));
    await index.update(workspace, signal);
    expect(documentsOf(embedder)).toHaveLength(1);
    expect(await vectors.collections(collectionPrefix(repoId), signal)).toEqual([
      collectionName(repoId, 'test/latter'),
    ]);
    expect(await found('pond')).toEqual(['a.txt']);
  });

  it('embeds no more than it may in one repository, always the same part, and says so', async () => {
    await using scratch = semanticScratch();
    const { index, embedder, found } = scratch.open(wordHashEmbedder(), { maxChunks: 70 });
    const workspace = scratch.repo.commit(manyFiles(90, 'alpha'));
    const { notes } = await index.update(workspace, signal);
    expect(notes).toEqual(['Search by meaning covers the first 70 pieces of code; the rest is found by its words.']);
    expect(documentsOf(embedder)).toHaveLength(70);
    expect((await index.update(workspace, signal)).notes).toEqual(notes);
    expect(documentsOf(embedder)).toHaveLength(70);
    expect(await found('alpha', repoId, 100)).toHaveLength(90);
    await index.update(scratch.repo.commit({ 'src/alpha0.txt': 'one more thing\n' }), signal);
    expect(documentsOf(embedder).length).toBeLessThanOrEqual(72);
  });

  it('does not pay for what is vendored, generated or blank', async () => {
    await using scratch = semanticScratch();
    const { index, embedder, found } = scratch.open(wordHashEmbedder());
    const files = {
      'src/a.txt': 'a tarn\n',
      'vendor/b.txt': 'a mere\n',
      'dist/c.txt': 'a pond\n',
      'd.txt': ' \n\n \n',
    };
    const { notes } = await index.update(scratch.repo.commit(files), signal);
    expect(notes).toEqual([]);
    expect(documentsOf(embedder)).toEqual([expect.stringContaining('tarn')]);
    expect(await found('mere')).toContain('vendor/b.txt');
  });

  it('gives the model the beginning of a long text, cut between characters', async () => {
    await using scratch = semanticScratch();
    const { index, embedder } = scratch.open(wordHashEmbedder());
    await index.update(scratch.repo.commit({ 'a.txt': `x${`${'\u{1F600}'.repeat(100)}\n`.repeat(30)}` }), signal);
    const [text = ''] = documentsOf(embedder);
    expect(text).toHaveLength(4_000);
    expect(text.isWellFormed()).toBe(true);
    await index.search(repoId, { query: 'why '.repeat(10_000), limit: 1 }, signal);
    expect(embedder.requests.at(-1)?.texts[0]).toHaveLength(4_000);
  });

  it('calls no model for a question without words', async () => {
    await using scratch = semanticScratch();
    const { index, embedder, found } = scratch.open(wordHashEmbedder());
    await index.update(scratch.repo.commit({ 'a.txt': 'a tarn\n' }), signal);
    expect(await found(' \n')).toEqual([]);
    expect(embedder.requests).toHaveLength(1);
  });

  it('outlines a file as the index by words does', async () => {
    await using scratch = semanticScratch();
    const { index, lexical } = scratch.open(wordHashEmbedder());
    const file = { path: 'a.ts', text: 'export function lake() {\n  return 1;\n}\n' };
    expect(await index.outline(file)).toEqual(await lexical.outline(file));
    expect(await index.outline(file)).toMatchObject([{ name: 'lake' }]);
  });
});
