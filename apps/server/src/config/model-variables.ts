import * as z from 'zod';
import { baseUrl, duration, list, oneOf, onOrOff, text, type Variable, wholeNumber } from './variable.ts';

/** The providers and the variables of their keys and addresses. An address without a default must be set. */
export const modelProviders = {
  anthropic: { key: 'ANTHROPIC_API_KEY', url: 'ANTHROPIC_BASE_URL' },
  openai: { key: 'OPENAI_API_KEY', url: 'OPENAI_BASE_URL' },
  google: { key: 'GOOGLE_API_KEY', url: 'GOOGLE_BASE_URL' },
  vertex: { key: 'VERTEX_API_KEY', url: 'VERTEX_BASE_URL' },
  azure: { key: 'AZURE_API_KEY', url: 'AZURE_BASE_URL', needs: ['AZURE_API_KEY', 'AZURE_BASE_URL'] },
  bedrock: { key: 'BEDROCK_API_KEY', url: 'BEDROCK_BASE_URL', needs: ['BEDROCK_API_KEY', 'BEDROCK_BASE_URL'] },
  openrouter: { key: 'OPENROUTER_API_KEY', url: 'OPENROUTER_BASE_URL' },
  deepseek: { key: 'DEEPSEEK_API_KEY', url: 'DEEPSEEK_BASE_URL' },
  groq: { key: 'GROQ_API_KEY', url: 'GROQ_BASE_URL' },
  cerebras: { key: 'CEREBRAS_API_KEY', url: 'CEREBRAS_BASE_URL' },
  mistral: { key: 'MISTRAL_API_KEY', url: 'MISTRAL_BASE_URL' },
  xai: { key: 'XAI_API_KEY', url: 'XAI_BASE_URL' },
  compatible: { key: 'MODEL_API_KEY', url: 'MODEL_BASE_URL', needs: ['MODEL_BASE_URL'] },
} as const;

const prefixes = Object.keys(modelProviders);
const MODEL_NAME = new RegExp(`^(?:${prefixes.join('|')})/[^\\s,]{1,200}$`);
const PROVIDERS = `${prefixes
  .slice(0, -1)
  .map((prefix) => `${prefix}/NAME`)
  .join(', ')} or compatible/NAME`;

const models = list
  .refine((names) => names.length > 0, 'names no model')
  .refine(
    (names) => names.every((name) => name === 'builtin' || MODEL_NAME.test(name)),
    `is neither builtin nor a list of ${PROVIDERS}`,
  )
  .refine((names) => names.length === 1 || !names.includes('builtin'), 'has builtin beside another model')
  .refine((names) => new Set(names).size === names.length, 'names a model twice');

const modelOf = (stage: string) =>
  ({
    meaning: `MODEL for the stage ${stage}.`,
    unset: 'as MODEL',
    example: 'anthropic/claude-haiku-4-5',
    schema: models,
  }) as const;

