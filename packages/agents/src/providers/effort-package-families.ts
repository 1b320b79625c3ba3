import { BUDGET, type EffortFamily, LEVEL, MODERATE, READ, type SentMembers, THOROUGH } from './effort-family.ts';
import { claudeFamilies } from './effort-vendor-families.ts';

/** A family behind a package of the SDK, by the prefix of its models' names. */
const ofPackage = { stages: THOROUGH, maxOutputTokens: null, date: READ } as const;

const google = {
  ...ofPackage,
  servers: ['google/', 'vertex/'],
  on: { thinkingConfig: { thinkingLevel: LEVEL, includeThoughts: true } },
  off: null,
  maxOutputTokens: 65_536,
  hidesThoughts: true,
  source: 'https://ai.google.dev/gemini-api/docs/thinking',
} as const;

/** Gemini 2.5: a budget within the longest answer. */
const googleBudget = {
  ...google,
  levels: ['minimal', 'low', 'medium', 'high', 'xhigh'],
  on: { thinkingConfig: { thinkingBudget: BUDGET, includeThoughts: true } },
  takesBudget: true,
  budgetIsInAnswer: true,
} as const;

const geminiFamilies: readonly EffortFamily[] = [
  { ...google, family: 'Gemini 3 Pro', models: /^gemini-3-pro(?!-image)/, levels: ['low', 'high'] },
  {
    ...google,
    family: 'Gemini 4 Hydrogen',
    models: /^gemini-4-hydrogen/,
    levels: ['low', 'medium', 'high', 'xhigh'],
    source: 'https://ai-sdk.dev/providers/ai-sdk-providers/google',
  },
  {
    ...google,
    family: 'Gemini Pro from 3.1 on',
    models: /^gemini-(?:3\.\d+|[4-9]|[4-9]\.\d+)-pro(?!-image|.*-tts)/,
    levels: ['low', 'medium', 'high'],
  },
  {
    ...google,
    family: 'Gemini Flash from 3 on',
    models: /^gemini-(?:[3-9]|[3-9]\.\d+)-flash(?!.*-(?:image|tts|audio|live))/,
    levels: ['minimal', 'low', 'medium', 'high'],
  },
  { ...googleBudget, family: 'Gemini 2.5 Pro', models: /^gemini-2\.5-pro(?!.*-tts)/, maxBudgetTokens: 32_768 },
  {
    ...googleBudget,
    family: 'Gemini 2.5 Flash',
    models: /^gemini-2\.5-flash(?!.*-(?:image|tts|audio|live))/,
    off: { thinkingConfig: { thinkingBudget: 0 } },
    maxBudgetTokens: 24_576,
  },
];

const BEDROCK_CLAUDE = 'https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-adaptive-thinking.html';

/** The package puts its own option for a beta beside Converse's members, which are then refused. */
const BEDROCK_BUDGET = {
  reasoningConfig: { type: 'enabled', budgetTokens: BUDGET },
  additionalModelRequestFields: { anthropic_beta: ['interleaved-thinking-2025-05-14'] },
};
const BEDROCK_ADAPTIVE = { reasoningConfig: { type: 'adaptive', maxReasoningEffort: LEVEL, display: 'summarized' } };

/** Claude behind Converse: the same thoughts under the package's names. What is not asked for is not sent there. */
function onBedrock({ on, off, ...claude }: EffortFamily): EffortFamily {
  return {
    ...claude,
    servers: ['bedrock/'],
    on: JSON.stringify(on).includes(BUDGET) ? BEDROCK_BUDGET : BEDROCK_ADAPTIVE,
    off: off === null ? null : {},
    source: BEDROCK_CLAUDE,
  };
}

const bedrockEffort = {
  ...ofPackage,
  servers: ['bedrock/'],
  levels: ['low', 'medium', 'high'],
  stages: MODERATE,
} as const;

