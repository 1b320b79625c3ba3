import { readFileSync } from 'node:fs';
import { AppError } from '@sluice/core/error';
import * as z from 'zod';
import { dialectNames } from './compatible/dialects.ts';
import { effortFamily } from './effort-families.ts';
import { efforts } from './effort-level.ts';
import { MODEL_FORMS } from './model-access.ts';
import { parseModelName } from './model-name.ts';

const usdPerMillion = z.number().nonnegative().max(1_000_000);
const tokens = z.number().int().positive().max(1_000_000_000);

const priceSchema = z.strictObject({
  input: usdPerMillion,
  output: usdPerMillion,
  /** The price of cached input; that of `input` where it is missing. */
  cache_read: usdPerMillion.optional(),
  cache_write: usdPerMillion.optional(),
});

const MIN_THINKING_TOKENS = 1_024; // Anthropic's minimum: platform.claude.com/docs/en/build-with-claude/extended-thinking

/** Members of a request's body that make it ours: to change them would break the loop, or have the provider store it. */
const OURS: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'input',
  'instructions',
  'system',
  'systemInstruction',
  'contents',
  'tools',
  'toolConfig',
  'stream',
  'store',
]);

/** How requests to a model are made. What is missing is left to the provider. */
const requestSchema = z.strictObject({
  reasoning_effort: z.enum(efforts).optional(),
  /**
   * The budget of Claude's extended thinking, on top of the longest answer: the SDK adds it to `max_tokens`; or that of Gemini
   * 2.5, within its longest answer. For another model of these vendors, the nearest effort.
   */
  thinking_tokens: z.number().int().min(MIN_THINKING_TOKENS).max(1_000_000).optional(),
  temperature: z.number().min(0).max(2).optional(),
  /** Whether the model may call several tools in one answer. */
  parallel_calls: z.boolean().optional(),
  /** The dialect of a compatible server, where its address and the model's name do not tell it. */
  dialect: z.enum(dialectNames).optional(),
  /** How the coder writes edits: exact replacements, or patches (`apply_patch`). */
  edit_format: z.enum(['replace', 'patch']).optional(),
  /** Members added to the body of each request, for parameters that only this server knows. */
  extra_body: z
    .record(
      z.string().refine((member) => !OURS.has(member), 'is set by Sluice'),
      z.json(),
    )
    .optional(),
  extra_headers: z
    .record(
      z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'is not a header name'),
      z.string().regex(/^[\t\x20-\x7e]*$/, 'may only hold ASCII characters, without line breaks'),
    )
    .optional(),
});

/** The stages in which a model works, as they are configured. */
export type ModelStage = 'triage' | 'plan' | 'implement' | 'review';

const stagesSchema = z.strictObject({
  triage: requestSchema.optional(),
  plan: requestSchema.optional(),
  implement: requestSchema.optional(),
  review: requestSchema.optional(),
} satisfies Record<ModelStage, z.ZodType>);

const modelSchema = z.strictObject({
  price: priceSchema.optional(),
  /** Input and output together. */
  context_tokens: tokens.optional(),
  max_output_tokens: tokens.optional(),
  /** Whether it is shown pictures. */
  pictures: z.boolean().optional(),
  ...requestSchema.shape,
  /** What differs in one stage. */
  stages: stagesSchema.optional(),
});

const tableSchema = z
  .record(z.string().refine(isHosted, `is not a model; use ${MODEL_FORMS}`), modelSchema)
  .superRefine((table, context) => {
    for (const [name, { stages = {}, ...all }] of Object.entries(table)) {
      const budgets = [all, ...Object.values(stages)].flatMap((one) => one?.thinking_tokens ?? []);
      const message = budgets.length === 0 ? null : budgetProblem(name, Math.max(...budgets));
      if (message !== null) context.addIssue({ code: 'custom', path: [name, 'thinking_tokens'], message });
      const hasDialect = [all, ...Object.values(stages)].some((one) => one?.dialect !== undefined);
      if (hasDialect && !name.startsWith('compatible/'))
        context.addIssue({ code: 'custom', path: [name, 'dialect'], message: 'is for compatible/NAME only' });
    }
  });

