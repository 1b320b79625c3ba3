import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@sluice/core/error';
import { describe, expect, it } from 'vitest';
import { manyFiles, repoId, semanticScratch, signal } from '../../src/semantic/test/semantic-scratch.ts';
import { documentsOf, wordHashEmbedder } from '../../src/semantic/test/word-hash-embedder.ts';

const away = () => {
  throw new AppError('model_unavailable');
};

describe('the index by words and meaning under faults', () => {
  it('goes on with the words while the model is away, says so, and makes good with the next update', async () => {
    await using scratch = semanticScratch();
    const { index, embedder, found } = scratch.open(wordHashEmbedder('test/synonyms', { tarn: 'lake' }));
    const workspace = scratch.repo.commit({ 'a.txt': 'a tarn\n', 'b.txt': 'a lake\n' });
    embedder.before = away;
    expect(await index.update(workspace, signal)).toMatchObject({
      index: { files: 2 },
      notes: [
        'Code is not fully searched by meaning: The model provider could not be reached or failed. It is found by its words; the next update tries again.',
      ],
    });
    expect(await found('lake')).toEqual(['b.txt']);
    expect(scratch.wordsAlone).toEqual(['model_unavailable', 'model_unavailable']);
    embedder.before = () => {};
    expect((await index.update(workspace, signal)).notes).toEqual([]);
    expect((await found('lake')).sort()).toEqual(['a.txt', 'b.txt']);
  });

  it('keeps what was embedded when the model fails half-way, and embeds only the rest the next time', async () => {
    await using scratch = semanticScratch();
    const { index, embedder } = scratch.open(wordHashEmbedder());
    const workspace = scratch.repo.commit(manyFiles(200, 'alpha'));
    embedder.before = () => {
      if (embedder.requests.length > 2) away();
    };
    expect((await index.update(workspace, signal)).notes).toHaveLength(1);
    const kept = documentsOf(embedder).slice(0, 128);
    embedder.requests.length = 0;
    embedder.before = () => {};
    expect((await index.update(workspace, signal)).notes).toEqual([]);
    expect(documentsOf(embedder)).toHaveLength(200 - 128);
    expect(new Set([...kept, ...documentsOf(embedder)]).size).toBe(200);
  });

  it('stops at once when cancelled, even while the model does not answer, and goes on from there', async () => {
    await using scratch = semanticScratch();
    const { index, embedder } = scratch.open(wordHashEmbedder());
    const workspace = scratch.repo.commit(manyFiles(150, 'alpha'));
    const cancel = new AbortController();
    const reason = new Error('cancelled by a person');
    embedder.before = () => {
      if (embedder.requests.length < 2) return;
      cancel.abort(reason);
      return new Promise<never>(() => {}); // deaf even to the signal
    };
    await expect(index.update(workspace, cancel.signal)).rejects.toBe(reason);
    expect(scratch.wordsAlone).toEqual([]);
    embedder.requests.length = 0;
    embedder.before = () => {};
    expect((await index.update(workspace, signal)).notes).toEqual([]);
    expect(documentsOf(embedder)).toHaveLength(150 - 64);
  });

  it('ends an update that takes too long, with a note, and goes on with the next', async () => {
    await using scratch = semanticScratch();
    const { index, embedder, vectors } = scratch.open(wordHashEmbedder(), { updateMs: 5_000 });
    const workspace = scratch.repo.commit(manyFiles(100, 'alpha'));
    await vectors.check(signal); // its thread starts, which may take as long on a busy machine
    embedder.before = () => (embedder.requests.length < 2 ? undefined : new Promise<never>(() => {}));
    expect((await index.update(workspace, signal)).notes).toEqual([
      'The code could not all be prepared for search by meaning in time. The next update goes on with it.',
    ]);
    embedder.requests.length = 0;
    embedder.before = () => {};
    expect((await index.update(workspace, signal)).notes).toEqual([]);
    expect(documentsOf(embedder)).toHaveLength(100 - 64);
  });

  it('goes on with the words while the store is away, and pays for nothing that it cannot keep', async () => {
    await using scratch = semanticScratch();
    const first = scratch.open(wordHashEmbedder());
    const workspace = scratch.repo.commit(manyFiles(3, 'alpha'));
    await first.index.update(workspace, signal);
    await first.index.close();
    const broken = scratch.open(wordHashEmbedder(), { vectorFile: join(scratch.vectorFile, 'below', 'a-file.db') });
    const { index, notes } = await broken.index.update(workspace, signal);
    expect(index.files).toBe(3);
    expect(notes).toEqual([expect.stringContaining('The store of vectors could not be read or written.')]);
    expect(documentsOf(broken.embedder)).toEqual([]);
    expect(await broken.found('alpha')).toHaveLength(3);
    expect(scratch.wordsAlone).toEqual(['not_ready', 'not_ready']);
  });

  it('embeds everything again when the store was damaged', async () => {
    await using scratch = semanticScratch();
    const workspace = scratch.repo.commit(manyFiles(100, 'alpha'));
    const first = scratch.open(wordHashEmbedder());
    await first.index.update(workspace, signal);
    await first.index.close();
    const size = readFileSync(scratch.vectorFile).length;
    const descriptor = openSync(scratch.vectorFile, 'r+');
    writeSync(descriptor, Buffer.alloc(size - 16_384, 0xa5), 0, size - 16_384, 16_384);
    closeSync(descriptor);
    const second = scratch.open(wordHashEmbedder());
    expect(await second.found('alpha')).toHaveLength(10);
    expect((await second.index.update(workspace, signal)).notes).toEqual([]);
    expect(scratch.rebuilt).toHaveLength(1);
    expect(documentsOf(second.embedder)).toHaveLength(100);
    expect(scratch.wordsAlone).toEqual([]);
  });

  it('answers searches during an update, by the words of it at once and by meaning as far as it has come', async () => {
    await using scratch = semanticScratch();
    const { index, embedder, found } = scratch.open(wordHashEmbedder('test/synonyms', { tarn: 'lake' }));
    await index.update(scratch.repo.commit({ 'a.txt': 'a tarn\n' }), signal);
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    embedder.before = (texts) => {
      if (!texts.some((text) => text.includes('lagoon'))) return;
      asked.resolve();
      return answer.promise;
    };
    const update = index.update(scratch.repo.commit({ 'b.txt': 'a lagoon by the tarn\n' }), signal);
    await asked.promise;
    expect(await found('lake')).toEqual(['a.txt']);
    embedder.before = () => {};
    expect((await found('lagoon')).at(0)).toBe('b.txt');
    answer.resolve();
    expect((await update).notes).toEqual([]);
    expect((await found('lake')).sort()).toEqual(['a.txt', 'b.txt']);
  });

  it('does not let a search wait for a model that hangs, and leaves it alone for a minute', async () => {
    await using scratch = semanticScratch();
    const { index, embedder, found } = scratch.open(wordHashEmbedder(), { searchMs: 200 });
    await index.update(scratch.repo.commit(manyFiles(3, 'alpha')), signal);
    embedder.before = () => new Promise<never>(() => {});
    expect(await found('alpha')).toHaveLength(3);
    expect(await found('alpha')).toHaveLength(3);
    expect(scratch.wordsAlone).toEqual(['model_timeout']);
    expect(embedder.requests).toHaveLength(2);
    embedder.before = () => {};
    scratch.clock.advance(60_000);
    await found('alpha');
    expect(embedder.requests).toHaveLength(3);
  });

  it('ends a search with its signal', async () => {
    await using scratch = semanticScratch();
    const { index, embedder } = scratch.open(wordHashEmbedder());
    await index.update(scratch.repo.commit(manyFiles(3, 'alpha')), signal);
    const cancel = new AbortController();
    const reason = new Error('gone');
    embedder.before = () => {
      cancel.abort(reason);
      return new Promise<never>(() => {});
    };
    await expect(index.search(repoId, { query: 'alpha', limit: 1 }, cancel.signal)).rejects.toBe(reason);
    expect(scratch.wordsAlone).toEqual([]);
  });

  it('gives shorter texts to a model that refuses long ones, and knows a model that refuses all', async () => {
    await using scratch = semanticScratch();
    const { index, embedder } = scratch.open(wordHashEmbedder());
    const workspace = scratch.repo.commit({
      'a.txt': 'lake and lake and more of all the lakes\n'.repeat(50),
      'b.txt': 'tarn\n',
    });
    embedder.before = (texts) => {
      if (texts.some(({ length }) => length > 1_500)) throw new AppError('model_request_refused');
    };
    expect((await index.update(workspace, signal)).notes).toEqual([]);
    const [short, cut] = documentsOf(embedder)
      .slice(-2)
      .sort((one, other) => one.length - other.length);
    expect(short).toContain('tarn');
    expect(cut).toHaveLength(1_000);
    embedder.requests.length = 0;
    embedder.before = () => {
      throw new AppError('model_request_refused');
    };
    const { notes } = await index.update(scratch.repo.commit(manyFiles(100, 'alpha')), signal);
    expect(notes).toEqual([expect.stringContaining('The model provider refused the request.')]);
    expect(embedder.requests).toHaveLength(2);
  });

  it('keeps nothing of an answer for another number of texts', async () => {
    await using scratch = semanticScratch();
    const embedder = wordHashEmbedder();
    const short = { ...embedder, embed: async () => [new Float32Array(256).fill(1)] };
    const { index, vectors } = scratch.open(short);
    const { notes } = await index.update(scratch.repo.commit(manyFiles(3, 'alpha')), signal);
    expect(notes).toEqual([expect.stringContaining('another number of texts')]);
    expect(await vectors.collections('', signal)).toEqual([]);
  });

  it('passes on what is a fault of its own and what says that the service ends', async () => {
    await using scratch = semanticScratch();
    const { index, embedder } = scratch.open(wordHashEmbedder());
    const fault = new TypeError('a bug');
    embedder.before = () => {
      throw fault;
    };
    const workspace = scratch.repo.commit(manyFiles(1, 'alpha'));
    await expect(index.update(workspace, signal)).rejects.toBe(fault);
    await expect(index.search(repoId, { query: 'alpha', limit: 1 }, signal)).rejects.toBe(fault);
    embedder.before = () => {};
    await index.close();
    await expect(index.update(workspace, signal)).rejects.toMatchObject({ code: 'shutting_down' });
    await expect(index.search(repoId, { query: 'alpha', limit: 1 }, signal)).rejects.toMatchObject({
      code: 'shutting_down',
    });
    expect(scratch.wordsAlone).toEqual([]);
  });
});
