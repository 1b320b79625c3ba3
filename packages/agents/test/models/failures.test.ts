import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, choiceAt, failure, KEYS, PROMPT } from './ask.ts';
import { refuse, startVendor, stream, type VendorServer } from './vendor-server.ts';
import { wireFormats } from './wire-formats.ts';

interface Refusal {
  readonly when: string;
  readonly status: number;
  readonly error: { readonly type?: string; readonly code?: string | null; readonly message: string };
  readonly headers?: Record<string, string>;
  readonly code: string;
  /** A part of the sentence that says what to do. */
  readonly says?: string;
  readonly retryAfterMs?: number;
}

/** The refusals in the vendors' words. What a vendor keeps in `code` and what in `type` differs, so both are sent. */
const refusals: readonly Refusal[] = [
  {
    when: 'the key is wrong',
    status: 401,
    error: { type: 'authentication_error', message: `Incorrect API key provided: ${KEYS.openai}.` },
    code: 'model_key_refused',
    says: '_API_KEY',
  },
  {
    when: 'the key may not use the model',
    status: 403,
    error: {
      type: 'permission_error',
      message: 'Your API key does not have permission to use the specified resource.',
    },
    code: 'model_key_refused',
  },
  {
    when: 'the quota is used up',
    status: 429,
    error: {
      type: 'insufficient_quota',
      code: 'insufficient_quota',
      message: 'You exceeded your current quota, please check your plan and billing details.',
    },
    code: 'model_quota_exhausted',
    says: 'Add some',
  },
  {
    when: 'the credit is used up',
    status: 400,
    error: { type: 'invalid_request_error', message: 'Your credit balance is too low to access the Anthropic API.' },
    code: 'model_quota_exhausted',
  },
  {
    when: 'a gateway wants to be paid',
    status: 402,
    error: { message: 'This request requires more credits.' },
    code: 'model_quota_exhausted',
  },
  {
    when: 'the model is unknown',
    status: 404,
    error: {
      type: 'not_found_error',
      code: 'model_not_found',
      message: 'model "qwen9" not found, try pulling it first',
    },
    code: 'model_not_found',
    says: 'spelling',
  },
  {
    when: 'the request is refused',
    status: 400,
    error: { type: 'invalid_request_error', message: 'temperature: Input should be less than 1' },
    code: 'model_request_refused',
    says: 'temperature: Input should be less than 1',
  },
  {
    when: 'the context is full, as Anthropic says it',
    status: 400,
    error: { type: 'invalid_request_error', message: 'prompt is too long: 209000 tokens > 200000 maximum' },
    code: 'model_context_full',
    says: 'context_tokens',
  },
  {
    when: 'the context is full, as OpenAI says it',
    status: 400,
    error: {
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
      message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
    },
    code: 'model_context_full',
  },
  {
    when: 'the context is full, as vLLM says it',
    status: 400,
    error: {
      type: 'BadRequestError',
      message: "This model's maximum context length is 32768 tokens. However, you requested 40000 tokens.",
    },
    code: 'model_context_full',
  },
  {
    when: 'the context is full, as llama.cpp says it',
    status: 500,
    error: { type: 'exceed_context_size_error', message: 'the request exceeds the available context size' },
    code: 'model_context_full',
  },
  {
    when: 'the context is full, as SGLang and Together say it',
    status: 400,
    error: {
      type: 'invalid_request_error',
      message: "The input (22218 tokens) is longer than the model's context length (20000 tokens).",
    },
    code: 'model_context_full',
  },
  {
    when: 'the context is full, as LM Studio says it',
    status: 400,
    error: {
      type: 'invalid_request_error',
      message:
        'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 22233 >= n_ctx: 20000).',
    },
    code: 'model_context_full',
  },
  {
    when: 'the context is full, as Moonshot says it',
    status: 400,
    error: {
      type: 'invalid_request_error',
      message: 'Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)',
    },
    code: 'model_context_full',
  },
  {
    when: 'the context is full, as Z.AI says it',
    status: 400,
    error: { type: 'invalid_request_error', message: 'Prompt too long' },
    code: 'model_context_full',
  },
  {
    when: 'the context is full, as Alibaba says it',
    status: 400,
    error: {
      type: 'invalid_request_error',
      message: '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 983616]',
    },
    code: 'model_context_full',
  },
  {
    when: 'the rate is limited, with seconds to wait',
    status: 429,
    error: { type: 'rate_limit_error', message: 'Rate limit reached. Add a payment method at /account/billing.' },
    headers: { 'retry-after': '7' },
    code: 'model_overloaded',
    retryAfterMs: 7_000,
  },
  {
    when: 'the rate is limited, with milliseconds to wait',
    status: 429,
    error: { type: 'rate_limit_error', message: 'Slow down.' },
    headers: { 'retry-after-ms': '250', 'retry-after': '1' },
    code: 'model_overloaded',
    retryAfterMs: 250,
  },
  {
    when: 'the rate is limited, with nothing said about waiting',
    status: 429,
    error: { type: 'rate_limit_error', message: 'Slow down.' },
    code: 'model_overloaded',
  },
  {
    when: 'the vendor is overloaded',
    status: 529,
    error: { type: 'overloaded_error', message: 'Overloaded' },
    code: 'model_overloaded',
  },
  {
    when: 'the vendor is broken, and talks of keys',
    status: 500,
    error: { type: 'api_error', message: 'Internal server error: invalid api key store' },
    code: 'model_unavailable',
  },
  {
    when: 'a proxy finds nobody behind it',
    status: 502,
    error: { message: 'Bad gateway' },
    code: 'model_unavailable',
  },
  {
    when: 'the content is filtered before an answer',
    status: 400,
    error: { type: 'invalid_request_error', message: 'Output blocked by content filtering policy. content_filter' },
    code: 'model_answer_withheld',
  },
];

