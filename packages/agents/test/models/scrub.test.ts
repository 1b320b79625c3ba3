import { scrub, secretsInUrl } from '@sluice/core/text';
import { expect, it } from 'vitest';
import { vendorWords } from '../../src/providers/model-failure.ts';

it.each([
  ['the key my/+key= is wrong', 'the key [removed] is wrong'],
  ['GET /?k=my%2F%2Bkey%3D failed', 'GET /?k=[removed] failed'],
  ['Incorrect API key provided: sk-proj-ab***wxyz.', 'Incorrect API key provided: [removed]'],
  ['sent Authorization: Bearer abc.def', 'sent [removed]'],
  ['{"x-api-key":"short","a":1}', '{"[removed]","a":1}'],
  ['connect to https://me:pass@host/v1', 'connect to https://[removed]@host/v1'],
  ['at https://host/v1?sig=abc now', 'at https://host/v1?[removed] now'],
  ['id 0123456789abcdef0123456789abcdef', 'id [removed]'],
  ['model: claude-haiku-4-5-20251001 not found', 'model: claude-haiku-4-5-20251001 not found'],
  ['maximum context length is 32768 tokens', 'maximum context length is 32768 tokens'],
])('shows %j as %j', (text, shown) => {
  expect(scrub(text, ['my/+key=', ''])).toBe(shown);
});

it('knows the credentials that stand in an address', () => {
  expect(secretsInUrl('https://user:p%40ssword@h/v1?key=abcdef')).toEqual(['user', 'p@ssword', 'abcdef']);
  expect(secretsInUrl('no address')).toEqual([]);
});

it('shows one short line, without what was sent', () => {
  const sent = 'A long sentence of the prompt that nobody but the model may read.';
  const shown = vendorWords(`Invalid\n  input: "${sent}" ${'x '.repeat(400)}`, sent, []);
  expect(shown).toMatch(/^Invalid input: "?/);
  expect(shown).toHaveLength(300);
  expect(shown).not.toContain('of the prompt');
});
