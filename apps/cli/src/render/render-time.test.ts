import { expect, it } from 'vitest';
import { renderDuration, renderElapsed, renderInstant, renderRelative } from './render-time.ts';

const HOUR = 3_600_000;

it.each([
  [-5, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [125_000, '2 min 5 s'],
  [3 * HOUR + 600_000, '3 h 10 min'],
  [148 * HOUR, '6 d 4 h'],
])('renders %d ms as %s', (ms, text) => expect(renderElapsed(ms)).toBe(text));

it('shows tenths only below a minute', () => {
  expect([40, 1_250, 61_900].map(renderDuration)).toEqual(['0.0 s', '1.3 s', '1 min 1 s']);
});

it.each([
  ['2026-11-23T11:59:40Z', '20 s ago'],
  ['2026-11-23T09:00:00Z', '3 h ago'],
  ['2026-11-20T09:00:00Z', '3 d ago'],
  ['2026-11-23T12:05:00Z', 'in 5 min'],
  ['2026-11-30T11:59:58Z', 'in 7 d'],
])('renders %s as %s at noon', (at, text) => {
  expect(renderRelative(at, new Date('2026-11-23T12:00:00Z'))).toBe(text);
});

it('renders an instant in the local time zone', () => {
  const local = new Date(2026, 0, 2, 3, 4).toISOString();
  expect(renderInstant(local)).toBe('2026-01-02 03:04');
});
