import { type FixtureFileResponse, LLMock } from '@copilotkit/aimock';
import type { ModelMessage } from 'ai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { structuredAnswer } from '../../src/roles/answer.ts';
import { ask, choiceAt } from './ask.ts';
import { startVendor } from './vendor-server.ts';
import { wireFormats } from './wire-formats.ts';

const USAGE = { prompt_tokens: 120, completion_tokens: 7, total_tokens: 127 };

let server: LLMock;
beforeEach(async () => {
  server = new LLMock({ port: 0 });
  await server.start();
});
afterEach(() => server.stop());

function answering(response: FixtureFileResponse): string {
  server.on({}, response);
  return `${server.url}/v1`;
}

describe.each(wireFormats.map(({ name }) => name))('%s', (name) => {
  it('calls a tool with text before it, and its usage is counted', async () => {
    const call = { id: 'call_1', name: 'read_file', arguments: '{"path":"a.js"}' };
    const url = answering({ content: 'I look.', toolCalls: [call], usage: USAGE });
    const turn = await ask([choiceAt(url, name)]);
    expect(turn).toMatchObject({ said: 'I look.', finishReason: 'tool-calls', withheld: null });
    expect(turn.usage).toMatchObject({ inputTokens: 120, outputTokens: 7 });
    const content = expect.arrayContaining([
      expect.objectContaining({ type: 'text', text: 'I look.' }),
      expect.objectContaining({ type: 'tool-call', toolCallId: 'call_1', input: { path: 'a.js' } }),
    ]);
    expect(turn.messages).toMatchObject([{ role: 'assistant', content }]);
  });

  it.each([
    ['input that is no object', { id: 'call_1', name: 'read_file', arguments: '[1, 2]' }],
    ['a tool that there is not', { id: 'call_1', name: 'run_everything', arguments: '{}' }],
  ])('learns of %s, and can be sent that conversation', async (_what, call) => {
    const url = answering({ toolCalls: [call], usage: USAGE });
    const choice = choiceAt(url, name);
    const { messages } = await ask([choice]);
    expect(messages).toMatchObject([
      { role: 'assistant' },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'call_1', output: { type: 'error-text' } }] },
    ]);
    server.clearFixtures();
    answering({ content: 'I see.' });
    const again = JSON.parse(JSON.stringify([{ role: 'user', content: 'Go.' }, ...messages])) as ModelMessage[];
    expect(await ask([choice], { messages: again })).toMatchObject({ said: 'I see.' });
  });

  it('may answer nothing', async () => {
    const turn = await ask([choiceAt(answering({ content: '' }), name)]);
    expect(turn).toMatchObject({ finishReason: 'stop', said: '' });
  });
});

it.each(wireFormats)('asks $name for an answer of a shape', async (format) => {
  await using vendor = await startVendor((response) => format.whole(response, '{"summary":"Good."}'));
  const answer = structuredAnswer({ name: 'review', schema: z.object({ summary: z.string() }) });
  expect(await ask([choiceAt(vendor.url, format.name)], { answer, tools: [] })).toMatchObject({
    said: '{"summary":"Good."}',
  });
  const { output_config, text, response_format } = vendor.requests[0]?.body ?? {};
  expect(JSON.stringify({ output_config, text, response_format })).toContain('"type":"json_schema"');
});

it('lets a compatible server choose between tools and an answer of a shape', async () => {
  const compatible = wireFormats[2];
  await using vendor = await startVendor((response) => compatible?.whole(response, '{"summary":"Good."}'));
  const choice = choiceAt(vendor.url, 'compatible/qwen3');
  const answer = structuredAnswer({ name: 'plan', schema: z.object({ summary: z.string() }) });
  await ask([choice], { answer });
  await ask([choice], { answer, tools: [] });
  expect(vendor.requests[0]?.body).not.toHaveProperty('response_format.json_schema');
  expect(vendor.requests[1]?.body).toMatchObject({ response_format: { type: 'json_schema' } });
});
