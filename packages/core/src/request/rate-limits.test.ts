import { expect, it } from 'vitest';
import { loginDelayMs } from './rate-limits.ts';

it('lets a few failures pass, slows the next ones more and more, and never without end', () => {
  expect([0, 4, 5, 6, 11, 12, 13, 1_000_000].map(loginDelayMs)).toEqual([0, 0, 500, 1_000, 3_500, 4_000, 4_000, 4_000]);
});
