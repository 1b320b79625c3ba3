import { readFileSync } from 'node:fs';
import { AppError } from '@sluice/core';
import * as z from 'zod';
import { parseModelName } from './model-name.ts';

const usdPerMillion = z.number().nonnegative().max(1_000_000);
const tokens = z.number().int().positive().max(1_000_000_000);

const priceSchema = z.strictObject({
  input: usdPerMillion,
  output: usdPerMillion,
  /** As `input` where it is missing. */
  cache_read: usdPerMillion.optional(),
  cache_write: usdPerMillion.optional(),
});

const tableSchema = z.record(
  z.string().refine(isHosted, 'is no model; use anthropic/NAME, openai/NAME or compatible/NAME'),
  z.strictObject({
    price: priceSchema.optional(),
    /** Input and output together. */
    context_tokens: tokens.optional(),
    max_output_tokens: tokens.optional(),
  }),
);

/** USD per million tokens. */
export type ModelPrice = z.infer<typeof priceSchema>;

/** What the operator says about models, by their configured names. It goes before what is known of them. */
export type PriceTable = z.infer<typeof tableSchema>;

/**
 * Reads `MODEL_PRICES`. Synchronous, because the configuration is.
 *
 * @throws AppError `validation_failed` with every fault, each with the file and the field
 */
export function readPriceFile(path: string): PriceTable {
  const parsed = tableSchema.safeParse(parsedJson(path));
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: messageOf(issue) }));
  const faults = errors.map((fault) => `${fault.path === '' ? 'the file' : fault.path}: ${fault.message}`);
  throw new AppError('validation_failed', { detail: `${path}: ${faults.join('; ')}`, errors });
}

/** Of a wrong name, what the name lacks, instead of that it is wrong. */
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
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('validation_failed', { detail: `${path}: is not JSON: ${(error as Error).message}` });
  }
}
