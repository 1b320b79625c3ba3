import { BUDGET, type EffortFamily, LEVEL, MODERATE, READ, THOROUGH } from './effort-family.ts';

const CLAUDE = 'https://ai-sdk.dev/providers/ai-sdk-providers/anthropic#adaptive-thinking';
const CLAUDE_BUDGET = 'https://platform.claude.com/docs/en/build-with-claude/extended-thinking';

/** From Claude 4.7 on, thoughts come back only when they are asked for, in a summary. */
const ADAPTIVE = { thinking: { type: 'adaptive', display: 'summarized' }, effort: LEVEL };
const DISABLED = { thinking: { type: 'disabled' } };

const claude = {
  servers: ['anthropic/'],
  stages: THOROUGH,
  on: ADAPTIVE,
  off: DISABLED,
  maxOutputTokens: 128_000,
  hidesThoughts: true,
  source: CLAUDE,
  date: READ,
} as const;

/** Claude 4.5 and older: a budget on top of the answer, also between calls of tools. */
const claudeBudget = {
  ...claude,
  levels: ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
  stages: MODERATE,
  on: {
    thinking: { type: 'enabled', budgetTokens: BUDGET },
    anthropicBeta: ['interleaved-thinking-2025-05-14'],
  },
  takesBudget: true,
  temperatureOrThoughts: true,
  source: CLAUDE_BUDGET,
} as const;

export const claudeFamilies: readonly EffortFamily[] = [
  {
    ...claude,
    family: 'Claude that always thinks',
    models: /claude-(?:opus-5[-.]5|sonnet-5[-.]5|fable-)/,
    levels: ['low', 'medium', 'high', 'xhigh', 'max'],
    off: null,
  },
  {
    ...claude,
    family: 'Claude 4.7 and later',
    models: /claude-(?:opus-4[-.][789]|[a-z]+-(?:[5-9]|\d\d))(?!\d)/,
    levels: ['low', 'medium', 'high', 'xhigh', 'max'],
  },
  {
    ...claude,
    family: 'Claude 4.6',
    models: /claude-(?:opus|sonnet)-4[-.]6(?!\d)/,
    levels: ['low', 'medium', 'high', 'max'],
    takesBudget: true,
    temperatureOrThoughts: true,
  },
  {
    ...claudeBudget,
    family: 'Claude 4.5',
    models: /claude-(?:opus|sonnet|haiku)-4[-.]5(?!\d)/,
    maxOutputTokens: 64_000,
  },
  { ...claudeBudget, family: 'Claude Sonnet 4', models: /claude-sonnet-4(?![-.][1-9](?!\d))/, maxOutputTokens: 64_000 },
  {
    ...claudeBudget,
    family: 'Claude Opus 4 and 4.1',
    models: /claude-opus-4(?![-.][2-9](?!\d))/,
    maxOutputTokens: 32_000,
  },
];

/**
 * OpenAI's Responses API. No summary of the thoughts is asked for: it is refused to organizations that OpenAI has not
 * verified (github.com/openai/openai-cookbook/issues/2271).
 */
const openai = {
  servers: ['openai/', 'azure/'],
  stages: MODERATE,
  on: { reasoningEffort: LEVEL, reasoningSummary: null },
  off: { reasoningEffort: 'none', reasoningSummary: null },
  maxOutputTokens: 128_000,
  hidesThoughts: true,
  source: 'https://developers.openai.com/api/docs/guides/reasoning',
  date: READ,
} as const;

export const gptFamilies: readonly EffortFamily[] = [
  { ...openai, family: 'GPT-5 Pro', models: /^gpt-5-pro/, levels: ['high'], off: null, maxOutputTokens: 272_000 },
  {
    ...openai,
    family: 'GPT-5.2 Pro and later',
    models: /^gpt-5\.\d+-pro/,
    levels: ['medium', 'high', 'xhigh'],
    off: null,
  },
  {
    ...openai,
    family: 'GPT-5 Codex',
    models: /^gpt-5(?:\.1)?-codex(?!-max)/,
    levels: ['low', 'medium', 'high'],
    off: null,
  },
  {
    ...openai,
    family: 'GPT-5.1 Codex Max and later',
    models: /^gpt-5\.\d+-codex/,
    levels: ['low', 'medium', 'high', 'xhigh'],
    off: null,
  },
  {
    ...openai,
    family: 'GPT-5',
    models: /^gpt-5(?:-(?:mini|nano))?(?:-\d{4}-.*)?$/,
    levels: ['minimal', 'low', 'medium', 'high'],
    off: null,
  },
  { ...openai, family: 'GPT-5.1', models: /^gpt-5\.1(?!\d|-chat)/, levels: ['low', 'medium', 'high'] },
  {
    ...openai,
    family: 'GPT-5.2 to 5.5',
    models: /^gpt-5\.[2-5](?!\d|-chat)/,
    levels: ['low', 'medium', 'high', 'xhigh'],
  },
  {
    ...openai,
    family: 'GPT-5.6 and later',
    models: /^gpt-5\.(?:[6-9]|\d\d)(?!-chat)/,
    levels: ['low', 'medium', 'high', 'xhigh', 'max'],
  },
  {
    ...openai,
    family: 'GPT-6',
    models: /^gpt-6(?!.*-chat)/,
    levels: ['low', 'medium', 'high', 'xhigh', 'max'],
    off: null,
    source: 'https://ai-sdk.dev/providers/ai-sdk-providers/openai',
  },
  {
    ...openai,
    family: 'o1, o3 and o4-mini',
    models: /^o(?:1|3|3-mini|4-mini)(?:-\d{4}-.*)?$/,
    levels: ['low', 'medium', 'high'],
    off: null,
    maxOutputTokens: 100_000,
  },
];
