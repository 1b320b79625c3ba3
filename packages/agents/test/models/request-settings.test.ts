import { expect, it } from 'vitest';
import { roomFor } from '../../src/loop/context-window.ts';
import type { ModelTable } from '../../src/providers/model-settings-file.ts';
import { ask, choiceAt, failure } from './ask.ts';
import { refuse, startVendor } from './vendor-server.ts';
import { wireFormats } from './wire-formats.ts';

/** The body and headers of one request to each provider's model with these settings. */
async function sentWith(settings: ModelTable[string], options: { name?: string; tools?: [] } = {}) {
  const requests = [];
  for (const format of wireFormats) {
    await using vendor = await startVendor((response) => format.whole(response, 'Done.'));
    const name = options.name ?? format.name;
    if (!name.startsWith(format.provider)) continue;
    await ask([choiceAt(vendor.url, name, { table: { [name]: settings } })], options);
    requests.push(...vendor.requests);
  }
  return requests;
}

it('sends reasoning effort as the parameter of each provider', async () => {
  const [anthropic, openai, compatible] = await sentWith({ reasoning_effort: 'high' });
  expect(anthropic?.body.thinking).toMatchObject({ type: 'enabled', budget_tokens: expect.any(Number) });
  expect(openai?.body.reasoning).toMatchObject({ effort: 'high' });
  expect(compatible?.body.reasoning_effort).toBe('high');
});

it("sends the budget of Anthropic's extended thinking", async () => {
  const [request] = await sentWith({ thinking_tokens: 4_000 }, { name: 'anthropic/claude-sonnet-4-5' });
  expect(request?.body.thinking).toEqual({ type: 'enabled', budget_tokens: 4_000 });
});

it('leaves room for the thinking budget beside the longest answer', async () => {
  const name = 'anthropic/claude-sonnet-4-5';
  const settings = { thinking_tokens: 30_000 };
  const [request] = await sentWith(settings, { name });
  expect(request?.body.max_tokens).toBe(62_000);
  const choice = choiceAt('http://127.0.0.1:9/v1', name, { table: { [name]: settings } });
  expect(roomFor(choice)).toBe((choice.contextTokens ?? 0) - 62_000);
  expect(roomFor({ ...choice, contextTokens: 40_000 })).toBe(0);
});

it('sends the temperature', async () => {
  const sent = await sentWith({ temperature: 0.2 });
  // gpt-5 reasons, and takes no temperature: the SDK leaves it out.
  expect(sent.map(({ body }) => body.temperature)).toEqual([0.2, undefined, 0.2]);
});

it('turns parallel calls off where tools are offered, and says nothing of them elsewhere', async () => {
  const [anthropic, openai, compatible] = await sentWith({ parallel_calls: false });
  expect(anthropic?.body.tool_choice).toMatchObject({ disable_parallel_tool_use: true });
  expect(openai?.body.parallel_tool_calls).toBe(false);
  expect(compatible?.body.parallel_tool_calls).toBe(false);
  for (const { body } of await sentWith({ parallel_calls: false }, { tools: [] }))
    expect(JSON.stringify(body)).not.toContain('parallel');
});

it('adds members to the body and headers, and keeps its own', async () => {
  const sent = await sentWith({
    extra_body: { chat_template_kwargs: { enable_thinking: false } },
    extra_headers: { 'X-Team': 'blue' },
  });
  expect(sent).toHaveLength(3);
  for (const { body, headers } of sent) {
    expect(body).toMatchObject({ chat_template_kwargs: { enable_thinking: false }, stream: true });
    expect(headers['x-team']).toBe('blue');
  }
});

it('keeps the values of extra headers and members out of a failure, but not its words', async () => {
  const message = 'Bad keys canary-of-the-header and canary-of-the-body: priority low is not on.';
  await using vendor = await startVendor((response) => refuse(response, 400, { body: { error: { message } } }));
  const name = 'compatible/qwen3';
  const extra_headers = { 'X-Gateway-Key': 'canary-of-the-header', 'X-Priority': 'low' };
  const extra_body = { auth: { key: 'canary-of-the-body' }, service_tier: 'on' };
  const refused = await failure(
    ask([choiceAt(vendor.url, name, { table: { [name]: { extra_headers, extra_body } } })]),
  );
  expect(refused.message).toContain('Bad keys [removed] and [removed]: priority low is not on.');
});

it.each([
  ['openai/gpt-5-mini', {}, 'patch'],
  ['openai/gpt-4.1', {}, 'patch'],
  ['compatible/openai/gpt-5', {}, 'patch'],
  ['openai/gpt-5', { edit_format: 'replace' }, 'replace'],
  ['anthropic/claude-haiku-4-5', {}, 'replace'],
  ['compatible/qwen3', { stages: { implement: { edit_format: 'patch' } } }, 'replace'],
] as const)('lets %s with %j edit by %s', (name, settings, format) => {
  expect(choiceAt('http://127.0.0.1:9/v1', name, { table: { [name]: settings } }).editFormat).toBe(format);
});
