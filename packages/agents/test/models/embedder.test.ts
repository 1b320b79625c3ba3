import { LLMock } from '@copilotkit/aimock';
import { describe, expect, it } from 'vitest';
import { createEmbedder, type EmbedderOptions } from '../../src/providers/create-embedder.ts';
import { failure, KEYS } from './ask.ts';
import { refuse, startVendor, type WireRequest } from './vendor-server.ts';

const never = new AbortController().signal;

function embedderAt(url: string, options: Partial<EmbedderOptions> = {}) {
  return createEmbedder({
    name: 'openai/text-embedding-3-small',
    keys: KEYS,
    baseUrls: { openai: url, compatible: url },
    maxRetries: 0,
    ...options,
  });
}

function answer(request: WireRequest, vector: (text: string) => unknown) {
  const data = (request.body.input as string[]).map((text, index) => ({
    object: 'embedding',
    index,
    embedding: vector(text),
  }));
  return JSON.stringify({ object: 'list', data, model: 'm', usage: { prompt_tokens: 1, total_tokens: 1 } });
}

/** Says who the text was: its number, in a vector of three. */
function told(request: WireRequest): string {
  return answer(request, (text) => [Number(text.slice(1)), 0, 1]);
}

const TOLD = 1; // tokens an answer, by `answer`
const own = { 'compatible/e': { price: { input: 2, output: 0 } } };

it.each([
  ['openai/text-embedding-3-small', {}, 0.02 / 1_000_000],
  ['openai/nobody-knows-it', {}, null],
  ['compatible/e', {}, null],
  ['compatible/e', own, 2 / 1_000_000],
] as const)('reports the usage of each answer of %s, at the known price', async (name, table, cost) => {
  await using vendor = await startVendor((response, request) => {
    response.setHeader('content-type', 'application/json').end(told(request));
  });
  const taken: unknown[] = [];
  const embedder = embedderAt(vendor.url, { name, table, onAnswered: (usage) => void taken.push(usage) });
  await embedder.embed(texts.slice(0, 70), 'document', { signal: never });
  expect(taken).toEqual(Array(2).fill({ input_tokens: TOLD, output_tokens: 0, cost_usd: cost }));
});

it('asks its caller before each request, retries too, and sends none that it refuses', async () => {
  let sent = 0;
  await using vendor = await startVendor((response) => {
    sent += 1;
    response.statusCode = 500;
    response.setHeader('retry-after-ms', '1').end();
  });
  let asked = 0;
  const beforeCall = async () => {
    asked += 1;
    if (asked === 2) throw new Error('another one has it now');
  };
  const embedder = embedderAt(vendor.url, { maxRetries: 2 });
  await expect(embedder.embed(['t1'], 'document', { signal: never, beforeCall })).rejects.toThrow(
    'another one has it now',
  );
  expect({ asked, sent }).toEqual({ asked: 2, sent: 1 });
});

it('takes no count of a server that has none for one', async () => {
  await using vendor = await startVendor((response, request) => {
    const { usage: _, ...uncounted } = JSON.parse(told(request)) as { usage: unknown };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(uncounted));
  });
  const taken: unknown[] = [];
  const embedder = embedderAt(vendor.url, {
    table: own,
    name: 'compatible/e',
    onAnswered: (usage) => taken.push(usage),
  });
  await embedder.embed(['t1'], 'query', { signal: never });
  expect(taken).toEqual([{ input_tokens: 0, output_tokens: 0, cost_usd: null }]);
});

const texts = Array.from({ length: 150 }, (_, at) => `t${at}`);