/** The problem of a budget of thoughts: a model refuses one that leaves nothing of its longest answer. */
function budgetProblem(name: string, budget: number): string | null {
  const parsed = parseModelName(name);
  if (parsed === null || parsed.provider === 'builtin') return null;
  const { provider, model } = parsed;
  if (!WITH_BUDGETS.some((one) => one === provider)) return `is for ${BUDGET_FORMS} only; use reasoning_effort`;
  const family = effortFamily(`${provider}/`, model);
  if (family === null && provider !== 'anthropic')
    return 'is for models whose family is known only (docs/models.md); use extra_body';
  const longest = family?.takesBudget ? family.maxOutputTokens : null;
  const most = family?.maxBudgetTokens ?? longest;
  if (most === null || (family?.maxBudgetTokens === undefined ? budget < most : budget <= most)) return null;
  return family?.maxBudgetTokens === undefined
    ? `must be less than ${most}, the longest answer of this model with its thoughts; use fewer, or reasoning_effort`
    : `must be at most ${most}, the most that this model thinks; use fewer, or reasoning_effort`;
}

/** The vendors that count thoughts in tokens. */
const WITH_BUDGETS = ['anthropic', 'google', 'vertex', 'bedrock'] as const;

const BUDGET_FORMS = 'anthropic/NAME, google/NAME, vertex/NAME and bedrock/NAME';

/** USD per million tokens. */
export type ModelPrice = z.infer<typeof priceSchema>;

export type RequestSettings = z.infer<typeof requestSchema>;

/** The operator's settings of models, by their configured names. They override the known facts. */
export type ModelTable = z.infer<typeof tableSchema>;

/**
 * The settings of requests to a model in a stage: the stage's own go before the model's, and so does each header and each
 * member of the body.
 */
export function requestSettings(table: ModelTable, name: string, stage?: ModelStage): RequestSettings {
  const { price, context_tokens, max_output_tokens, pictures, stages, ...all } = table[name] ?? {};
  const own = stage === undefined ? undefined : stages?.[stage];
  if (own === undefined) return all;
  const headers = { ...lowerCased(all.extra_headers), ...lowerCased(own.extra_headers) };
  const body = { ...all.extra_body, ...own.extra_body };
  return {
    ...all,
    ...own,
    ...(Object.keys(headers).length > 0 && { extra_headers: headers }),
    ...(Object.keys(body).length > 0 && { extra_body: body }),
  };
}

/** Headers whose names differ only in case are the same. */
function lowerCased(headers: RequestSettings['extra_headers'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

const MIN_SECRET_CHARACTERS = 8; // a shorter value is a switch or a name, which an error message may well contain

/** The texts of the settings that may be secrets, and that no error may show. */
export function secretsOf({ extra_headers = {}, extra_body = {} }: RequestSettings): string[] {
  return [...textsIn(extra_headers), ...textsIn(extra_body)].filter(({ length }) => length >= MIN_SECRET_CHARACTERS);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * Reads the file that `MODEL_SETTINGS` names. Synchronous, because the configuration is.
 *
 * @throws AppError `validation_failed` with every fault, each with the file and the field
 */
export function readModelTable(path: string): ModelTable {
  const parsed = tableSchema.safeParse(parsedJson(path));
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: messageOf(issue) }));
  const faults = errors.map((fault) => `${fault.path === '' ? 'the file' : fault.path}: ${fault.message}`);
  throw new AppError('validation_failed', { detail: `${path}: ${faults.join('; ')}`, errors });
}

/** The fault of a setting. A wrong name gets the text about what it lacks. */
function messageOf(issue: z.core.$ZodIssue): string {
  return (issue.code === 'invalid_key' && issue.issues[0]?.message) || issue.message;
}

/** The built-in model has neither a price nor a window. */
function isHosted(name: string): boolean {
  const parsed = parseModelName(name);
  return parsed !== null && parsed.provider !== 'builtin';
}

function parsedJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new AppError('validation_failed', { detail: `${path}: cannot be read (${code})` });
  }
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    // The parser quotes the text around the fault, which may be a key in a header.
    const [what] = (error as Error).message.split(/, (?:\.\.\.)?"/);
    throw new AppError('validation_failed', { detail: `${path}: is not JSON: ${what}` });
  }
}
