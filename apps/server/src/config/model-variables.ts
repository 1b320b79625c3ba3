import * as z from 'zod';
import { baseUrl, duration, list, onOrOff, text, variable, wholeNumber } from './variable.ts';

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
  variable({
    meaning: `The same as MODEL, for the stage ${stage} alone.`,
    defaultText: 'as MODEL',
    example: 'anthropic/claude-haiku-4-5',
    schema: models,
  });

const baseUrlOf = (vendor: string, defaultText: string) =>
  variable({
    meaning: `Where ${vendor} is called; for a gateway.`,
    defaultText,
    example: defaultText,
    schema: baseUrl,
  });

const KEY_EXAMPLE = 'YOUR_KEY';

const key = (meaning: string) =>
  variable({
    meaning,
    defaultText: 'none',
    example: KEY_EXAMPLE,
    schema: text
      .regex(/^[\x21-\x7e]+$/, 'holds a blank or a character that no key has')
      .refine((value) => value !== KEY_EXAMPLE, 'is the example'),
    secret: true,
  });

/** The models, what they may cost, and how long they may take. */
export const modelVariables = {
  MODEL: variable({
    meaning: `Who works: builtin, or ${PROVIDERS}. After commas, those that stand in, in order, when it is away.`,
    defaultText: 'builtin',
    example: 'anthropic/claude-sonnet-4-5, openai/gpt-5',
    schema: models,
  }),
  MODEL_TRIAGE: modelOf('triage'),
  MODEL_PLAN: modelOf('plan'),
  MODEL_IMPLEMENT: modelOf('implement'),
  MODEL_REVIEW: modelOf('review'),
  ANTHROPIC_API_KEY: key('Key for anthropic/… models.'),
  ANTHROPIC_BASE_URL: baseUrlOf('Anthropic', 'https://api.anthropic.com/v1'),
  OPENAI_API_KEY: key('Key for openai/… models.'),
  OPENAI_BASE_URL: baseUrlOf('OpenAI', 'https://api.openai.com/v1'),
  MODEL_BASE_URL: variable({
    meaning: 'The OpenAI-compatible server (Ollama, vLLM, a gateway) that serves compatible/… models.',
    defaultText: 'none',
    example: 'http://127.0.0.1:11434/v1',
    schema: baseUrl,
  }),
  MODEL_API_KEY: key('Key for compatible/… models, where their server wants one.'),
  MODEL_PRICES: variable({
    meaning: 'JSON file with prices and windows of models, over the table that Sluice brings; see docs/models.md.',
    defaultText: 'none',
    example: '/etc/sluice/prices.json',
    schema: text,
  }),
  MODEL_TIMEOUT: variable({
    meaning: 'Longest time that one answer of a model may take.',
    defaultText: '10m',
    example: '10m',
    schema: duration(1_000, 3_600_000),
  }),
  EMBEDDING_MODEL: variable({
    meaning: 'openai/NAME or compatible/NAME: code is then found by meaning too. The code is sent to that model.',
    defaultText: 'none',
    example: 'openai/text-embedding-3-small',
    schema: text.regex(/^(?:openai|compatible)\/[^\s,]{1,200}$/, 'is neither openai/NAME nor compatible/NAME'),
  }),
  ISSUE_BUDGET_TOKENS: variable({
    meaning: 'Most tokens, in and out, that the models may use for one issue.',
    defaultText: '2000000',
    example: '2000000',
    schema: wholeNumber(1, 1_000_000_000_000),
  }),
  ISSUE_BUDGET_USD: variable({
    meaning: 'Most money, in US dollars, that the models may cost for one issue. Needs models whose price is known.',
    defaultText: 'none',
    example: '5.00',
    schema: z
      .string()
      .regex(/^\d{1,9}(?:\.\d{1,6})?$/, 'is not an amount')
      .transform(Number)
      .pipe(z.number().positive('is not more than 0')),
  }),
  ISSUE_BUDGET_TIME: variable({
    meaning: 'Longest time that an issue may be worked on; waiting for a slot or a person does not count.',
    defaultText: 'none',
    example: '4h',
    schema: duration(1_000),
  }),
  ISSUE_BUDGET_FIXED: variable({
    meaning:
      'Whether these limits hold whoever asks; otherwise the owner of a failed issue may retry it with higher ones.',
    defaultText: 'off',
    example: 'on',
    schema: onOrOff,
  }),
  TEST_ROUNDS: variable({
    meaning: 'How often failing tests may send the change back to the coder.',
    defaultText: '3',
    example: '3',
    schema: wholeNumber(0, 20),
  }),
  REVIEW_ROUNDS: variable({
    meaning: 'How often the review may send the change back to the coder.',
    defaultText: '2',
    example: '2',
    schema: wholeNumber(0, 20),
  }),
} as const;