describe.each(['openai/text-embedding-3-small', 'compatible/nomic-embed-text:v1.5'])('%s', (name) => {
  it('gives one vector a text, in order, in several requests', async () => {
    await using vendor = await startVendor((response, request) => {
      response.setHeader('content-type', 'application/json').end(told(request));
    });
    const vectors = await embedderAt(vendor.url, { name }).embed(texts, 'document', { signal: never });
    expect(vectors).toEqual(texts.map((_, at) => Float32Array.from([at, 0, 1])));
    expect(vendor.requests.map(({ body }) => (body.input as string[]).length)).toEqual([64, 64, 22]);
    expect(vendor.requests[0]).toMatchObject({
      path: '/v1/embeddings',
      body: { model: name.slice(name.indexOf('/') + 1) },
    });
  });

  it.each([
    [401, { message: 'Incorrect API key provided.' }, 'model_key_refused'],
    [404, { message: 'model "m" not found' }, 'model_not_found'],
    [429, { message: 'Slow down.' }, 'model_overloaded'],
    [500, { message: 'Oh.' }, 'model_unavailable'],
  ])('fails at a %i in our own words', async (status, error, code) => {
    await using vendor = await startVendor((response) => refuse(response, status, { body: { error } }));
    const thrown = await failure(embedderAt(vendor.url, { name }).embed(['t1'], 'query', { signal: never }));
    expect(thrown).toMatchObject({ code, message: expect.stringContaining(name) });
  });

  it('fails when no answer comes in time, and ends at once when cancelled', async () => {
    const cancel = new AbortController();
    let isPatient = false; // on a busy machine the first request may be given up before it gets there
    await using vendor = await startVendor(() => {
      if (isPatient) cancel.abort(new Error('enough'));
    });
    const embedder = embedderAt(vendor.url, { name, timeoutMs: 60 });
    expect(await failure(embedder.embed(['t1'], 'query', { signal: never }))).toMatchObject({ code: 'model_timeout' });
    isPatient = true;
    const patient = embedderAt(vendor.url, { name, timeoutMs: 60_000 });
    await expect(patient.embed(['t1'], 'query', { signal: cancel.signal })).rejects.toThrow('enough');
  });

  it.each([
    ['of another length than before', (text: string) => (text === 't1' ? [1, 2] : [1, 2, 3])],
    ['of nothing', () => []],
    ['of what is no number', () => [1, 'two']],
  ])('refuses vectors %s', async (_what, vector) => {
    await using vendor = await startVendor((response, request) => {
      response.setHeader('content-type', 'application/json').end(answer(request, vector));
    });
    const thrown = await failure(embedderAt(vendor.url, { name }).embed(['t0', 't1'], 'document', { signal: never }));
    expect(thrown.code).toBe('model_unavailable');
  });
});

it('goes by no length that a refused answer had', async () => {
  await using vendor = await startVendor((response, request, count) => {
    response.setHeader('content-type', 'application/json').end(answer(request, () => (count === 1 ? [] : [1, 2])));
  });
  const embedder = embedderAt(vendor.url);
  expect(await failure(embedder.embed(['t0'], 'document', { signal: never }))).toMatchObject({
    code: 'model_unavailable',
  });
  expect(await embedder.embed(['t0'], 'document', { signal: never })).toEqual([Float32Array.from([1, 2])]);
});

it('takes vectors from a server that others made', async () => {
  const server = new LLMock({ port: 0 });
  await server.start();
  try {
    server.onEmbedding(/.*/, { embedding: [0.25, -0.5] });
    const vectors = await embedderAt(`${server.url}/v1`).embed(['a', 'b'], 'document', { signal: never });
    expect(vectors).toEqual([Float32Array.from([0.25, -0.5]), Float32Array.from([0.25, -0.5])]);
  } finally {
    await server.stop();
  }
});

it('makes no request for an empty input', async () => {
  await expect(embedderAt('http://127.0.0.1:9/v1').embed([], 'document', { signal: never })).resolves.toEqual([]);
});

it('cannot be of Anthropic, which has none', () => {
  expect(() => embedderAt('http://127.0.0.1:9/v1', { name: 'anthropic/claude-haiku-4-5' })).toThrow(
    'Anthropic has no embedding models',
  );
});
