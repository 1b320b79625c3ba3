import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { roomFor } from '../../src/loop/context-window.ts';
import { longestAnswer } from '../../src/models/longest-answer.ts';
import type { ModelsOptions } from '../../src/providers/create-models.ts';
import { effortFamilies } from '../../src/providers/effort-families.ts';
import type { ModelStage, ModelTable } from '../../src/providers/model-settings-file.ts';
import { ask, choiceAt, failure } from './ask.ts';
import { type StrictVendor, startStrict, strictVendors } from './strict-vendors.ts';

const STAGES: readonly ModelStage[] = ['triage', 'plan', 'implement', 'review'];
const UNREACHED = 'http://127.0.0.1:9/v1';

interface How extends Pick<Partial<ModelsOptions>, 'effort'> {
  readonly stage?: ModelStage;
  readonly settings?: ModelTable[string];
}

/** The body of one request that the vendor accepts. */
async function acceptedBody(vendor: StrictVendor, { stage = 'plan', settings = {}, ...how }: How = {}) {
  await using server = await startStrict(vendor);
  await ask([choiceAt(server.url, vendor.name, { ...how, stage, table: { [vendor.name]: settings } })]);
  return server.requests[0]?.body ?? {};
}

/** The body of one request to a server that accepts anything. */
async function sentBody(name: string, how: How = {}) {
  const anything = strictVendors.find((vendor) => vendor.name === name) ?? { name, source: '' };
  return acceptedBody({ ...anything, fault: () => null }, how);
}

function vendorOf(name: string): StrictVendor {
  const vendor = strictVendors.find((one) => one.name === name);
  if (vendor === undefined) throw new Error(`No strict vendor has ${name}.`);
  return vendor;
}

/** What a body says of thoughts. */
function thoughtsOf(body: Record<string, unknown>) {
  const { thinking, output_config, reasoning, reasoning_effort, chat_template_kwargs, enable_thinking } = body;
  return JSON.parse(
    JSON.stringify({ thinking, output_config, reasoning, reasoning_effort, chat_template_kwargs, enable_thinking }),
  );
}

describe('a server that refuses a request without thoughts', () => {
  it.each(strictVendors)('accepts each stage of $name', async (vendor) => {
    for (const stage of STAGES) await acceptedBody(vendor, { stage });
  });

  it.each(strictVendors)('accepts each word for $name that it can have', async (vendor) => {
    for (const word of ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const)
      await acceptedBody(vendor, { effort: { plan: word } });
  });

  it.each(strictVendors)('refuses $name without a stage, so that these tests can fail', async (vendor) => {
    await using server = await startStrict(vendor);
    const refused = await failure(ask([choiceAt(server.url, vendor.name)]));
    expect(refused.code).toBe('model_request_refused');
  });

  it('stands for each family of the table', () => {
    const names = strictVendors.map(({ name }) => name.slice(name.indexOf('/') + 1).toLowerCase());
    for (const { family, models } of effortFamilies)
      expect(
        names.some((name) => models.test(name)),
        family,
      ).toBe(true);
  });
});

