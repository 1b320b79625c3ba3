import { type FixtureResponse, LLMock } from '@copilotkit/aimock';
import { createEmbedder } from '@sluice/agents';
import { describe, expect, it } from 'vitest';
import { manyFiles, repoId, semanticScratch, signal } from './test/semantic-scratch.ts';

const TARN = [0.6, 0.8, 0];
const OTHER = [0, 0, 1];

/** A server of embeddings that answers each request for all of its texts at once. */
async function startServer(answer: (input: string, count: number) => FixtureResponse) {
  const server = new LLMock({ port: 0, strict: true });
  const inputs: string[] = [];
  server.on({ endpoint: 'embedding' }, ({ embeddingInput = '' }) => {
    inputs.push(embeddingInput);
    return answer(embeddingInput, inputs.length);
  });
  const url = `${await server.start()}/v1`;
  return {
    inputs,
    embedder: (name: string) =>
      createEmbedder({
        name,
        keys: { openai: 'canary-key', compatible: 'canary-key' },
        baseUrls: { openai: url, compatible: url },
        maxRetries: 0, // the SDK waits seconds between them
      }),
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

describe('the index by words and meaning over HTTP', () => {
  it.each(['openai/text-embedding-3-small', 'compatible/nomic-embed-text'])(
    'finds with %s what has none of the words',
    async (name) => {
      await using server = await startServer((input) => ({ embedding: /tarn|lake/.test(input) ? TARN : OTHER }));
      await using scratch = semanticScratch();
      const { index, found } = scratch.open(server.embedder(name));
      const workspace = scratch.repo.commit({ 'src/water.ts': 'const tarn = 1;\n' });
      expect(await index.update(workspace, signal)).toMatchObject({ index: { files: 1 }, notes: [] });
      expect(await found('the lake is wrong')).toEqual(['src/water.ts']);
      expect(server.inputs).toHaveLength(2);
      await index.update(workspace, signal);
      await index.update(scratch.repo.commit({ 'src/fire.ts': 'const ember = 1;\n' }), signal);
      expect(server.inputs).toEqual([
        expect.stringContaining('const tarn'),
        'the lake is wrong',
        expect.stringContaining('const ember'),
      ]);
      expect((await found('the lake is wrong'))[0]).toBe('src/water.ts');
    },
  );

  it.each([
    [401, 'model_key_refused'],
    [429, 'model_overloaded'],
    [500, 'model_unavailable'],
  ])('keeps what it has when the server answers %j half-way, and goes on from there', async (status, code) => {
    let isAway = true;
    await using server = await startServer((_input, count) =>
      isAway && count > 1 ? { status, error: { message: 'no', type: 'error' } } : { embedding: OTHER },
    );
    await using scratch = semanticScratch();
    const { index, found } = scratch.open(server.embedder('openai/text-embedding-3-small'));
    const workspace = scratch.repo.commit(manyFiles(100, 'alpha'));
    const { index: held, notes } = await index.update(workspace, signal);
    expect(held.files).toBe(100);
    expect(notes).toHaveLength(1);
    expect(notes[0]).not.toContain('canary-key');
    expect(await found('alphaaaq', repoId, 1)).toEqual(['src/alpha0.txt']);
    expect(scratch.wordsAlone).toEqual([code, code]);
    isAway = false;
    server.inputs.length = 0;
    expect((await index.update(workspace, signal)).notes).toEqual([]);
    expect(server.inputs.join(' ').match(/the alpha/g)).toHaveLength(100 - 64);
  });
});
