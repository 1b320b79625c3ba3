import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startWritten } from '../../src/models/written-characters.ts';
import { ask, choiceAt, failure } from './ask.ts';
import { startVendor, stream } from './vendor-server.ts';

function claudeBegins(usage: { readonly input_tokens: number; readonly output_tokens: number }) {
  return {
    type: 'message_start',
    message: { id: 'm', type: 'message', role: 'assistant', model: 'c', content: [], usage },
  };
}

const PRICE = { input: 1, output: 10 };

/** An answer of 1,000 tokens read, 5,000 thought and 50 said, as each provider counts it. */
const COUNTED: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'anthropic/claude-opus-4-7': (response) => {
    stream(response, [
      claudeBegins({ input_tokens: 1_000, output_tokens: 1 }),
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Yes.' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: 5_050, output_tokens_details: { thinking_tokens: 5_000 } },
      },
      { type: 'message_stop' },
    ]);
    response.end();
  },
  'openai/gpt-5': (response) => {
    const head = { id: 'r', object: 'response', created_at: 1, model: 'gpt-5', output: [] };
    const usage = {
      input_tokens: 1_000,
      output_tokens: 5_050,
      output_tokens_details: { reasoning_tokens: 5_000 },
      total_tokens: 6_050,
    };
    stream(response, [
      { type: 'response.created', response: { ...head, status: 'in_progress' } },
      { type: 'response.completed', response: { ...head, status: 'completed', usage } },
    ]);
    response.end();
  },
  'compatible/qwen3': chat({
    prompt_tokens: 1_000,
    completion_tokens: 5_050,
    completion_tokens_details: { reasoning_tokens: 5_000 },
    total_tokens: 6_050,
  }),
};

function chat(usage: Record<string, unknown>) {
  return (response: ServerResponse) => {
    const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
    stream(response, [
      { ...chunk, choices: [{ index: 0, delta: { role: 'assistant', content: 'Yes.' } }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage },
    ]);
    response.end('data: [DONE]\n\n');
  };
}

async function countedAt(name: string, answer: (response: ServerResponse) => void, address?: string) {
  await using vendor = await startVendor(answer);
  const home = fetch;
  try {
    if (address !== undefined)
      globalThis.fetch = (input, init) => home(String(input).replace(address, vendor.url), init);
    const choice = choiceAt(address ?? vendor.url, name, { stage: 'plan', table: { [name]: { price: PRICE } } });
    const { usage } = await ask([choice]);
    return { ...usage.outputTokenDetails, outputTokens: usage.outputTokens, cost: choice.costUsd(usage) };
  } finally {
    globalThis.fetch = home;
  }
}

const ALL = { outputTokens: 5_050, reasoningTokens: 5_000, textTokens: 50, cost: (1_000 * 1 + 5_050 * 10) / 1_000_000 };

describe('thoughts', () => {
  it.each(Object.entries(COUNTED))('of %s are output, at its price', async (name, answer) => {
    expect(await countedAt(name, answer)).toEqual(ALL);
  });

  it('that a server counts beside the completion are output as well', async () => {
    const beside = { prompt_tokens: 1_000, completion_tokens: 50, total_tokens: 6_050 };
    const apart = { ...beside, completion_tokens_details: { reasoning_tokens: 5_000 } };
    expect(await countedAt('compatible/grok-4', chat(apart), 'https://api.x.ai/v1')).toEqual(ALL);
    expect(await countedAt('compatible/gemini-3-pro', chat(apart))).toEqual(ALL);
    const google = 'https://generativelanguage.googleapis.com/v1beta/openai';
    expect(await countedAt('compatible/gemini-3.8-flash', chat(beside), google)).toEqual(ALL);
  });

  it('are not seen in a total that is larger for another reason', async () => {
    const total = { prompt_tokens: 1_000, completion_tokens: 50, total_tokens: 6_050 };
    expect(await countedAt('compatible/x', chat(total))).toMatchObject({ outputTokens: 50 });
    const other = { ...total, completion_tokens_details: { reasoning_tokens: 20 } };
    expect(await countedAt('compatible/x', chat(other))).toMatchObject({ outputTokens: 50, reasoningTokens: 20 });
    const odd = { ...total, total_tokens: 3, completion_tokens_details: { reasoning_tokens: 20 } };
    expect(await countedAt('compatible/x', chat(odd))).toMatchObject({ outputTokens: 50 });
  });
});

const THOUGHT_MS = 100; // a model that thinks takes its time

/** The characters that are billed of an answer that broke off while the model thought. */
async function cutCharacters(name: string, begin: (response: ServerResponse) => void): Promise<number[]> {
  await using vendor = await startVendor((response) => {
    begin(response);
    setTimeout(() => response.destroy(), THOUGHT_MS);
  });
  const cuts: number[] = [];
  await failure(ask([choiceAt(vendor.url, name, { stage: 'plan' })], { onCut: (characters) => cuts.push(characters) }));
  return cuts;
}

function claudeThinks(...said: readonly Record<string, unknown>[]) {
  return (response: ServerResponse) =>
    stream(response, [
      claudeBegins({ input_tokens: 9, output_tokens: 1 }),
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      ...said,
    ]);
}

describe('an answer that breaks off', () => {
  it.each([
    ['anthropic/claude-opus-4-7', claudeThinks()],
    [
      'openai/gpt-5',
      (response: ServerResponse) =>
        stream(response, [
          { type: 'response.created', response: { id: 'r', created_at: 1, model: 'gpt-5', output: [] } },
          {
            type: 'response.output_item.added',
            output_index: 0,
            item: { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: '' },
          },
        ]),
    ],
  ])('counts thoughts of %s that are not sent, by their time', async (name, begin) => {
    const [characters = 0] = await cutCharacters(name, begin);
    expect(characters).toBeGreaterThan(0);
  });

  it('counts 250 characters for each second of thoughts, and none for the rest of its time', () => {
    let ms = 0;
    const thinking = { words: '', isOn: true, isHidden: true };
    const written = startWritten({ thinking }, () => ms);
    const arrive = (type: string, more: Record<string, unknown> = {}) =>
      written.partArrived({ type, id: '1', ...more } as Parameters<typeof written.partArrived>[0]);
    arrive('reasoning-start');
    ms = 3_000;
    arrive('reasoning-delta', { text: 'In short: yes.' });
    ms = 4_000;
    arrive('reasoning-end');
    ms = 9_000;
    arrive('text-delta', { text: 'Yes.' });
    arrive('reasoning-start');
    ms = 10_000;
    expect(written.characters()).toBe(4 + 5 * 250);
  });

  it('counts a summary of thoughts where that is longer', async () => {
    const thinking = 'x'.repeat(50_000);
    const delta = { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking } };
    expect(await cutCharacters('anthropic/claude-opus-4-7', claudeThinks(delta))).toEqual([50_000]);
  });

  it('counts thoughts that are sent by what came of them', async () => {
    const sent = await cutCharacters('compatible/qwen3', (response) =>
      stream(response, [
        { id: 'c', choices: [{ index: 0, delta: { role: 'assistant', reasoning_content: 'Let me see.' } }] },
      ]),
    );
    expect(sent).toEqual([11]);
  });

  it('is not billed before anything came', async () => {
    expect(await cutCharacters('openai/gpt-5', (response) => stream(response, []))).toEqual([]);
  });
});