it('sends each family in each stage what stands in the golden file', async () => {
  const lines: string[] = [];
  for (const vendor of strictVendors) {
    for (const stage of STAGES) {
      const { messages, input, system, tools, contents, systemInstruction, toolConfig, ...body } = await acceptedBody(
        vendor,
        { stage },
      );
      lines.push(`${vendor.name} ${vendor.at ?? ''} ${stage}: ${JSON.stringify(body)}`.replaceAll('  ', ' '));
    }
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/effort-bodies.txt');
});

describe('a family that is not documented', () => {
  it.each([
    'anthropic/my-claude',
    'anthropic/claude-3-haiku-20240307',
    'openai/gpt-4.1',
    'openai/gpt-5-chat-latest',
    'openai/o1-mini',
    'openai/never-heard-of',
    'compatible/llama3.3:70b',
    'compatible/qwen3-coder:30b',
    'compatible/Qwen/Qwen3-30B-A3B-Instruct-2507',
    'compatible/deepseek-ai/DeepSeek-V3.1',
    'compatible/gpt-5',
    'compatible/claude-opus-4-7',
    'azure/our-own-deployment',
    'bedrock/us.meta.llama3-3-70b-instruct-v1:0',
    'groq/llama-3.3-70b-versatile',
    'mistral/devstral-medium-latest',
    'xai/grok-4.20-reasoning',
    'openrouter/meta-llama/llama-4-maverick',
  ])('is sent nothing: %s', async (name) => {
    for (const stage of STAGES) {
      const body = await sentBody(name, { stage, effort: { [stage]: 'high' } });
      expect(thoughtsOf(body)).toEqual({});
    }
  });

  it.each([
    ['compatible/grok-4', 'https://api.x.ai/v1'],
    ['compatible/mistral-large-latest', 'https://api.mistral.ai/v1'],
    ['compatible/qwen3-32b', 'https://api.groq.com/openai/v1'],
    ['compatible/deepseek-chat', 'https://api.deepseek.com/v1'],
    ['compatible/kimi-k2-thinking', 'https://api.moonshot.ai/v1'],
    // These take their packages' options elsewhere, which are no members of a body.
    ['compatible/gpt-5.4', 'https://api.openai.com/v1'],
    ['compatible/claude-opus-4-7', 'https://api.anthropic.com/v1'],
    ['compatible/hf.co/unsloth/Qwen3-4B-GGUF:Q4_K_M', 'http://ollama.internal/v1'],
  ])('is sent nothing at a known server either: %s at %s', async (name, at) => {
    const body = await acceptedBody({ name, at, fault: () => null, source: '' });
    expect(thoughtsOf(body)).toEqual({});
  });

  it('is sent the effort that its own settings say', async () => {
    const settings = { reasoning_effort: 'high' } as const;
    expect(thoughtsOf(await sentBody('compatible/llama3.3:70b', { settings }))).toEqual({ reasoning_effort: 'high' });
  });
});

describe('the settings of a model', () => {
  const opus = vendorOf('anthropic/claude-opus-4-7');
  const haiku = vendorOf('anthropic/claude-haiku-4-5');
  const effort = { plan: 'low' } as const;

  it('go before MODEL_EFFORT, which goes before the default', async () => {
    const efforts = async (how: How) => (await acceptedBody(opus, how)).output_config;
    expect(await efforts({})).toMatchObject({ effort: 'high' });
    expect(await efforts({ effort })).toMatchObject({ effort: 'low' });
    expect(await efforts({ effort, settings: { reasoning_effort: 'xhigh' } })).toMatchObject({ effort: 'xhigh' });
    const stages = { plan: { reasoning_effort: 'max' } } as const;
    expect(await efforts({ effort, settings: { reasoning_effort: 'xhigh', stages } })).toMatchObject({ effort: 'max' });
  });

  it('turn a budget into the nearest effort where the model takes none, and keep it elsewhere', async () => {
    const nearest = async (thinking_tokens: number) =>
      (await acceptedBody(opus, { effort, settings: { thinking_tokens } })).output_config;
    expect(await nearest(1_024)).toEqual({ effort: 'low' });
    expect(await nearest(8_000)).toEqual({ effort: 'medium' });
    expect(await nearest(20_500)).toEqual({ effort: 'xhigh' });
    expect(await nearest(100_000)).toEqual({ effort: 'max' });
    const kept = await acceptedBody(haiku, { effort, settings: { thinking_tokens: 20_500 } });
    expect(kept).toMatchObject({ thinking: { budget_tokens: 20_500 }, max_tokens: 52_500 });
  });

  it('are a budget of tokens for Gemini 2.5, a level from 3 on, and an effort for Claude on Bedrock', async () => {
    const settings = { thinking_tokens: 8_000 } as const;
    const config = async (name: string) =>
      ((await sentBody(name, { settings })).generationConfig as { thinkingConfig?: object }).thinkingConfig;
    expect(await config('google/gemini-2.5-flash')).toEqual({ thinkingBudget: 8_000, includeThoughts: true });
    expect(await config('google/gemini-3.8-flash')).toEqual({ thinkingLevel: 'medium', includeThoughts: true });
    const claude = await sentBody('bedrock/us.anthropic.claude-opus-4-7', { settings });
    expect(claude.additionalModelRequestFields).toMatchObject({ output_config: { effort: 'medium' } });
  });

  it('reach a model of no known family at OpenRouter, whose package leaves an effort out', async () => {
    const body = await sentBody('openrouter/meta-llama/llama-4-maverick', { settings: { reasoning_effort: 'low' } });
    expect(thoughtsOf(body)).toEqual({ reasoning: { effort: 'low' } });
  });

  it('leave thoughts to extra_body where it speaks of them', async () => {
    const off = { chat_template_kwargs: { enable_thinking: false } };
    const qwen = 'compatible/Qwen/Qwen3-235B-A22B-Thinking-2507';
    expect(thoughtsOf(await sentBody(qwen, { effort, settings: { extra_body: off } }))).toEqual(off);
    const both = { reasoning_effort: 'low', extra_body: off } as const;
    expect(thoughtsOf(await sentBody(qwen, { settings: both }))).toEqual({ reasoning_effort: 'low', ...off });
    const thinking = { type: 'enabled', budget_tokens: 2_000 };
    const body = await sentBody(haiku.name, { settings: { extra_body: { thinking } } });
    expect(thoughtsOf(body)).toEqual({ thinking });
  });

  it('keep a temperature that a model takes only without thoughts', async () => {
    const body = await sentBody(haiku.name, { effort, settings: { temperature: 0.2 } });
    expect(body).toMatchObject({ temperature: 0.2 });
    expect(thoughtsOf(body)).toEqual({});
    const thinks = await sentBody(haiku.name, { settings: { temperature: 0.2, reasoning_effort: 'low' } });
    expect(thinks).toMatchObject({ thinking: { type: 'enabled' } });
    expect(thinks).not.toHaveProperty('temperature');
  });
});

it.each([
  ['anthropic/claude-opus-4-7', { thinking: { type: 'disabled' } }],
  [
    'anthropic/claude-opus-5-5',
    { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'low' } },
  ],
  ['openai/gpt-5', { reasoning: { effort: 'minimal' } }],
  ['openai/gpt-5.2', { reasoning: { effort: 'none' } }],
  ['openai/gpt-5-pro', { reasoning: { effort: 'high' } }],
  ['compatible/deepseek-v4-pro', { thinking: { type: 'disabled' } }],
  ['compatible/glm-5.3', { thinking: { type: 'enabled' }, reasoning_effort: 'low' }],
  ['compatible/qwen3:32b', { reasoning_effort: 'none' }],
  ['deepseek/deepseek-v4-pro', { thinking: { type: 'disabled' } }],
  ['mistral/mistral-medium-3-5', { reasoning_effort: 'none' }],
  ['groq/qwen/qwen3-32b', { reasoning_effort: 'none' }],
  ['groq/openai/gpt-oss-120b', { reasoning_effort: 'low' }],
  ['xai/grok-4.3', { reasoning: { effort: 'none' } }],
  ['openrouter/anthropic/claude-opus-4.7', { reasoning: { effort: 'none' } }],
] as const)('sends %s the least that it has for none', async (name, expected) => {
  const { reasoning, ...sent } = thoughtsOf(await sentBody(name, { effort: { plan: 'none' } }));
  expect({ ...sent, ...(reasoning !== undefined && { reasoning }) }).toEqual(expected);
});

