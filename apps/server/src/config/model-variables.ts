import * as z from 'zod';
import { baseUrl, duration, list, oneOf, onOrOff, text, type Variable, wholeNumber } from './variable.ts';

const MODEL_NAME = /^(?:anthropic|openai|compatible)\/[^\s,]{1,200}$/;
const PROVIDERS = 'anthropic/NAME, openai/NAME or compatible/NAME';

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
