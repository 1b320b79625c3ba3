import type { ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import type { ModelChoice } from '../../src/models/model-choice.ts';
import { createModelCooldown } from '../../src/models/model-fallback.ts';
import { ask, choiceAt, failure } from './ask.ts';
import { refuse, startVendor, stream } from './vendor-server.ts';
import { type WireFormat, wireFormats } from './wire-formats.ts';

const [anthropic, openai, compatible] = wireFormats as [WireFormat, WireFormat, WireFormat];
const OVERLOADED = { body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } };

function stillClock() {
  let now = Date.UTC(2026, 0, 1);
  return {
    cooldown: createModelCooldown({ now: () => new Date(now) }),
    pass(ms: number) {
      now += ms;
    },
  };
}

describe('a fallback model', () => {
  it('answers when the first is unavailable, and alone for the next five minutes', async () => {
    const { cooldown, pass } = stillClock();
    await using first = await startVendor((response) => refuse(response, 529, OVERLOADED));
    await using second = await startVendor((response) => openai.whole(response, 'I am here.'));
    const choices = [choiceAt(first.url, anthropic.name), choiceAt(second.url, openai.name)];
    const turn = await ask(choices, { cooldown });
    expect(turn).toMatchObject({ said: 'I am here.', choice: { name: openai.name } });
    expect(turn.skipped).toEqual([{ name: anthropic.name, reason: expect.stringContaining('overloaded') }]);

    pass(299_999);
    expect(await ask(choices, { cooldown })).toMatchObject({ choice: { name: openai.name }, skipped: [] });
    expect(first.requests).toHaveLength(1);

    pass(1);
    await ask(choices, { cooldown });
    expect(first.requests).toHaveLength(2);
  });

  it('is asked despite its cooldown when no other is left', async () => {
    const { cooldown } = stillClock();
    await using vendor = await startVendor((response, _request, count) =>
      count === 1 ? refuse(response, 529, OVERLOADED) : anthropic.whole(response, 'Back.'),
    );
    const choices = [choiceAt(vendor.url, anthropic.name)];
    expect(await failure(ask(choices, { cooldown }))).toMatchObject({ code: 'model_overloaded' });
    expect(await ask(choices, { cooldown })).toMatchObject({ said: 'Back.' });
  });

  it('is named with all others when none can answer, and the first that may recover decides the code', async () => {
    await using first = await startVendor((response) =>
      refuse(response, 401, { body: { type: 'error', error: { type: 'authentication_error', message: 'No.' } } }),
    );
    await using second = await startVendor((response) =>
      refuse(response, 429, { body: { error: { message: 'Slow down.' } }, headers: { 'retry-after': '9' } }),
    );
    const thrown = await failure(ask([choiceAt(first.url, anthropic.name), choiceAt(second.url, openai.name)]));
    expect(thrown).toMatchObject({ code: 'model_overloaded', details: { retryAfterMs: 9_000 } });
    expect(thrown.message).toContain('Set ANTHROPIC_API_KEY');
    expect(thrown.message).toContain('openai/gpt-5-mini: OpenAI is overloaded');
  });

  it.each([
    ['model_request_refused', 'max_tokens: must be positive'],
    ['model_context_full', 'prompt is too long: 9 > 8'],
  ])('is not asked after a %s', async (code, message) => {
    await using first = await startVendor((response) =>
      refuse(response, 400, { body: { type: 'error', error: { type: 'invalid_request_error', message } } }),
    );
    await using second = await startVendor((response) => openai.whole(response, 'No.'));
    const choices = [choiceAt(first.url, anthropic.name), choiceAt(second.url, openai.name)];
    expect(await failure(ask(choices))).toMatchObject({ code });
    expect(second.requests).toEqual([]);
  });

  it('is skipped when the conversation does not fit into its window', async () => {
    const full = { type: 'invalid_request_error', message: 'maximum context length is 8192 tokens' };
    await using first = await startVendor((response) => refuse(response, 529, OVERLOADED));
    await using second = await startVendor((response) => refuse(response, 400, { body: { error: full } }));
    await using third = await startVendor((response) => compatible.whole(response, 'It fits.'));
    const choices = [choiceAt(first.url, anthropic.name), choiceAt(second.url, openai.name)];
    const { cooldown } = stillClock();
    expect(await failure(ask(choices, { cooldown }))).toMatchObject({ code: 'model_overloaded' });
    const turn = await ask([...choices, choiceAt(third.url, compatible.name)], { cooldown });
    expect(turn).toMatchObject({ said: 'It fits.', skipped: [{ name: openai.name }] });
  });

  it('gives the whole answer when the first broke off in the middle', async () => {
    await using first = await startVendor((response) => {
      anthropic.begin(response, 'Half');
      setTimeout(() => response.destroy(), 20);
    });
    await using second = await startVendor((response) => openai.whole(response, 'Whole.'));
    const turn = await ask([choiceAt(first.url, anthropic.name), choiceAt(second.url, openai.name)]);
    expect(turn).toMatchObject({ choice: { name: openai.name }, usage: { inputTokens: 1_000, outputTokens: 50 } });
    expect(JSON.stringify(turn.messages)).not.toContain('Half');
  });
});

