import { expect, it } from 'vitest';
import { fitsTitle } from './fits-title.ts';

it.each([
  ['adds 1 and 2', 'adds %i and %i', true],
  ['adds 1', 'adds %i and %i', false],
  ['adds more', 'adds', false],
  ['refuses x of y', `refuses ${'$'}{one} of ${'$'}{other}`, true],
  ['for $name', 'for $name', true],
  ['anything', '%s', true],
  ['aXa', 'a%sa%sa', false],
])('fits %j to the title %j: %s', (part, title, expected) => {
  expect(fitsTitle(part, title)).toBe(expected);
});

it('takes little time for titles made to be slow', () => {
  const started = process.cpuUsage();
  for (let at = 0; at < 1_000; at += 1) fitsTitle('a'.repeat(300), `${'a%s'.repeat(100)}b`);
  expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
});