const bedrockFamilies: readonly EffortFamily[] = [
  ...claudeFamilies.map(onBedrock),
  {
    ...bedrockEffort,
    family: 'gpt-oss on Bedrock',
    models: /(?:^|\.)openai\.gpt-oss/,
    on: { reasoningConfig: { maxReasoningEffort: LEVEL } },
    off: null,
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-openai.html',
  },
  {
    ...bedrockEffort,
    family: 'Nova 2',
    models: /(?:^|\.)amazon\.nova-2-(?!sonic|.*embed)/,
    on: { reasoningConfig: { type: 'enabled', maxReasoningEffort: LEVEL } },
    off: {},
    maxOutputTokens: 64_000,
    hidesThoughts: true,
    source: 'https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html',
  },
];

const reasoningEffort: SentMembers = { reasoningEffort: LEVEL };

const groq = { ...ofPackage, servers: ['groq/'], source: 'https://console.groq.com/docs/reasoning' } as const;

const mistral = {
  ...ofPackage,
  servers: ['mistral/'],
  on: reasoningEffort,
  source: 'https://docs.mistral.ai/inference/conversations/reasoning',
} as const;

const xai = {
  ...ofPackage,
  servers: ['xai/'],
  stages: MODERATE,
  on: reasoningEffort,
  off: { reasoningEffort: 'none' },
  hidesThoughts: true,
  source: 'https://docs.x.ai/guides/reasoning',
} as const;

export const packageFamilies: readonly EffortFamily[] = [
  ...geminiFamilies,
  ...bedrockFamilies,
  {
    ...ofPackage,
    family: 'DeepSeek',
    servers: ['deepseek/'],
    models: /^deepseek-(?!chat|coder)/,
    levels: ['low', 'high', 'max'],
    on: { thinking: { type: 'enabled' }, ...reasoningEffort },
    off: { thinking: { type: 'disabled' } },
    source: 'https://api-docs.deepseek.com/guides/thinking_mode',
  },
  {
    ...groq,
    family: 'gpt-oss at Groq',
    models: /gpt-oss-\d/,
    levels: ['low', 'medium', 'high'],
    stages: MODERATE,
    on: reasoningEffort,
    off: null,
  },
  {
    // With tools, thoughts in the text are refused.
    ...groq,
    family: 'Qwen3 at Groq',
    models: /qwen3-32b/,
    levels: ['high'],
    on: { reasoningEffort: 'default', reasoningFormat: 'parsed' },
    off: { reasoningEffort: 'none' },
  },
  {
    ...ofPackage,
    family: 'gpt-oss at Cerebras',
    servers: ['cerebras/'],
    models: /gpt-oss/,
    levels: ['low', 'medium', 'high'],
    stages: MODERATE,
    on: reasoningEffort,
    off: null,
    source: 'https://inference-docs.cerebras.ai/capabilities/reasoning',
  },
  {
    ...mistral,
    family: 'Mistral Large 4',
    models: /^mistral-large-4/,
    levels: ['low', 'medium', 'high'],
    off: null,
  },
  { ...mistral, family: 'GLM-5.3 at Mistral', models: /^zai-glm-5-3/, levels: ['low', 'high', 'max'], off: null },
  {
    ...mistral,
    family: 'Mistral Small 4 and Medium 3.5, and later',
    models: /^(?:mistral-(?:small-(?:latest|2603)|medium-(?:latest|2604|3[-.]5))|magistral-(?:small|medium)-latest)$/,
    levels: ['high'],
    off: { reasoningEffort: 'none' },
  },
  {
    ...xai,
    family: 'Grok from 4.6 on',
    models: /^grok-4\.[6-9]/,
    levels: ['low', 'medium', 'high', 'xhigh'],
  },
  { ...xai, family: 'Grok 4.3 to 4.5', models: /^grok-4\.[345](?!\d)/, levels: ['low', 'medium', 'high'] },
];