describe('a conversation that another model began', () => {
  /** With the thoughts and ids that each vendor puts into its messages. */
  const began: ModelMessage[] = [
    { role: 'user', content: 'Go.' },
    {
      role: 'assistant',
      content: [
        {
          type: 'reasoning',
          text: 'A private thought.',
          providerOptions: {
            anthropic: { signature: 'sig' },
            openai: { itemId: 'rs_1', reasoningEncryptedContent: 'enc' },
          },
        },
        { type: 'text', text: 'I look.', providerOptions: { openai: { itemId: 'msg_1' } } },
        {
          type: 'tool-call',
          toolCallId: 'functions.read_file:0',
          toolName: 'read_file',
          input: { path: 'a.js' },
          providerOptions: { openai: { itemId: 'fc_1' } },
        },
      ],
      providerOptions: { sluice: { model: 'compatible/somebody' } },
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'functions.read_file:0',
          toolName: 'read_file',
          output: { type: 'text', value: 'text of a' },
        },
      ],
    },
  ];

  it.each(wireFormats)('continues at $name without the parts that only its maker can read', async (format) => {
    await using vendor = await startVendor((response) => format.whole(response, 'Yes.'));
    await ask([choiceAt(vendor.url, format.name)], { messages: began });
    const sent = JSON.stringify(vendor.requests[0]?.body);
    expect(sent).toContain('I look.');
    expect(sent).toContain('text of a');
    expect(sent).not.toMatch(/private thought|"sig"|rs_1|msg_1|fc_1|sluice|functions\.read_file/);
    // The call and its result still belong together.
    expect(sent.match(/call_[0-9a-f]{32}/g)).toHaveLength(2);
  });

  it('continues at its maker with all parts', async () => {
    await using vendor = await startVendor((response) => compatible.whole(response, 'Yes.'));
    const choice: ModelChoice = { ...choiceAt(vendor.url, compatible.name), name: 'compatible/somebody' };
    await ask([choice], { messages: began });
    expect(JSON.stringify(vendor.requests[0]?.body).match(/functions\.read_file:0/g)).toHaveLength(2);
  });

  it('keeps the thoughts of a model for itself, by the note that it put on its message', async () => {
    await using vendor = await startVendor((response) => anthropic.whole(response, 'Yes.'));
    const choice = choiceAt(vendor.url, anthropic.name);
    const { messages } = await ask([choice]);
    expect(messages).toMatchObject([{ role: 'assistant', providerOptions: { sluice: { model: anthropic.name } } }]);
    const thought: ModelMessage = {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'A thought.', providerOptions: { anthropic: { signature: 'sig' } } },
        { type: 'text', text: 'So.' },
      ],
      providerOptions: { sluice: { model: anthropic.name } },
    };
    const go: ModelMessage = { role: 'user', content: 'Go.' };
    await ask([choice], { messages: [go, thought, go] });
    expect(vendor.requests[1]?.body).toMatchObject({
      messages: [
        {},
        { content: [{ type: 'thinking', thinking: 'A thought.', signature: 'sig' }, { text: 'So.' }] },
        {},
      ],
    });
  });
});

