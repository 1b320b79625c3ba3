import { expect, it } from 'vitest';
import { ask, choiceAt, failure, PROMPT } from './ask.ts';
import { startVendor, stream } from './vendor-server.ts';

/** Words that a model may well write: they do not describe the state of the server. */
const SAID = `rate_limit, insufficient_quota, context_length_exceeded, content_filter: ${PROMPT}`;

const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
const input = { path: SAID };

async function failureAfter(chunks: readonly Record<string, unknown>[], raw = '') {
  await using vendor = await startVendor((response) => {
    stream(response, chunks);
    response.end(raw);
  });
  return await failure(ask([choiceAt(vendor.url, 'compatible/m')]));
}

it.each([
  [
    'the input of a call as an object',
    [
      {
        ...head,
        choices: [{ delta: { tool_calls: [{ id: 'a', function: { name: 'read_file', arguments: input } }] } }],
      },
    ],
    '',
  ],
  ['words that are none', [{ ...head, choices: [{ delta: { content: { text: SAID } } }] }], ''],
  ['half a chunk', [], `data: {"choices": [{"delta": {"content": "${SAID}\n\n`],
])('takes %s for an answer that cannot be read, whatever it says', async (_what, chunks, raw) => {
  const thrown = await failureAfter(chunks, raw);
  expect(thrown).toMatchObject({ code: 'model_unavailable', message: expect.stringContaining('cannot be read') });
  expect(thrown.message).not.toContain('context_length');
});

it.each([
  ['in words alone', { error: 'the request exceeds the available context size' }],
  ['in a form of its own', { error: { reason: 'full', message: ['the request exceeds the available context size'] } }],
])('hears a server that says %s what went wrong', async (_how, chunk) => {
  expect(await failureAfter([chunk])).toMatchObject({ code: 'model_context_full' });
});