it.each([
  ['openai/gpt-5', 'xhigh', 'high'],
  ['openai/gpt-5.1', 'minimal', 'low'],
  ['openai/gpt-5.6', 'max', 'max'],
  ['openai/o4-mini', 'max', 'high'],
] as const)('rounds for %s: %s is sent as %s', async (name, word, sent) => {
  expect((await sentBody(name, { effort: { plan: word } })).reasoning).toEqual({ effort: sent });
});

describe('the longest answer', () => {
  const limits = (name: string, how: Parameters<typeof choiceAt>[2]) => {
    const choice = choiceAt(UNREACHED, name, how);
    return { longest: longestAnswer(choice), thoughts: choice.thinkingTokens, room: roomFor(choice) };
  };

  it('is all that the model can give where it thinks, within a quarter of its window', () => {
    expect(limits('anthropic/claude-opus-4-7', { stage: 'plan' }).longest).toBe(128_000);
    expect(limits('openai/gpt-5', { stage: 'plan' }).longest).toBe(100_000);
    expect(limits('openai/o4-mini', { stage: 'plan' }).longest).toBe(50_000);
    expect(limits('anthropic/claude-opus-4-7', { stage: 'plan', effort: { plan: 'none' } }).longest).toBe(32_000);
  });

  it('and a budget of thoughts are never more than the model takes', () => {
    for (const name of ['anthropic/claude-opus-4-1', 'anthropic/claude-haiku-4-5', 'anthropic/claude-sonnet-4-0'])
      for (const word of ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const) {
        const { longest, thoughts } = limits(name, { stage: 'plan', effort: { plan: word } });
        const most = name.includes('opus') ? 32_000 : 64_000;
        expect((longest ?? 0) + (thoughts ?? 0), `${name} ${word}`).toBeLessThanOrEqual(most);
        expect(thoughts).toBeGreaterThanOrEqual(1_024);
      }
  });

  it('leaves room for the question in a small window', () => {
    const table = { 'anthropic/claude-haiku-4-5': { context_tokens: 24_000 } };
    const { room } = limits('anthropic/claude-haiku-4-5', { stage: 'plan', table });
    expect(room).toBeGreaterThanOrEqual(12_000);
  });

  it('is what the operator says, whatever the model could give', () => {
    const table = { 'openai/gpt-5': { max_output_tokens: 9_000 } };
    expect(limits('openai/gpt-5', { stage: 'plan', table }).longest).toBe(9_000);
  });

  it('has a quarter of the window where the server decides and the model thinks', () => {
    expect(limits('compatible/qwen3', { stage: 'plan' }).room).toBe(32_768 * 0.75);
    expect(limits('compatible/llama3', { stage: 'plan' }).room).toBe(Math.round(32_768 * 0.88 * 100) / 100);
  });
});

