import { expect, it } from 'vitest';
import { withoutThoughts } from './without-thoughts.ts';

it.each([
  ['whole ones', '<think>\nOr {"a": 1}?\n</think>\n\nBLOCKED: no.', 'BLOCKED: no.'],
  ['whole ones on one line', ' <thinking>Hm.</thinking>Done.', 'Done.'],
  ['those that the template began', 'Or {"a": 1}?\n</think>\n\nDone.', 'Done.'],
  ['those that did not end', '<think>\nAnd then I', ''],
])('takes thoughts away: %s', (_which, text, answer) => {
  expect(withoutThoughts(text)).toBe(answer);
});

it.each([
  'Done. `<think>` and `</think>` are shown now.',
  '{"summary": "The parser drops <think>…</think> from answers."}',
  'No thoughts.\n',
])('leaves words about such tags as they are: %s', (text) => {
  expect(withoutThoughts(text)).toBe(text);
});

it('takes no time for much white space', () => {
  const blank = '\n '.repeat(500_000);
  expect(withoutThoughts(blank)).toBe(blank);
});