describe('words of white space alone', () => {
  it.each(['anthropic/claude-haiku-4-5', 'somebody/else'])('from %s are not sent to Anthropic', async (maker) => {
    await using vendor = await startVendor((response) => anthropic.whole(response, 'Yes.'));
    const providerOptions = { sluice: { model: maker } };
    const go: ModelMessage = { role: 'user', content: 'Go.' };
    const blank = { type: 'text' as const, text: '\n\n' };
    const call = { type: 'tool-call' as const, toolCallId: 'c1', toolName: 'read_file', input: { path: 'a' } };
    const result: ModelMessage = {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'read_file', output: { type: 'text', value: '' } }],
    };
    const messages: ModelMessage[] = [
      go,
      { role: 'assistant', content: [blank, call], providerOptions },
      result,
      { role: 'assistant', content: [blank], providerOptions },
      go,
    ];
    await ask([choiceAt(vendor.url, anthropic.name)], { messages });
    expect(vendor.requests[0]?.body).toMatchObject({
      messages: [{ role: 'user' }, { role: 'assistant', content: [{ type: 'tool_use' }] }, { role: 'user' }],
    });
  });
});

describe('a caller that is asked before each request', () => {
  it('lets the first, its retry and the fallback be sent', async () => {
    const soon = { ...OVERLOADED, headers: { 'retry-after-ms': '1' } };
    await using first = await startVendor((response) => refuse(response, 529, soon));
    await using second = await startVendor((response) => openai.whole(response, 'Here.'));
    const sent: number[] = [];
    await ask([choiceAt(first.url, anthropic.name), choiceAt(second.url, openai.name)], {
      maxRetries: 1,
      beforeCall: async () => void sent.push(first.requests.length + second.requests.length),
    });
    expect(sent).toEqual([0, 1, 2]);
  });

  it('has its refusal thrown as it is, and no request sent, also to the fallback', async () => {
    await using first = await startVendor((response) => anthropic.whole(response, 'No.'));
    await using second = await startVendor((response) => openai.whole(response, 'No.'));
    const refusal = new Error('another worker has the issue');
    const turn = ask([choiceAt(first.url, anthropic.name), choiceAt(second.url, openai.name)], {
      beforeCall: () => Promise.reject(refusal),
    });
    await expect(turn).rejects.toBe(refusal);
    expect([first.requests, second.requests]).toEqual([[], []]);
  });
});

describe('an abandoned answer', () => {
  it('closes its connection when our side or the model fails', async () => {
    let hungUp = 0;
    await using vendor = await startVendor((response, _request, count) => {
      response.on('close', () => {
        hungUp += 1;
      });
      compatible.begin(response, 'Half');
      if (count === 2) stream(response, [{ error: { message: 'Oh.' } }]);
    });
    const choice = choiceAt(vendor.url, compatible.name);
    const onText = () => {
      throw new Error('of ours');
    };
    await expect(ask([choice], { onText })).rejects.toThrow('of ours');
    await expect.poll(() => hungUp).toBe(1);
    expect(await failure(ask([choice]))).toMatchObject({ code: 'model_unavailable' });
    await expect.poll(() => hungUp).toBe(2);
  });
});

describe('a cancel', () => {
  it.each(wireFormats)('ends an answer of $name in a moment, and hangs up', async (format) => {
    let hungUp = false;
    await using vendor = await startVendor((response) => {
      response.on('close', () => {
        hungUp = true;
      });
      format.begin(response, 'Half');
    });
    await using other = await startVendor((response) => openai.whole(response, 'No.'));
    const cancel = new AbortController();
    const reason = new Error('the person cancelled');
    let cancelledAt = 0;
    const choices = [choiceAt(vendor.url, format.name), choiceAt(other.url, openai.name)];
    const turn = ask(choices, {
      signal: cancel.signal,
      onText() {
        cancelledAt = performance.now();
        cancel.abort(reason);
      },
    });
    await expect(turn).rejects.toBe(reason);
    expect(performance.now() - cancelledAt).toBeLessThan(30_000); // a busy machine; the answer itself is given a minute
    await expect.poll(() => hungUp).toBe(true);
    expect(other.requests).toEqual([]);
  });

  it('ends the wait before a retry', async () => {
    const cancel = new AbortController();
    await using vendor = await startVendor((response) => {
      refuse(response, 429, { body: { error: { message: 'Slow.' } }, headers: { 'retry-after': '30' } });
      setTimeout(() => cancel.abort(new Error('enough')), 50);
    });
    const turn = ask([choiceAt(vendor.url, openai.name)], { signal: cancel.signal, maxRetries: 2 });
    await expect(turn).rejects.toThrow('enough');
  });
});
