import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import { ask, choiceAt, failure, KEYS, PROMPT } from './ask.ts';
import { refuse, startVendor, stream } from './vendor-server.ts';
import { type WireFormat, wireFormats } from './wire-formats.ts';

const [, openai, compatible] = wireFormats as [WireFormat, WireFormat, WireFormat];

/** Words that a model may well write: they do not describe the state of the server. */
const SAID = `rate_limit, insufficient_quota, context_length_exceeded, content_filter: ${PROMPT}`;

const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };

/** A server that sends these bytes with status 200, each time. */
function serving(body: string, contentType = 'application/json') {
  return startVendor((response, { path }) => {
    if (path.endsWith('/models')) return refuse(response, 404, { body: {} });
    response.writeHead(200, { 'content-type': contentType }).end(body);
  });
}

async function failureAfter(chunks: readonly Record<string, unknown>[], raw = '') {
  await using vendor = await startVendor((response) => {
    stream(response, chunks);
    response.end(raw);
  });
  const thrown = await failure(ask([choiceAt(vendor.url, 'compatible/m')]));
  return { thrown, requests: vendor.requests.length };
}

it.each([
  ['words that are none', [{ ...head, choices: [{ delta: { content: { text: SAID } } }] }], ''],
  ['half a chunk', [], `data: {"choices": [{"delta": {"content": "${SAID}\n\n`],
  ['a call without a name', [{ ...head, choices: [{ delta: { tool_calls: [{ index: 0, id: SAID }] } }] }], ''],
  ['a chunk that reaches for a prototype', [], 'data: {"__proto__": {"x": 1}, "choices": []}\n\n'],
])('takes %s for an answer that cannot be read, whatever it says, and asks once more', async (...[, chunks, raw]) => {
  const { thrown, requests } = await failureAfter(chunks, raw);
  expect(thrown).toMatchObject({ code: 'model_answer_unreadable', message: expect.stringContaining('cannot be read') });
  expect(thrown.message).toMatch(/What came begins: .{1,80}$/);
  expect(requests).toBe(2);
});

it.each([
  ['in words alone', { error: 'the request exceeds the available context size' }],
  ['in a form of its own', { error: { reason: 'full', message: ['the request exceeds the available context size'] } }],
  ['in a list', [{ error: { code: 400, message: 'input token count 9 exceeds 8' } }]],
])('hears a server that says %s what went wrong', async (_how, chunk) => {
  const { thrown } = await failureAfter([chunk as Record<string, unknown>]);
  expect(thrown).toMatchObject({ code: 'model_context_full' });
});

it('leaves an answer alone that was not asked for as a stream', async () => {
  const message = { role: 'assistant', content: 'A "stream": true.' };
  await using vendor = await serving(JSON.stringify({ ...head, choices: [{ message, finish_reason: 'stop' }] }));
  const { text } = await generateText({ model: choiceAt(vendor.url, 'compatible/m').model, prompt: '"stream": true' });
  expect(text).toBe(message.content);
});

