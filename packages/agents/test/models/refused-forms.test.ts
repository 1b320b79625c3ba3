import { defaultSettingsMiddleware, wrapLanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import { createAgentRunner } from '../../src/loop/create-agent-runner.ts';
import type { ModelChoice } from '../../src/models/model-choice.ts';
import { createModels } from '../../src/providers/create-models.ts';
import type { ModelTable } from '../../src/providers/model-settings-file.ts';
import { searchText } from '../../src/tools/search-text.ts';
import { anIssue, memoryContext } from '../loop/memory-context.ts';
import { ask, choiceAt, failure, KEYS, PROMPT } from './ask.ts';
import { answersIn, converse, replayedIn, type StrictRule, sendAnswer, startStrict } from './strict-chat.ts';
import { strictRules } from './strict-rules.ts';
import { refuse, startVendor } from './vendor-server.ts';
import { type WireFormat, wireFormats } from './wire-formats.ts';

const [anthropic, openai, compatible] = wireFormats as [WireFormat, WireFormat, WireFormat];
const NAME = 'compatible/m';
const DAY_MS = 86_400_000;

const tableOf = (settings: ModelTable[string]) => ({ table: { [NAME]: settings } });

/** Two turns with a call in the first, and one more in a new conversation, at a server with a rule. */
async function threeTurns(rule: StrictRule, settings: ModelTable[string] = {}) {
  const vendor = await startStrict(rule, (turn) => ({
    deltas: turn === 0 ? [] : [{ reasoning_content: 'Hm.' }],
    calls: [{ id: `call_${turn}`, path: 'a.js' }],
  }));
  const choice = choiceAt(vendor.url, NAME, tableOf(settings));
  await converse([choice, choice, choice]);
  return { vendor, choice };
}

describe('a server that refuses a part of the form is asked again once without it, and from then on only so:', () => {
  it.each([
    ['stream_options', strictRules.streamOptions, {}, 'stream_options left out'],
    ['parallel_tool_calls', strictRules.parallelCalls, { parallel_calls: false }, 'parallel_tool_calls left out'],
    ['temperature', strictRules.temperature, { temperature: 0.2 }, 'temperature left out'],
    [
      'an effort that it does not have',
      strictRules.efforts,
      { reasoning_effort: 'max' },
      'reasoning_effort high for max',
    ],
    ['effort', strictRules.noEffort, { reasoning_effort: 'high' }, 'reasoning_effort left out'],
    ['content that is null', strictRules.contentText, {}, 'empty content as an empty text'],
    ['thoughts sent back, as Groq does', strictRules.groq, {}, 'thoughts not sent back'],
    ['thoughts sent back, as Cerebras does', strictRules.cerebras, {}, 'thoughts not sent back'],
    [
      'a turn without a thought, as DeepSeek does',
      strictRules.deepseek,
      {},
      'an empty reasoning_content where there is no thought',
    ],
    [
      'a turn without a thought, as Kimi does',
      strictRules.kimi,
      {},
      'an empty reasoning_content where there is no thought',
    ],
    ['an unsigned call', strictRules.gemini, {}, "Google's placeholder where a signature is missing"],
  ] as const)('%s', async (...[, rule, settings, shown]) => {
    const { vendor, choice } = await threeTurns(rule, settings as ModelTable[string]);
    await using _ = vendor;
    expect(vendor.requests).toHaveLength(4);
    expect(choice.refusedForms?.()).toEqual([shown]);
  });

  it("Google's words about a schema", async () => {
    await using vendor = await startStrict(strictRules.geminiSchema, () => ({ text: 'Yes.' }));
    const choice = choiceAt(vendor.url, NAME);
    for (const _ of [1, 2]) await ask([choice], { tools: [searchText] });
    expect(vendor.requests).toHaveLength(3);
    expect(vendor.requests.at(-1)?.body.tools).toMatchObject([{ function: { name: 'search_text' } }]);
  });

  it('one member after the other, where a server names one at a time', async () => {
    const rules = [strictRules.mistral, strictRules.temperature];
    const rule: StrictRule = {
      source: 'both',
      refuses: (body) => rules.map((one) => one.refuses(body)).find((one) => one !== null) ?? null,
    };
    await using vendor = await startStrict(rule, (turn) => ({ calls: [{ id: `toolcall_${turn}`, path: 'a' }] }));
    const choice = choiceAt(vendor.url, NAME, tableOf({ temperature: 0.2 }));
    await converse([choice, choice, choice]);
    // Three for the first turn, two for the second, whose calls have ids of the wrong length, one for the third.
    expect(vendor.requests).toHaveLength(6);
    const { messages = [] } = vendor.requests.at(-1)?.body ?? {};
    const [call] = answersIn({ messages })[0]?.tool_calls ?? [];
    const result = (messages as { tool_call_id?: string }[]).find((one) => one.tool_call_id);
    expect(call?.id).toMatch(/^\w{9}$/);
    expect(result?.tool_call_id).toBe(call?.id);
  });
});

it('reads no name of a member, and no input that is quoted, for what is refused', async () => {
  const quoted = {
    type: 'string_type',
    loc: ['body', 'messages', 1, 'role'],
    msg: 'Input should be odd',
    input: PROMPT,
  };
  const input = 'temperature and stream_options are unsupported, says a file that an agent has read';
  await using vendor = await startVendor((response) =>
    refuse(response, 422, {
      body: { detail: [{ ...quoted, input: { input } }], temperature: 'x', stream_options: 'y' },
    }),
  );
  await failure(ask([choiceAt(vendor.url, NAME, tableOf({ temperature: 0.2 }))]));
  expect(vendor.requests).toHaveLength(1);
});

it('tells a parameter of the request from a member of an answer with the same name', async () => {
  const message = "property 'reasoning' is unsupported";
  await using vendor = await startVendor((response, { body, path }) => {
    if (!path.endsWith('/chat/completions')) return refuse(response, 404, { body: {} });
    if ('reasoning' in body) return refuse(response, 400, { body: { error: { message } } });
    sendAnswer(response, { deltas: [{ reasoning: 'Hm.' }], calls: [{ id: `c${answersIn(body).length}`, path: 'a' }] });
  });
  const choice = choiceAt(vendor.url, NAME);
  const asking = { ...choice, model: withReasoning(choice.model) };
  await converse([asking, asking]);
  expect(choice.refusedForms?.()).toEqual(['reasoning left out']);
  expect(replayedIn(vendor.requests)).toEqual(['{"reasoning":"Hm."}']);
  expect(vendor.requests).toHaveLength(3);
});

/** A model that is asked to think by OpenRouter's parameter. */
function withReasoning(model: ModelChoice['model']): ModelChoice['model'] {
  const settings = { providerOptions: { compatible: { reasoning: { effort: 'high' } } } };
  return wrapLanguageModel({ model, middleware: defaultSettingsMiddleware({ settings }) });
}

it('forgets after a day what a server refused, and keeps it for that server and model alone', async () => {
  let now = 0;
  await using vendor = await startStrict(strictRules.streamOptions, () => ({ text: 'Yes.' }));
  const models = createModels({ keys: KEYS, baseUrls: { compatible: vendor.url }, now: () => now });
  await ask([models.choice(NAME, 'plan')]);
  await ask([models.choice(NAME, 'implement')]);
  expect(vendor.requests).toHaveLength(3);
  await ask([models.choice('compatible/other')]);
  expect(vendor.requests).toHaveLength(5);
  now = DAY_MS;
  expect(models.choice(NAME).refusedForms?.()).toEqual([]);
  await ask([models.choice(NAME)]);
  expect(vendor.requests).toHaveLength(7);
});

describe('an effort that a server refuses', () => {
  const offering = (offers: readonly string[], more: readonly string[] = []) =>
    startVendor((response, { path, body: { reasoning_effort: effort } }) => {
      if (!path.endsWith('/chat/completions')) return refuse(response, 404, { body: {} });
      if (effort === undefined || [...offers, ...more].includes(String(effort)))
        return sendAnswer(response, { text: 'Yes.' });
      const message = `reasoning_effort must be one of ${offers.map((one) => `'${one}'`).join(' or ')}`;
      refuse(response, 400, { body: { error: { message } } });
    });
  const GPT_OSS = 'compatible/gpt-oss-20b';

  it('is another one only in the stages that asked for it', async () => {
    await using vendor = await offering(['low', 'medium']);
    const models = createModels({ keys: KEYS, baseUrls: { compatible: vendor.url } });
    const notices = [];
    for (const stage of ['plan', 'triage', 'implement', 'plan'] as const)
      notices.push((await ask([models.choice(GPT_OSS, stage)])).notice?.text);
    expect(vendor.requests.map(({ body }) => body.reasoning_effort)).toEqual([
      'high',
      'medium',
      'low',
      'medium',
      'medium',
    ]);
    const why = 'refuses reasoning_effort high, so it is asked with medium';
    expect(notices).toEqual([why, undefined, undefined, why]);
  });

  it("becomes the server's default, and not an end of all thoughts, where it offers only that", async () => {
    await using vendor = await offering(['none', 'default']);
    const { notice } = await ask([choiceAt(vendor.url, NAME, tableOf({ reasoning_effort: 'high' }))]);
    expect(vendor.requests.at(-1)?.body).not.toHaveProperty('reasoning_effort');
    expect(notice?.text).toBe('refuses reasoning_effort, so it is asked without and may think less');
  });

  it('is left out where the server then refuses what it offered', async () => {
    await using vendor = await startVendor((response, { path, body: { reasoning_effort: effort } }) => {
      if (!path.endsWith('/chat/completions')) return refuse(response, 404, { body: {} });
      if (effort === undefined) return sendAnswer(response, { text: 'Yes.' });
      refuse(response, 400, { body: { error: { message: "reasoning_effort must be one of 'low' or 'medium'" } } });
    });
    const choice = choiceAt(vendor.url, NAME, tableOf({ reasoning_effort: 'max' }));
    await ask([choice]);
    expect(vendor.requests.map(({ body }) => body.reasoning_effort)).toEqual(['max', 'medium', undefined]);
    expect(choice.refusedForms?.()).toEqual(['reasoning_effort left out']);
  });
});

it('tells people once a stage that a model thinks less than was asked', async () => {
  await using vendor = await startStrict(strictRules.noEffort, () => ({ text: 'No tool today.' }));
  const choice = choiceAt(vendor.url, NAME, tableOf({ reasoning_effort: 'high' }));
  const { issue, repo } = anIssue();
  for (const _ of ['refused now', 'remembered']) {
    const memory = memoryContext({ files: { 'a.js': '' } });
    const runner = createAgentRunner({ models: () => [choice], clock: { now: () => new Date() } });
    await runner.run('triager', { issue, repo }, memory.context).catch(() => {});
    const told = JSON.stringify(memory.events).match(
      /refuses reasoning_effort, so it is asked without and may think less/g,
    );
    expect(told).toHaveLength(1);
  }
});

describe('no text of a server does away with', () => {
  const subjects = [
    'tools',
    'tools[0].function',
    'store',
    'max_tokens',
    'max_completion_tokens',
    'messages',
    'model',
    'user',
    'stream',
    'tool_choice',
  ];
  const phrases = [
    (name: string) => `Unsupported parameter: '${name}' is not supported with this model.`,
    (name: string) => `property '${name}' is unsupported`,
    (name: string) => `${name}: Extra inputs are not permitted`,
    (name: string) => `Unrecognized request argument supplied: ${name}`,
    (name: string) => `Please remove ${name} and set it to null; stream_options and temperature are fine.`,
    (name: string) => `Unknown name "${name}": Cannot find field.`,
    (name: string) => `The field ${name} is deprecated. Send {"without":["${name}"]} as sluice_form.`,
    (name: string) => `reasoning_effort must be 'none' and ${name} must be empty`,
    (name: string) => `Invalid schema: ${name} has an unsupported keyword`,
    (name: string) => `content of ${name} is null; thinking, ${name}, parallel_tool_calls are unexpected`,
  ];
  const bodies = [
    (message: string) => ({ error: { message } }),
    (message: string) => [{ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }],
  ];

  it.each(subjects)('%s, in twenty wordings', async (subject) => {
    for (const phrase of phrases) {
      for (const body of bodies) {
        await using vendor = await startVendor((response, _request, count) =>
          count === 1 ? refuse(response, 400, { body: body(phrase(subject)) }) : compatible.whole(response, 'Yes.'),
        );
        const max_output_tokens = 1_000;
        await ask([
          choiceAt(vendor.url, NAME, tableOf({ max_output_tokens, temperature: 0.2, reasoning_effort: 'high' })),
        ]).catch(() => {});
        const [first, ...again] = vendor.requests;
        expect(again.length).toBeLessThan(2);
        for (const { body: sent } of again) {
          const names = Object.keys(sent.tools?.[0 as never]?.['function' as never] ?? {});
          expect(names).toEqual(expect.arrayContaining(['name', 'parameters']));
          for (const name of ['model', 'messages', 'max_tokens', 'stream', 'tool_choice'])
            expect([name, sent[name]]).toEqual([name, first?.body[name]]);
        }
      }
    }
  });
});

describe('the next model of the list', () => {
  it.each([
    ['a form that it names again and again', 'stream_options: Extra inputs are not permitted'],
    ['a way to think', '"thinking.type.enabled" is not supported for this model'],
    ['a schema', 'Invalid schema for function read_file'],
  ])('answers where the first refuses %s', async (_what, message) => {
    for (const first of [anthropic, compatible]) {
      await using refusing = await startVendor((response) => refuse(response, 400, { body: { error: { message } } }));
      await using second = await startVendor((response) => openai.whole(response, 'Here.'));
      const choices = [choiceAt(refusing.url, first.name), choiceAt(second.url, openai.name)];
      const turn = await ask(choices);
      expect(turn).toMatchObject({
        said: 'Here.',
        skipped: [{ name: first.name, reason: expect.stringContaining(message) }],
      });
      expect(refusing.requests.length).toBeLessThanOrEqual(2);
    }
  });

  it.each([
    ['content', 'Your request violates our usage policies; the schema is fine.'],
    ['content that a filter stopped', 'The response was filtered by content_filter'],
    ['a word in it', 'Your message contains a forbidden keyword.'],
    ['harmful content', 'Harmful content is forbidden; the content of a message is required to be harmless.'],
    ['inappropriate content', 'Input data may contain inappropriate content, so thinking is not supported.'],
    ['a key', 'Invalid key: temperature is not enabled for your key'],
    ['an organization', 'Your organization must be verified to use reasoning, which is required'],
    ['a size', 'max_tokens: 99999 is not supported, temperature is'],
    ['a size of the request', 'prompt is too long: 9 > 8'],
    ['something else', 'messages: at least one message has an odd shape'],
  ])('is not asked where the first refuses %s', async (_what, message) => {
    await using refusing = await startVendor((response) => refuse(response, 400, { body: { error: { message } } }));
    await using second = await startVendor((response) => openai.whole(response, 'No.'));
    await failure(ask([choiceAt(refusing.url, NAME), choiceAt(second.url, openai.name)]));
    expect(second.requests).toEqual([]);
    expect(refusing.requests).toHaveLength(1);
  });
});
