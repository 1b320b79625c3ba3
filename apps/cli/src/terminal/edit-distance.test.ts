import { expect, it } from 'vitest';
import { editDistance } from './edit-distance.ts';

it.each([
  ['', '', 0],
  ['run', '', 3],
  ['rnu', 'run', 1],
  ['isues', 'issues', 1],
  ['lst', 'list', 1],
  ['lit', 'list', 1],
  ['rin', 'run', 1],
  ['bogus', 'logout', 3],
])('counts the typing errors between %j and %j: %i', (a, b, count) => {
  expect(editDistance(a, b)).toBe(count);
  expect(editDistance(b, a)).toBe(count);
});