describe('an answer that is no stream', () => {
  const page = `<!doctype html>\n<html><head><title>Sign in\u202e</title></head>${KEYS.compatible}</html>`;

  it.each([
    ['a page', page, 'text/html; charset=utf-8', '<!doctype html> <html><head><title>Sign in[U+202E]</title>'],
    ['a page that says it is a stream', page, 'text/event-stream', '<!doctype html>'],
    ['JSON of another API', '{"response":"Hi."}', 'application/json', '{"response":"Hi."}'],
    ['lines of JSON', '{"message":{"content":"a"}}\n{"done":true}\n', 'application/x-ndjson', '{"message"'],
    ['text', 'default backend - 404', 'text/plain', 'default backend - 404'],
    [
      'a key',
      `key ${KEYS.compatible} sk-ant-${'a'.repeat(30)} is set`,
      'text/plain',
      'key [removed] [a model provider key] is set',
    ],
    ['an echo of the request', `You sent: ${PROMPT}`, 'text/plain', 'You sent'],
  ])('and is %s ends clearly after two requests', async (...[, body, type, start]) => {
    await using vendor = await serving(body, type);
    const thrown = await failure(ask([choiceAt(vendor.url, 'compatible/m')], { maxRetries: 2 }));
    expect(thrown).toMatchObject({ code: 'model_answer_unreadable', retry: false });
    const [, shown = ''] = /begins: (.*)$/s.exec(thrown.message) ?? [];
    expect(thrown.message).toContain('Expected was a stream of chat completions (server-sent events), or one in JSON.');
    expect(thrown.message).toContain(`What came as ${type} begins: ${start.slice(0, 40)}`);
    expect(shown.length).toBeLessThanOrEqual(80);
    expect(vendor.requests).toHaveLength(2);
  });

  it.each(wireFormats)('ends clearly at the address of $name too', async (format) => {
    await using vendor = await serving(page, 'text/html');
    const thrown = await failure(ask([choiceAt(vendor.url, format.name)], { maxRetries: 2 }));
    expect(thrown).toMatchObject({ code: 'model_answer_unreadable', message: expect.stringContaining('_BASE_URL') });
    expect(vendor.requests).toHaveLength(2);
  });

  it('is answered where it was a page once', async () => {
    await using vendor = await startVendor((response, _request, count) =>
      count === 1 ? response.end(page) : compatible.whole(response, 'Here.'),
    );
    expect(await ask([choiceAt(vendor.url, 'compatible/m')])).toMatchObject({ said: 'Here.', skipped: [] });
  });

  it('goes on to the next model of the list', async () => {
    await using vendor = await serving(page, 'text/html');
    await using second = await startVendor((response) => openai.whole(response, 'Here.'));
    const turn = await ask([choiceAt(vendor.url, 'compatible/m'), choiceAt(second.url, openai.name)]);
    expect(turn).toMatchObject({ said: 'Here.', skipped: [{ name: 'compatible/m' }] });
    expect(vendor.requests).toHaveLength(2);
  });

  it('is read no further than any answer goes', async () => {
    let sent = 0;
    await using vendor = await startVendor((response) => {
      const more = () => {
        while (!response.destroyed && response.write('<'.repeat(100_000))) sent += 100_000;
      };
      response.on('drain', more);
      more();
    });
    expect(await failure(ask([choiceAt(vendor.url, 'compatible/m')]))).toMatchObject({
      code: 'model_answer_unreadable',
    });
    expect(sent).toBeLessThan(100_000_000);
  });
});

describe('an answer whose meaning is certain is taken:', () => {
  const call = (input: unknown, more: object = {}) => ({
    id: 'call_1',
    type: 'function',
    function: { name: 'read_file', arguments: input },
    ...more,
  });
  const usage = { prompt_tokens: 100, completion_tokens: 9, total_tokens: 109 };
  const whole = (message: object, finish_reason: string | null = 'tool_calls') => ({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
    usage,
  });
  const asEvent = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
  const piece = (delta: object, finish_reason: string | null = null) =>
    asEvent({ ...head, choices: [{ index: 0, delta, finish_reason }] });

  it.each([
    [
      'a whole completion',
      JSON.stringify(whole({ content: null, tool_calls: [call('{"path":"a.js"}')] })),
      'application/json',
    ],
    [
      'one that is called a stream',
      JSON.stringify(whole({ content: null, tool_calls: [call({ path: 'a.js' })] })),
      'text/event-stream',
    ],
    [
      'one that says that there is no error',
      JSON.stringify({ ...whole({ content: null, tool_calls: [call('{"path":"a.js"}')] }), error: null }),
      'application/json',
    ],
    [
      'a stream that says so in each piece',
      `${asEvent({ ...head, error: null, choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call('{"path":"a.js"}') }] } }] })}${piece({}, 'tool_calls')}`,
      'text/event-stream',
    ],
    [
      'one without a reason for its end',
      `\n \ufeff${JSON.stringify(whole({ tool_calls: [call({ path: 'a.js' })] }, null))}`,
      '',
    ],
    ['one as an event', asEvent(whole({ content: '', tool_calls: [call({ path: 'a.js' })] })), 'text/event-stream'],
    [
      'arguments as an object',
      `${piece({ tool_calls: [{ index: 0, ...call({ path: 'a.js' }) }] })}${piece({}, 'tool_calls')}data: [DONE]\n\n`,
      'text/event-stream',
    ],
    [
      'a stream under another name',
      `: hello\n\n${piece({ tool_calls: [{ index: 0, ...call('{"path":"a.js"}') }] })}${piece({}, 'tool_calls')}`,
      'application/json',
    ],
    [
      'a signature after its call',
      `${piece({ tool_calls: [{ index: 0, ...call({ path: 'a.js' }) }] })}${piece({ tool_calls: [{ index: 0, extra_content: { g: { thought_signature: 's' } } }] })}${piece({}, 'tool_calls')}`,
      'text/event-stream',
    ],
  ])('%s', async (...[, body, type]) => {
    await using vendor = await serving(body, type);
    const turn = await ask([choiceAt(vendor.url, 'compatible/m')]);
    expect(vendor.requests).toHaveLength(1);
    expect(turn.finishReason).toBe('tool-calls');
    expect(turn.messages).toMatchObject([
      { content: [{ type: 'tool-call', toolCallId: 'call_1', input: { path: 'a.js' } }] },
    ]);
  });

  it('a whole one with words, thoughts and usage', async () => {
    await using vendor = await serving(JSON.stringify(whole({ content: 'Yes.', reasoning: 'Hm.' }, 'stop')));
    const turn = await ask([choiceAt(vendor.url, 'compatible/m')]);
    expect(turn).toMatchObject({ said: 'Yes.', usage: { inputTokens: 100, outputTokens: 9 } });
    expect(turn.messages).toMatchObject([{ providerOptions: { sluice: { thoughts: ['reasoning'] } } }]);
  });

  it('no arguments as an empty list', async () => {
    await using vendor = await serving(JSON.stringify(whole({ tool_calls: [call([])] })));
    const { messages } = await ask([choiceAt(vendor.url, 'compatible/m')]);
    expect(JSON.stringify(messages)).toContain('"input":{}');
  });

  it('words that look like it are left as they are, in pieces of any size', async () => {
    const words = 'They wrote {"arguments": {"a": 1}, "message": {}}\nand data: [{"error": 1}] \u00e9\ud83d\ude00';
    const bytes = Buffer.from(`${piece({ content: words })}${piece({}, 'stop')}data: [DONE]\n\n`);
    for (const size of [1, 7, 1_000]) {
      await using vendor = await startVendor((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size));
        response.end();
      });
      expect((await ask([choiceAt(vendor.url, 'compatible/m')])).said).toBe(words);
    }
  });
});

