import { expect, it } from 'vitest';
import { instantText } from './instant-text.ts';

const DAY_MS = 86_400_000;
const LAST_MS = 100_000_000 * DAY_MS; // the last instant of a Date

it.each([
  ['the first second of 1970', 0],
  ['the millisecond before it', -1],
  ['the last millisecond of a day', DAY_MS - 1],
  ['a leap day', Date.UTC(2028, 1, 29, 23, 59, 59, 999)],
  ['a year of five digits', Date.UTC(12_345, 0, 1)],
  ['a year before zero', Date.UTC(-44, 2, 15, 12)],
  ['the first instant of a Date', -LAST_MS],
  ['the last instant of a Date', LAST_MS],
])('writes %s as toISOString does', (_, ms) => {
  expect(instantText(new Date(ms))).toBe(new Date(ms).toISOString());
});

it('writes instants of any days in turn as toISOString does', () => {
  // A stride that is no multiple of a day, so that all hours, minutes and milliseconds come up.
  const instants = Array.from(
    { length: 4_000 },
    (_, index) => new Date(((index * 7_654_321_987) % (2 * LAST_MS)) - LAST_MS),
  );
  expect(instants.map(instantText)).toEqual(instants.map((instant) => instant.toISOString()));
});

it('throws for a time that is none, also after one that is', () => {
  expect(() => instantText(new Date(Number.NaN))).toThrow(RangeError);
  instantText(new Date(0));
  expect(() => instantText(new Date(Number.NaN))).toThrow(RangeError);
});