describe.each(wireFormats)('$name fails', (format) => {
  it.each(refusals)('as $code when $when', async ({ status, error, headers = {}, code, says = '', retryAfterMs }) => {
    const body =
      format.provider === 'anthropic' ? { type: 'error', error: { type: 'api_error', ...error } } : { error };
    await using vendor = await startVendor((response) => refuse(response, status, { body, headers }));
    const thrown = await failure(ask([choiceAt(vendor.url, format.name)]));
    expect(thrown).toMatchObject({ code, message: expect.stringContaining(says) });
    expect(thrown.message).toMatch(new RegExp(`^${format.name}: `));
    expect(thrown.details.retryAfterMs).toBe(retryAfterMs);
    expect(vendor.requests).toHaveLength(1);
  });

  it('as model_overloaded when the error comes in the middle of an answer', async () => {
    await using vendor = await startVendor((response) => {
      format.begin(response, 'Half of it');
      format.fail(response, { type: 'overloaded_error', message: 'Overloaded' });
    });
    expect(await failure(ask([choiceAt(vendor.url, format.name)]))).toMatchObject({ code: 'model_overloaded' });
  });

  it('as model_quota_exhausted when the stream begins with it', async () => {
    await using vendor = await startVendor((response) =>
      format.fail(response, {
        type: format.provider === 'anthropic' ? 'billing_error' : 'insufficient_quota',
        message: 'You exceeded your current quota.',
      }),
    );
    expect(await failure(ask([choiceAt(vendor.url, format.name)]))).toMatchObject({ code: 'model_quota_exhausted' });
  });

  it.each(['ended', 'cut'] as const)('as model_unavailable when the answer is %s in the middle', async (how) => {
    await using vendor = await startVendor((response) => {
      format.begin(response, 'Half of it');
      if (how === 'ended') response.end();
      else setTimeout(() => response.destroy(), 30);
    });
    expect(await failure(ask([choiceAt(vendor.url, format.name)]))).toMatchObject({ code: 'model_unavailable' });
  });

  it('as model_answer_unreadable when it answers with a page', async () => {
    await using vendor = await startVendor((response) => response.end('<html>Welcome to the proxy</html>'));
    expect(await failure(ask([choiceAt(vendor.url, format.name)]))).toMatchObject({ code: 'model_answer_unreadable' });
  });

  it('as model_unavailable when it sends us elsewhere, where nothing is then sent', async () => {
    await using elsewhere = await startVendor((response) => format.whole(response, 'Thanks for the key.'));
    await using vendor = await startVendor((response, { path }) => {
      response.writeHead(307, { location: elsewhere.url.replace('/v1', path) }).end();
    });
    expect(await failure(ask([choiceAt(vendor.url, format.name)]))).toMatchObject({ code: 'model_unavailable' });
    expect(elsewhere.requests).toEqual([]);
  });

  it('as model_unavailable when the connection is refused', async () => {
    const thrown = await failure(ask([choiceAt('http://127.0.0.1:9/v1', format.name)]));
    expect(thrown).toMatchObject({ code: 'model_unavailable', message: expect.stringContaining('_BASE_URL') });
  });

  it('with all of a long wait that was asked for, and without asking before', async () => {
    for (const [status, code] of [
      [429, 'model_overloaded'],
      [503, 'model_unavailable'],
    ] as const) {
      await using vendor = await startVendor((response) =>
        refuse(response, status, {
          body: { error: { message: 'Come back later.' } },
          headers: { 'retry-after': '70' },
        }),
      );
      const thrown = await failure(ask([choiceAt(vendor.url, 'compatible/qwen3')], { maxRetries: 2 }));
      expect(thrown).toMatchObject({ code, details: { retryAfterMs: 70_000 } });
      expect(vendor.requests).toHaveLength(1);
    }
  });

  it('as model_timeout when no first word comes', async () => {
    await using vendor = await startVendor(() => {});
    const timeouts = { totalMs: 60_000, firstChunkMs: 60, chunkMs: 60_000 };
    const thrown = await failure(ask([choiceAt(vendor.url, format.name)], { timeouts }));
    expect(thrown).toMatchObject({ code: 'model_timeout', message: expect.stringContaining('begun to answer') });
  });

  it('as model_timeout when it falls silent', async () => {
    await using vendor = await startVendor((response) => format.begin(response, 'Half of it'));
    const timeouts = { totalMs: 60_000, firstChunkMs: 60_000, chunkMs: 60 };
    const thrown = await failure(ask([choiceAt(vendor.url, format.name)], { timeouts }));
    expect(thrown).toMatchObject({ code: 'model_timeout', message: expect.stringContaining('fell silent') });
  });

  it('as model_timeout when it talks without an end', async () => {
    let talking: NodeJS.Timeout | undefined;
    await using vendor = await startVendor((response) => {
      format.begin(response, 'Half of it');
      talking = setInterval(() => format.begin(response, ' and more'), 20);
    });
    const timeouts = { totalMs: 300, firstChunkMs: 60_000, chunkMs: 60_000 };
    const thrown = await failure(ask([choiceAt(vendor.url, format.name)], { timeouts }));
    clearInterval(talking);
    expect(thrown).toMatchObject({ code: 'model_timeout', message: expect.stringContaining('not finished') });
  });

  it('with a paid answer that says it was withheld', async () => {
    await using vendor = await startVendor((response) => format.endEarly(response, 'withheld'));
    const turn = await ask([choiceAt(vendor.url, format.name)]);
    expect(turn).toMatchObject({
      finishReason: 'content-filter',
      withheld: { code: 'model_answer_withheld', message: expect.stringContaining(format.name) },
      usage: { inputTokens: 1_000, outputTokens: 50 },
    });
  });

  it('with a paid half of an answer at the output cap', async () => {
    await using vendor = await startVendor((response) => format.endEarly(response, 'capped'));
    const turn = await ask([choiceAt(vendor.url, format.name)]);
    expect(turn).toMatchObject({ finishReason: 'length', withheld: null, said: 'Half', usage: { outputTokens: 50 } });
  });

  it('never with what it was sent, though it echoes all of that', async () => {
    await using vendor = await startVendor((response, { headers, body }) => {
      const message = `Refused: ${JSON.stringify(headers)} ${JSON.stringify(body)}`;
      const error = { type: 'invalid_request_error', message };
      refuse(response, 400, { body: { type: 'error', error } });
    });
    const thrown = await failure(ask([choiceAt(vendor.url, format.name)]));
    expect(thrown.code).toBe('model_request_refused');
    expect(thrown.message.length).toBeLessThan(500);
  });

  it('never with the credentials in its address', async () => {
    const url = 'http://gatekeeper:open-sesame-77@127.0.0.1:9/v1';
    const thrown = await failure(ask([choiceAt(url, format.name)]));
    expect(JSON.stringify(thrown) + thrown.message + String(thrown.cause)).not.toMatch(/gatekeeper|sesame/);
  });
});

