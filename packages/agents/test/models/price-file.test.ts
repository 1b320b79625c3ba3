import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@sluice/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readPriceFile } from '../../src/providers/price-file.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-prices-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function written(text: string): string {
  const path = join(folder, 'prices.json');
  writeFileSync(path, text);
  return path;
}

function refusalOf(path: string): AppError {
  try {
    readPriceFile(path);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('It was read.');
}

it('reads prices, windows and caps by the names that are configured', () => {
  const table = {
    'compatible/hf.co/x/y:7b': { price: { input: 0.1, output: 0.2 }, context_tokens: 65_536, max_output_tokens: 8_192 },
    'openai/gpt-5-mini': { context_tokens: 100_000 },
  };
  expect(readPriceFile(written(JSON.stringify(table)))).toEqual(table);
});

it('names the file, and every field that is wrong', () => {
  const path = written(
    JSON.stringify({
      'gpt-5': {},
      builtin: {},
      'openai/gpt-5': { price: { input: -1 }, context_tokens: 1.5 },
      'openai/gpt-5-mini': { price: { input: 1, output: 1, cached: 1 } },
    }),
  );
  const { code, message, details } = refusalOf(path);
  expect(code).toBe('validation_failed');
  expect(message.startsWith(`${path}: `)).toBe(true);
  for (const part of [
    'gpt-5: is no model',
    'builtin: is no model',
    'price.input',
    'price.output',
    'context_tokens',
    '"cached"',
  ])
    expect(message).toContain(part);
  expect(details.errors?.length).toBeGreaterThanOrEqual(5);
});

it.each([
  ['{', 'is not JSON'],
  ['[]', 'the file: '],
])('says what is wrong with %j', (text, says) => {
  expect(refusalOf(written(text)).message).toContain(says);
});

it('says that a file is missing', () => {
  expect(refusalOf(join(folder, 'none.json')).message).toContain('none.json: cannot be read (ENOENT)');
});