const EFFORTS = ['default', 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

const effort = oneOf(...EFFORTS);

const effortOf = (stage: string) =>
  ({
    meaning: `MODEL_EFFORT for the stage ${stage}.`,
    unset: 'as MODEL_EFFORT',
    example: 'low',
    schema: effort,
  }) as const;

const baseUrlOf = (vendor: string, url: string) =>
  ({ meaning: `Base URL of ${vendor}'s API, or of a gateway.`, unset: url, example: url, schema: baseUrl }) as const;

const KEY_EXAMPLE = 'YOUR_KEY';

const key = (meaning: string) =>
  ({
    meaning,
    unset: 'none',
    example: KEY_EXAMPLE,
    schema: text
      .regex(/^[\x21-\x7e]+$/, 'contains a space or another character that keys do not have')
      .refine((value) => value !== KEY_EXAMPLE, 'is the example'),
    secret: true,
  }) as const;

/** The models, their budget and their time limit. */
export const modelVariables = {
  MODEL: {
    meaning: `The model: builtin, or ${PROVIDERS}. More names, after commas, are fallbacks in their order.`,
    default: 'builtin',
    example: 'anthropic/claude-sonnet-4-5, openai/gpt-5',
    schema: models,
  },
  MODEL_TRIAGE: { ...modelOf('triage'), unset: 'as MODEL; where that plans too, the planner triages' },
  MODEL_PLAN: modelOf('plan'),
  MODEL_IMPLEMENT: modelOf('implement'),
  MODEL_REVIEW: modelOf('review'),
  MODEL_EFFORT: {
    meaning: `How much the models think: ${EFFORTS.join(', ')}. The default is low for triage, high for plan and review, and medium or high for implement. A word that a model does not have becomes its nearest one. Thoughts cost as much as the answer.`,
    default: 'default',
    example: 'medium',
    schema: effort,
  },
  MODEL_EFFORT_TRIAGE: effortOf('triage'),
  MODEL_EFFORT_PLAN: effortOf('plan'),
  MODEL_EFFORT_IMPLEMENT: effortOf('implement'),
  MODEL_EFFORT_REVIEW: effortOf('review'),
  ANTHROPIC_API_KEY: key('API key for anthropic/… models.'),
  ANTHROPIC_BASE_URL: baseUrlOf('Anthropic', 'https://api.anthropic.com/v1'),
  OPENAI_API_KEY: key('API key for openai/… models.'),
  OPENAI_BASE_URL: baseUrlOf('OpenAI', 'https://api.openai.com/v1'),
  GOOGLE_API_KEY: key("API key for google/… models (Google's Gemini API)."),
  GOOGLE_BASE_URL: baseUrlOf("Google's Gemini", 'https://generativelanguage.googleapis.com/v1beta'),
  VERTEX_API_KEY: key('API key for vertex/… models. No other credentials of Google Cloud are read.'),
  VERTEX_BASE_URL: baseUrlOf('Vertex AI', 'https://aiplatform.googleapis.com/v1/publishers/google'),
  AZURE_API_KEY: key('API key for azure/… models.'),
  AZURE_BASE_URL: {
    meaning: 'Base URL of the resource of Azure OpenAI or Foundry for azure/… models, or of a gateway.',
    unset: 'none',
    example: 'https://RESOURCE.openai.azure.com/openai/v1',
    schema: baseUrl,
  },
  BEDROCK_API_KEY: key('API key of Amazon Bedrock for bedrock/… models. No other credentials of AWS are read.'),
  BEDROCK_BASE_URL: {
    meaning: 'Base URL of Amazon Bedrock in a region for bedrock/… models, or of a gateway.',
    unset: 'none',
    example: 'https://bedrock-runtime.us-east-1.amazonaws.com',
    schema: baseUrl,
  },
  OPENROUTER_API_KEY: key('API key for openrouter/… models.'),
  OPENROUTER_BASE_URL: baseUrlOf('OpenRouter', 'https://openrouter.ai/api/v1'),
  DEEPSEEK_API_KEY: key('API key for deepseek/… models.'),
  DEEPSEEK_BASE_URL: baseUrlOf('DeepSeek', 'https://api.deepseek.com'),
  GROQ_API_KEY: key('API key for groq/… models.'),
  GROQ_BASE_URL: baseUrlOf('Groq', 'https://api.groq.com/openai/v1'),
  CEREBRAS_API_KEY: key('API key for cerebras/… models.'),
  CEREBRAS_BASE_URL: baseUrlOf('Cerebras', 'https://api.cerebras.ai/v1'),
  MISTRAL_API_KEY: key('API key for mistral/… models.'),
  MISTRAL_BASE_URL: baseUrlOf('Mistral', 'https://api.mistral.ai/v1'),
  XAI_API_KEY: key('API key for xai/… models.'),
  XAI_BASE_URL: baseUrlOf('xAI', 'https://api.x.ai/v1'),
  MODEL_BASE_URL: {
    meaning: 'Base URL of the OpenAI-compatible server (Ollama, vLLM, a gateway) for compatible/… models.',
    unset: 'none',
    example: 'http://127.0.0.1:11434/v1',
    schema: baseUrl,
  },
  MODEL_API_KEY: key('API key for compatible/… models, if their server requires one.'),
  MODEL_SETTINGS: {
    meaning:
      'JSON file with prices and context windows of models, which override the built-in table, and with settings of their requests, see docs/models.md.',
    unset: 'none',
    example: '/etc/sluice/models.json',
    schema: text,
  },
  MODEL_PRICES: {
    meaning: 'The earlier name of MODEL_SETTINGS, used when that is not set.',
    unset: 'none',
    example: '/etc/sluice/models.json',
    schema: text,
  },
  MODEL_TIMEOUT: {
    meaning: 'Time limit of one answer of a model.',
    default: '10m', // a long answer of a slow local model takes minutes
    example: '10m',
    schema: duration(1_000, 3_600_000),
  },
  EMBEDDING_MODEL: {
    meaning:
      'Embedding model for semantic code search: openai/NAME or compatible/NAME. The code is sent to that model.',
    unset: 'none',
    example: 'openai/text-embedding-3-small',
    schema: text.regex(/^(?:openai|compatible)\/[^\s,]{1,200}$/, 'is neither openai/NAME nor compatible/NAME'),
  },
  ISSUE_BUDGET_TOKENS: {
    meaning: 'Token budget of one issue, input and output together.',
    default: '2000000', // dozens of turns of a large change; a runaway loop ends within minutes
    example: '2000000',
    schema: wholeNumber(1, 1_000_000_000_000),
  },
  ISSUE_BUDGET_USD: {
    meaning: 'Cost budget of one issue in US dollars. Needs models with a known price.',
    unset: 'none',
    example: '5.00',
    schema: z
      .string()
      .regex(/^\d{1,9}(?:\.\d{1,6})?$/, 'is not an amount')
      .transform(Number)
      .pipe(z.number().positive('is not more than 0')),
  },
  ISSUE_BUDGET_TIME: {
    meaning: 'Time budget of one issue; waiting for a slot or at a gate does not count.',
    unset: 'none',
    example: '4h',
    schema: duration(1_000),
  },
  ISSUE_BUDGET_FIXED: {
    meaning:
      'on: a retry cannot raise these budgets. off: the owner of a failed issue may retry it with a higher budget.',
    default: 'off',
    example: 'on',
    schema: onOrOff,
  },
  TEST_ROUNDS: {
    meaning: 'How often failing tests may send the change back to the coder.',
    default: '3',
    example: '3',
    schema: wholeNumber(0, 20),
  },
  REVIEW_ROUNDS: {
    meaning: 'How often the review may send the change back to the coder.',
    default: '2',
    example: '2',
    schema: wholeNumber(0, 20),
  },
} as const satisfies Record<string, Variable>;