describe('a failure with status 200', () => {
  it.each([
    ['an object', { error: { message: 'The upstream is asleep.', type: 'server_error' } }, 'model_unavailable'],
    [
      'a list',
      [{ error: { code: 429, message: 'Quota of requests is used up.', status: 'RESOURCE_EXHAUSTED' } }],
      'model_overloaded',
    ],
    ['words', { error: 'model "q" not found, try pulling it first' }, 'model_not_found'],
    [
      'an invalid request',
      { error: { message: 'tool_choice is odd', type: 'invalid_request_error' } },
      'model_request_refused',
    ],
  ])('as %s reaches people in its own words', async (...[, body, code]) => {
    for (const format of wireFormats) {
      await using vendor = await serving(JSON.stringify(body));
      const thrown = await failure(ask([choiceAt(vendor.url, format.name)]));
      const [first] = [body].flat() as { error: string | { message: string } }[];
      const said = typeof first?.error === 'string' ? first.error : first?.error.message;
      expect(thrown).toMatchObject({ code, message: expect.stringContaining(`It said: ${said}`) });
    }
  });
});

it.each([
  [
    'a list, as Google does',
    [{ error: { code: 400, message: 'Please use a valid role.', status: 'INVALID_ARGUMENT' } }],
    'Please use a valid role.',
  ],
  ['a member of its own, as FastAPI does', { detail: [{ loc: ['body'], msg: 'Field is odd' }] }, 'Field is odd'],
  ['no wrapper, as Cerebras does', { message: 'messages.1 is odd', code: 'wrong_api_format' }, 'messages.1 is odd'],
  ['one word', { error: 'odd' }, 'odd'],
  ['plain text', 'the role is odd', 'It said: the role is odd'],
])('tells people what a server refuses where it says so in %s', async (...[, body, said]) => {
  for (const format of wireFormats) {
    await using vendor = await startVendor((response) =>
      typeof body === 'string' ? response.writeHead(400).end(body) : refuse(response, 400, { body }),
    );
    const thrown = await failure(ask([choiceAt(vendor.url, format.name)]));
    expect(thrown).toMatchObject({ code: 'model_request_refused', message: expect.stringContaining(said) });
  }
});