const docs = readFileSync(new URL('../../../../docs/models.md', import.meta.url), 'utf8');

it('has a source and its day for each family, which docs/models.md names', () => {
  for (const { family, source, date } of effortFamilies) {
    expect(docs, family).toContain(`](${source})`);
    expect(docs, family).toContain(date);
  }
});

it('takes the example of docs/models.md', async () => {
  const examples = [...docs.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => JSON.parse(json) as ModelTable);
  const asked = examples.find((table) => table['openai/gpt-5'] !== undefined);
  expect(Object.keys(asked ?? {})).toEqual(expect.arrayContaining(['anthropic/claude-sonnet-4-5', 'openai/gpt-5']));
  for (const [name, settings] of Object.entries(asked ?? {})) {
    const vendor = strictVendors.find((one) => one.name.startsWith(name));
    if (vendor === undefined || settings.extra_body !== undefined) continue;
    for (const stage of STAGES) await acceptedBody({ ...vendor, name }, { stage, settings });
  }
});

it('lets Claude 4.5 and older think between calls of tools', async () => {
  await using server = await startStrict(vendorOf('anthropic/claude-haiku-4-5'));
  await ask([choiceAt(server.url, 'anthropic/claude-haiku-4-5', { stage: 'implement' })]);
  expect(server.requests[0]?.headers['anthropic-beta']).toContain('interleaved-thinking-2025-05-14');
});
