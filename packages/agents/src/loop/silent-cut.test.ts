import { describe, expect, it } from 'vitest';
import { cutAt, isCutCount, NO_CUT, type SilentCut, withCount, withoutHighest } from './silent-cut.ts';

interface Sent {
  readonly estimated: number;
  readonly given?: number;
  readonly reported: number;
}

const noted = (cut: SilentCut, { estimated, given = estimated, reported }: Sent) =>
  withCount(cut, { estimated, given, reported: Math.round(reported) });
const all = (sent: readonly Sent[]) => sent.reduce(noted, NO_CUT);

/** Thirty requests, each larger than the one before, and what a server counts of them. */
function counted(count: (estimated: number, request: number) => number): Sent[] {
  return Array.from({ length: 30 }, (_, request) => {
    const estimated = 4_000 + request * 700;
    return { estimated, reported: count(estimated, request) };
  });
}

/** The number of requests that a server had cut by the time it was known; null when it never was. */
function lostTo(window: number, growth: number): number | null {
  let cut = NO_CUT;
  let lost = 0;
  for (let estimated = 4_000; estimated < 200_000; estimated += growth) {
    const size = Math.round(0.85 * estimated);
    cut = noted(cut, { estimated, reported: Math.min(size, window) });
    lost += Number(size > window);
    if (cutAt(cut) !== null) return lost;
  }
  return null;
}

describe('a server that cuts', () => {
  it.each([
    [8_192, 1_000],
    [8_192, 1_500],
    [16_384, 1_500],
    [32_768, 5_000],
    [131_072, 400],
  ])('at %i tokens is known after two requests that it has cut, where each adds %i', (window, growth) => {
    expect(lostTo(window, growth)).toBe(2);
  });

  it('is known where its counts differ by two in a hundred', () => {
    const counts = [7_650, 8_190, 8_040, 8_100].map((reported, n) => ({ estimated: 9_000 + 1_500 * n, reported }));
    expect(cutAt(all(counts.slice(0, 3)))).toBe(8_190);
    expect(cutAt(all(counts))).toBe(8_190);
  });

  it('within what it might have left out of a cache is known after three', () => {
    expect(lostTo(2_048, 1_500)).toBe(3);
    expect(lostTo(4_096, 3_000)).toBe(3);
  });

  it.each([
    ['cuts the text', (size: number) => Math.min(0.8 * size, 4_096), 4_096],
    ['drops whole messages', (size: number, n: number) => Math.min(0.8 * size, 5_000 + 300 * ((n * 7) % 11)), 8_000],
  ])('has the window that it counts at most, where it %s', (_how, count, window) => {
    const found = cutAt(all(counted(count))) ?? 0;
    expect(found).toBeLessThanOrEqual(window);
    expect(found).toBeGreaterThan(0.9 * window);
  });

  it('tells nothing by the counts of what it has cut', () => {
    const whole = { estimated: 9_000, reported: 7_650 };
    const cut = { estimated: 10_500, reported: 8_192 };
    const again = { estimated: 12_000, reported: 8_192 };
    expect([[whole], [whole, cut], [whole, cut, again]].map((sent) => isCutCount(all(sent)))).toEqual([
      false,
      false,
      true,
    ]);
    expect(isCutCount(noted(all([whole, cut, again]), { estimated: 6_000, reported: 5_100 }))).toBe(false);
  });
});

describe('a server that is not suspected', () => {
  it.each([0.48, 0.4, 0.3])('counts less of a request, always the same share of %d', (share) => {
    expect(cutAt(all(counted((size) => share * size)))).toBeNull();
    expect(cutAt(all(counted((size, request) => share * size + 60 * (request % 3))))).toBeNull();
  });

  it.each([1, 64, 256, 512, 1_024, 2_048])('leaves out what it has cached in blocks of %i tokens', (block) => {
    let state = 7;
    const random = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    for (const [least, most] of [
      [200, 1_500],
      [500, 4_000],
      [1_500, 2_500],
      [3_000, 6_000],
    ] as const)
      for (let run = 0; run < 50; run += 1) {
        let [estimated, before] = [6_000, 0];
        const sent = Array.from({ length: 25 }, () => {
          const size = 0.85 * estimated;
          const one = { estimated, reported: size - Math.floor(before / block) * block };
          before = size;
          estimated += least + random() * (most - least);
          return one;
        });
        expect(cutAt(all(sent)), `${least} to ${most}`).toBeNull();
      }
  });

  it('leaves out what the model has thought', () => {
    const sent = Array.from({ length: 20 }, (_, request) => {
      const given = 5_000 + request * 200;
      return { estimated: given + request * 1_500, given, reported: 0.85 * given };
    });
    expect(cutAt(all(sent))).toBeNull();
  });

  it('counts other texts as much as those before the conversation was shortened', () => {
    const before = all([{ estimated: 30_000, reported: 25_000 }]);
    const after = noted(withoutHighest(before), { estimated: 31_000, reported: 25_000 });
    expect(isCutCount(after)).toBe(false);
    expect(cutAt(after)).toBeNull();
  });

  it('has had no larger request than the first that it counted low', () => {
    const low = { estimated: 19_000, reported: 4_000 };
    const again = all([low, { estimated: 19_100, reported: 4_000 }]);
    expect(cutAt(again)).toBeNull();
    expect(cutAt(noted(again, { estimated: 19_400, reported: 4_000 }))).toBe(4_000);
  });
});