describe('a provider that asks to wait', () => {
  let vendor: VendorServer;
  beforeEach(async () => {
    vendor = await startVendor((response, _request, count) => {
      const error = { type: 'rate_limit_error', message: 'Slow down.' };
      if (count <= 2) refuse(response, 429, { body: { error }, headers: { 'retry-after-ms': '20' } });
      else wireFormats[1]?.whole(response, 'At last.');
    });
  });
  afterEach(() => vendor[Symbol.asyncDispose]());

  it('is asked again after as long as it says, without a word to anybody', async () => {
    const turn = await ask([choiceAt(vendor.url, 'openai/gpt-5-mini')], { maxRetries: 2 });
    expect(turn).toMatchObject({ said: 'At last.', skipped: [] });
    expect(vendor.requests).toHaveLength(3);
  });

  it('has failed when it asks for more than it is given', async () => {
    const thrown = await failure(ask([choiceAt(vendor.url, 'openai/gpt-5-mini')], { maxRetries: 1 }));
    expect(thrown).toMatchObject({ code: 'model_overloaded', details: { retryAfterMs: 20 } });
    expect(vendor.requests).toHaveLength(2);
  });
});

it('waits for a model that only sends keep-alives', async () => {
  const [anthropic] = wireFormats;
  await using vendor = await startVendor((response) => {
    let pings = 0;
    anthropic?.begin(response, '');
    const pinging = setInterval(() => {
      pings += 1;
      if (pings < 40) return stream(response, [{ type: 'ping' }]);
      clearInterval(pinging);
      anthropic?.whole(response, 'Thought out.');
    }, 100);
  });
  // Less than it takes altogether, and far more than lies between two pings, on a busy machine too.
  const timeouts = { totalMs: 60_000, firstChunkMs: 3_000, chunkMs: 3_000 };
  const turn = await ask([choiceAt(vendor.url, 'anthropic/claude-haiku-4-5')], { timeouts });
  expect(turn.said).toBe('Thought out.');
});

it('leaves the prompt out of the failure that our own request is', async () => {
  const choice = choiceAt('http://127.0.0.1:9/v1', 'openai/gpt-5-mini');
  const messages = [
    { role: 'user' as const, content: PROMPT },
    {
      role: 'assistant' as const,
      content: [{ type: 'tool-call' as const, toolCallId: 'c1', toolName: 'read_file', input: { path: PROMPT } }],
    },
    { role: 'user' as const, content: 'And?' },
  ];
  expect(await failure(ask([choice], { messages }))).toMatchObject({ code: 'internal' });
});

it.each([200, 400])(
  'takes an error with status %i that is nested deeper than any stack for a refusal',
  async (status) => {
    const message = `${'['.repeat(40_000)}"odd"${']'.repeat(40_000)}`;
    await using vendor = await startVendor((response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(`{"error":{"type":"invalid_request_error","message":${message}}}`);
    });
    expect(await failure(ask([choiceAt(vendor.url, 'compatible/m')]))).toMatchObject({ code: 'model_request_refused' });
  },
);
