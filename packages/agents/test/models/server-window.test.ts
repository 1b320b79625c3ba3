import { describe, expect, it } from 'vitest';
import { createAgentRunner } from '../../src/loop/create-agent-runner.ts';
import { createModels } from '../../src/providers/create-models.ts';
import { anIssue, memoryContext } from '../loop/memory-context.ts';
import { KEYS } from './ask.ts';
import { refuse, startVendor } from './vendor-server.ts';
import { wireFormats } from './wire-formats.ts';

const MODEL = 'qwen3:32b';
const CHAT = '/v1/chat/completions';

/** The answers of each kind of server, by the address that is asked. */
const servers: Readonly<Record<string, readonly [window: number | null, answers: Readonly<Record<string, unknown>>]>> =
  {
    vLLM: [40_960, { '/v1/models': { data: [{ id: 'other' }, { id: MODEL, max_model_len: 40_960 }] } }],
    'a gateway': [131_072, { '/v1/models': { data: [{ id: MODEL, context_length: 131_072 }, { id: 'other' }] } }],
    'llama.cpp': [
      16_384,
      { '/v1/models': { data: [{ id: 'm.gguf', meta: { n_ctx_train: 131_072, n_ctx: 16_384 } }] } },
    ],
    'an older llama.cpp': [
      8_192,
      {
        '/v1/models': { data: [{ id: 'm.gguf', meta: { n_ctx_train: 131_072 } }] },
        '/props': { default_generation_settings: { n_ctx: 8_192 } },
      },
    ],
    'Ollama with the model loaded': [
      4_096,
      {
        '/v1/models': { data: [{ id: MODEL, object: 'model' }] },
        '/api/ps': { models: [{ name: MODEL, model: MODEL, context_length: 4_096 }] },
        '/api/show': { parameters: 'num_ctx 65536', model_info: { 'qwen3.context_length': 40_960 } },
      },
    ],
    'Ollama with a window in the file of the model': [
      65_536,
      {
        '/api/ps': { models: [] },
        '/api/show': { parameters: 'stop "<|im_end|>"\nnum_ctx                        65536' },
      },
    ],
    'Ollama that knows only what the model was trained for': [
      null,
      { '/api/show': { parameters: '', model_info: { 'qwen3.context_length': 40_960 } } },
    ],
    'LM Studio': [
      12_288,
      { '/api/v0/models': { data: [{ id: MODEL, max_context_length: 131_072, loaded_context_length: 12_288 }] } },
    ],
    'a server that tells nonsense': [
      null,
      { '/v1/models': { data: [{ id: MODEL, max_model_len: -1 }] }, '/props': [] },
    ],
    'a server that tells nothing': [null, {}],
  };

async function startServer(answers: Readonly<Record<string, unknown>>) {
  return await startVendor((response, { path }) => {
    const answer = answers[path];
    if (path === CHAT) wireFormats[2]?.whole(response, '{}');
    else if (answer === undefined) refuse(response, 404, { body: { error: 'not found' } });
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
}

function modelAt(url: string, table = {}) {
  return createModels({ keys: KEYS, baseUrls: { compatible: url }, table }).choice(`compatible/${MODEL}`);
}

describe('the window of a model server', () => {
  it.each(Object.entries(servers))('is asked of %s', async (_name, [window, answers]) => {
    await using server = await startServer(answers);
    expect(await modelAt(server.url).askWindow?.()).toBe(window);
    for (const { headers } of server.requests) expect(headers.authorization).toBe(`Bearer ${KEYS.compatible}`);
  });

  it('is asked once where it is told, and again where it is not', async () => {
    await using telling = await startServer(servers.vLLM?.[1] ?? {});
    const told = modelAt(telling.url);
    for (let count = 0; count < 3; count += 1) expect(await told.askWindow?.()).toBe(40_960);
    expect(telling.requests).toHaveLength(1);
    await using silent = await startServer({});
    const untold = modelAt(silent.url);
    for (let count = 0; count < 2; count += 1) expect(await untold.askWindow?.()).toBeNull();
    expect(silent.requests.length).toBeGreaterThan(5);
  });

  it('is not asked where the operator has set it, nor of vendors', async () => {
    const table = { [`compatible/${MODEL}`]: { context_tokens: 20_000 } };
    expect(modelAt('http://127.0.0.1:1/v1', table).askWindow).toBeUndefined();
    const vendor = createModels({ keys: KEYS, baseUrls: {} }).choice('anthropic/claude-haiku-4-5');
    expect(vendor.askWindow).toBeUndefined();
  });

  it('is asked with the headers that the operator has set', async () => {
    await using server = await startServer({});
    const extra_headers = { 'X-Gateway-Key': 'canary-of-the-gateway', Authorization: 'Basic of-the-gateway' };
    await modelAt(server.url, { [`compatible/${MODEL}`]: { extra_headers } }).askWindow?.();
    expect(server.requests.length).toBeGreaterThan(3);
    for (const { headers } of server.requests) {
      expect(headers['x-gateway-key']).toBe('canary-of-the-gateway');
      expect(headers.authorization).toBe('Basic of-the-gateway');
    }
  });

  it('is unknown where no server answers', async () => {
    expect(await modelAt('http://127.0.0.1:1/v1').askWindow?.()).toBeNull();
  });

  it('decides what fits', async () => {
    await using server = await startServer({ '/v1/models': { data: [{ id: MODEL, max_model_len: 2_000 }] } });
    const { issue, repo } = anIssue({ body: 'words '.repeat(2_000) });
    const choice = modelAt(server.url);
    const runner = createAgentRunner({ models: () => [choice], clock: { now: () => new Date() } });
    await expect(runner.run('triager', { issue, repo }, memoryContext().context)).rejects.toMatchObject({
      code: 'model_context_full',
      message: expect.stringContaining('room for 1000'),
    });
    expect(server.requests.map(({ path }) => path)).not.toContain(CHAT);
  });

  it.each([
    [16_384, 8_192, 4_096],
    [8_192, 8_192, 2_048],
    [131_072, 16_384, 16_384],
  ])('of %i tokens holds an answer of %i to a quarter', async (window, max_output_tokens, longest) => {
    await using server = await startServer({ '/v1/models': { data: [{ id: MODEL, max_model_len: window }] } });
    const choice = modelAt(server.url, { [`compatible/${MODEL}`]: { max_output_tokens } });
    const runner = createAgentRunner({ models: () => [choice], clock: { now: () => new Date() } });
    const { issue, repo } = anIssue();
    await expect(runner.run('triager', { issue, repo }, memoryContext().context)).rejects.toThrow('triager');
    const asked = server.requests.find(({ path }) => path === CHAT);
    expect(asked?.body.max_tokens).toBe(longest);
    const long = anIssue({ body: 'words '.repeat(window) });
    await expect(runner.run('triager', long, memoryContext().context)).rejects.toThrow(`room for ${window - longest}`);
  });
});
