import type { ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { ask, choiceAt, KEYS, PROMPT } from './ask.ts';
import { startVendor } from './vendor-server.ts';
import { wireFormats } from './wire-formats.ts';

/** By hand: (tokens × USD per million) of the public lists. */
const COSTS = {
  anthropic: (300 * 1 + 600 * 0.1 + 100 * 1.25 + 50 * 5) / 1_000_000,
  openai: (400 * 0.25 + 600 * 0.025 + 50 * 2) / 1_000_000,
  compatible: null,
};

describe.each(wireFormats)('$name over the wire', (format) => {
  it('says its words as they come, with usage, cache and cost to the token', async () => {
    await using vendor = await startVendor((response) => format.whole(response, 'All is well.'));
    const choice = choiceAt(vendor.url, format.name);
    const turn = await ask([choice]);
    expect(turn).toMatchObject({ said: 'All is well.', finishReason: 'stop', withheld: null, skipped: [], choice });
    expect(turn.usage).toMatchObject({
      inputTokens: 1_000,
      outputTokens: 50,
      inputTokenDetails: { cacheReadTokens: 600 },
    });
    expect(choice.costUsd(turn.usage)).toBe(COSTS[format.provider] && Number(COSTS[format.provider]?.toFixed(12)));
  });

  it('is sent its own key, its name as the provider knows it, and nothing that the provider keeps', async () => {
    await using vendor = await startVendor((response) => format.whole(response, 'Yes.'));
    const choice = choiceAt(vendor.url, format.name);
    await ask([choice]);
    const [request] = vendor.requests;
    const headers = JSON.stringify(request?.headers);
    for (const [provider, key] of Object.entries(KEYS))
      expect(headers.includes(key)).toBe(provider === format.provider);
    expect(request?.body).toMatchObject({ model: format.name.slice(format.name.indexOf('/') + 1), stream: true });
    expect(JSON.stringify(request?.body)).toContain(PROMPT);
    if (format.provider === 'openai') expect(request?.body).toMatchObject({ store: false, max_output_tokens: 16_384 });
    if (format.provider === 'anthropic') expect(request?.body).toMatchObject({ max_tokens: 32_000 });
    if (format.provider === 'compatible') expect(request?.body).not.toHaveProperty('max_tokens');
  });

  it('costs what the operator says, where there is a word of theirs', async () => {
    await using vendor = await startVendor((response) => format.whole(response, 'Yes.'));
    const price = { input: 10, output: 100, cache_read: 1 };
    const prices = { [format.name]: { price, context_tokens: 64_000, max_output_tokens: 4_000 } };
    const choice = choiceAt(vendor.url, format.name, { table: prices });
    const { usage } = await ask([choice]);
    expect(choice).toMatchObject({ contextTokens: 64_000, maxOutputTokens: 4_000 });
    // A price of cache writes that is missing is the price of input.
    expect(choice.costUsd(usage)).toBe((400 * 10 + 600 * 1 + 50 * 100) / 1_000_000);
  });
});

it('marks instructions, request and last message for the cache of Anthropic, and for no other', async () => {
  for (const format of wireFormats) {
    await using vendor = await startVendor((response) => format.whole(response, 'Yes.'));
    await ask([choiceAt(vendor.url, format.name)], {
      messages: [
        { role: 'user', content: 'first' },
        { role: 'assistant', content: 'second' },
        { role: 'user', content: 'third' },
      ],
    });
    const { system, messages, ...rest } = vendor.requests[0]?.body ?? {};
    if (format.provider === 'anthropic') {
      expect(system).toEqual([{ type: 'text', text: 'Be short.', cache_control: { type: 'ephemeral' } }]);
      expect(JSON.stringify(messages).match(/cache_control/g)).toHaveLength(2);
      const marked = (text: string) => ({ content: [{ text, cache_control: { type: 'ephemeral' } }] });
      expect(messages).toMatchObject([marked('first'), {}, marked('third')]);
    } else expect(JSON.stringify([system, messages, rest])).not.toContain('cache_control');
  }
});

it('sends all requests of an issue to the same cache of OpenAI', async () => {
  for (const format of wireFormats) {
    await using vendor = await startVendor((response) => format.whole(response, 'Yes.'));
    await ask([choiceAt(vendor.url, format.name)], { cacheKey: 'issue 7' });
    const isKeyed = vendor.requests[0]?.body.prompt_cache_key === 'issue 7';
    expect(isKeyed, format.name).toBe(format.provider === 'openai');
    if (!isKeyed) expect(JSON.stringify(vendor.requests[0]?.body)).not.toContain('issue 7');
  }
});

it('marks again what ended the request before, however many calls the answer made', async () => {
  const marked = (messages: readonly ModelMessage[]) =>
    (choiceAt('http://127.0.0.1:1/v1', 'anthropic/claude-haiku-4-5').withCacheMarks?.(messages) ?? []).flatMap(
      (message, at) => (message.providerOptions?.anthropic === undefined ? [] : [at]),
    );
  const messages: ModelMessage[] = [
    { role: 'system', content: 'Be short.' },
    { role: 'user', content: 'first' },
  ];
  let before: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const marks = marked(messages);
    expect(marks).toContain(0);
    expect(marks).toContain(messages.length - 1);
    if (before.length > 0) expect(marks).toContain(before.at(-1));
    expect(marks.length).toBeLessThanOrEqual(4);
    before = marks;
    const ids = Array.from({ length: 30 }, (_, index) => `${turn}-${index}`);
    const call = { type: 'tool-call', toolName: 'read_file', input: {} } as const;
    messages.push({ role: 'assistant', content: ids.map((toolCallId) => ({ ...call, toolCallId })) });
    for (const toolCallId of ids) {
      const output = { type: 'text', value: 'text' } as const;
      messages.push({ role: 'tool', content: [{ type: 'tool-result', toolName: 'read_file', toolCallId, output }] });
    }
  }
});

it('has no cost when a server reports no usage', async () => {
  const choice = choiceAt('http://127.0.0.1:1/v1', 'openai/gpt-5-mini');
  const none = { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined };
  const inputTokenDetails = { noCacheTokens: undefined, cacheReadTokens: undefined, cacheWriteTokens: undefined };
  const outputTokenDetails = { textTokens: undefined, reasoningTokens: undefined };
  expect(choice.costUsd({ ...none, inputTokenDetails, outputTokenDetails })).toBeNull();
});
