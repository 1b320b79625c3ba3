import { expect, it } from 'vitest';
import { parseDuration } from './variable.ts';

it.each([
  ['250ms', 250],
  ['30s', 30_000],
  ['15m', 900_000],
  ['12h', 43_200_000],
  ['7d', 604_800_000],
  ['0', 0],
])('reads %s as %d milliseconds', (text, ms) => expect(parseDuration(text)).toBe(ms));

it.each(['', '7', '7 d', '-7d', '7D', '1.5h', '7d7h', 'd', '1e3s', '1234567890s'])(
  'rejects "%s" as a duration',
  (text) => expect(parseDuration(text)).toBeNull(),
);
