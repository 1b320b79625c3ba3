import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@sluice/core/error';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readModelTable, requestSettings } from '../../src/providers/model-settings-file.ts';

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
    readModelTable(path);
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
  expect(readModelTable(written(JSON.stringify(table)))).toEqual(table);
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
    'gpt-5: is not a model',
    'builtin: is not a model',
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

it.each([
  ['{"openai/x": {"extra_headers": {"Authorization": Bearer canary}}}'],
  ["{'canary': 1}"],
  ['{"canary": "canary"; }'],
])('quotes nothing of a file that is not JSON, because a key may stand in it: %s', (text) => {
  const { message } = refusalOf(written(text));
  expect(message).toMatch(/is not JSON: (?:Unexpected token|Expected)/);
  expect(message).not.toContain('canary');
  expect(message).not.toContain('Bearer');
});

it('reads a file with a byte order mark', () => {
  expect(readModelTable(written('\ufeff{"openai/gpt-5": {}}'))).toEqual({ 'openai/gpt-5': {} });
});

it('says that a file is missing', () => {
  expect(refusalOf(join(folder, 'none.json')).message).toContain('none.json: cannot be read (ENOENT)');
});

it('reads settings of requests, and those of a stage before those of the model', () => {
  const name = 'anthropic/claude-sonnet-4-5';
  const table = readModelTable(
    written(
      JSON.stringify({ [name]: { temperature: 0, parallel_calls: false, stages: { plan: { temperature: 1 } } } }),
    ),
  );
  expect(requestSettings(table, name, 'plan')).toEqual({ temperature: 1, parallel_calls: false });
  expect(requestSettings(table, name, 'review')).toEqual({ temperature: 0, parallel_calls: false });
  expect(requestSettings(table, 'openai/gpt-5', 'plan')).toEqual({});
});

it('adds the headers and members of the body of a stage to those of the model', () => {
  const name = 'compatible/qwen3';
  const table = readModelTable(
    written(
      JSON.stringify({
        [name]: {
          extra_headers: { 'X-Key': 'all', 'X-Team': 'blue' },
          extra_body: { top_k: 20, chat_template_kwargs: { enable_thinking: false } },
          stages: {
            plan: {
              extra_headers: { 'x-team': 'red' },
              extra_body: { chat_template_kwargs: { enable_thinking: true } },
            },
            review: { temperature: 0 },
          },
        },
      }),
    ),
  );
  expect(requestSettings(table, name, 'plan')).toEqual({
    extra_headers: { 'x-key': 'all', 'x-team': 'red' },
    extra_body: { top_k: 20, chat_template_kwargs: { enable_thinking: true } },
  });
  expect(requestSettings(table, name, 'review')).toMatchObject({
    temperature: 0,
    extra_body: { top_k: 20 },
    extra_headers: { 'x-key': 'all', 'x-team': 'blue' },
  });
});

it.each([
  [
    { 'openai/gpt-5': { thinking_tokens: 2_000 } },
    'thinking_tokens: is for anthropic/NAME, google/NAME, vertex/NAME and bedrock/NAME only; use reasoning_effort',
  ],
  [{ 'compatible/x': { stages: { plan: { thinking_tokens: 2_000 } } } }, 'is for anthropic/NAME, google/NAME'],
  [
    { 'google/gemini-2.5-flash': { thinking_tokens: 24_577 } },
    'must be at most 24576, the most that this model thinks',
  ],
  [{ 'bedrock/us.meta.llama3-3-70b-instruct-v1:0': { thinking_tokens: 2_000 } }, 'whose family is known only'],
  [{ 'bedrock/us.anthropic.claude-opus-4-1-20250805-v1:0': { thinking_tokens: 32_000 } }, 'must be less than 32000'],
  [{ 'anthropic/x': { thinking_tokens: 10 } }, 'thinking_tokens'],
  [{ 'anthropic/claude-opus-4-1': { thinking_tokens: 32_000 } }, 'must be less than 32000, the longest answer'],
  [
    { 'anthropic/claude-haiku-4-5': { stages: { plan: { thinking_tokens: 90_000 } } } },
    'must be less than 64000, the longest answer of this model with its thoughts; use fewer, or reasoning_effort',
  ],
  [{ 'anthropic/x': { dialect: 'deepseek' } }, 'dialect: is for compatible/NAME only'],
  [{ 'compatible/x': { dialect: 'klingon' } }, 'dialect'],
  [{ 'openai/gpt-5': { extra_body: { messages: [] } } }, 'is set by Sluice'],
  [{ 'openai/gpt-5': { extra_body: { store: true } } }, 'is set by Sluice'],
  [{ 'openai/gpt-5': { extra_headers: { 'a b': 'c' } } }, 'is not a header name'],
  [{ 'openai/gpt-5': { extra_headers: { a: 'b\r\nc: d' } } }, 'extra_headers.a'],
  [{ 'openai/gpt-5': { reasoning_effort: 'much' } }, 'reasoning_effort'],
  [{ 'openai/gpt-5': { temperature: 3 } }, 'temperature'],
  [{ 'openai/gpt-5': { stages: { publish: {} } } }, '"publish"'],
])('refuses %j', (table, says) => {
  expect(refusalOf(written(JSON.stringify(table))).message).toContain(says);
});
