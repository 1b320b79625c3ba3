import { expect, it } from 'vitest';
import { cutAt, NO_CUT, type SilentCut, withCount } from './silent-cut.ts';

/** Where a server seems to cut that counts so, over thirty requests of which each is larger than the one before. */
function cutOf(count: (estimated: number, request: number) => number): number | null {
  const sizes = Array.from({ length: 30 }, (_, request) => 4_000 + request * 700);
  return cutAt(
    sizes.reduce<SilentCut>(
      (cut, estimated, request) => withCount(cut, { estimated, reported: Math.round(count(estimated, request)) }),
      NO_CUT,
    ),
  );
}

it.each([
  ['cuts the text', (size: number) => Math.min(0.8 * size, 4_096), 4_096],
  ['drops whole messages', (size: number, n: number) => Math.min(0.8 * size, 5_000 + 300 * ((n * 7) % 11)), 8_000],
])('finds the window of a server that %s', (_how, count, window) => {
  const found = cutOf(count) ?? 0;
  expect(found).toBeLessThanOrEqual(window);
  expect(found).toBeGreaterThan(0.9 * window);
});

it.each([0.48, 0.4, 0.3])(
  'takes a count that grows with the request, at %d of it, for another way to count',
  (share) => {
    expect(cutOf((size) => share * size)).toBeNull();
    expect(cutOf((size, request) => share * size + 60 * (request % 3))).toBeNull();
  },
);

it('is not sure while no request is larger than the first that was counted low', () => {
  const low = { estimated: 9_000, reported: 4_000 };
  const again = withCount(withCount(NO_CUT, low), { estimated: 9_100, reported: 4_000 });
  expect(cutAt(again)).toBeNull();
  expect(cutAt(withCount(again, { estimated: 9_400, reported: 4_000 }))).toBe(4_000);
});
