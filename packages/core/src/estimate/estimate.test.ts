import { describe, expect, it } from 'vitest';
import {
  type Actual,
  actualOf,
  type Estimate,
  estimateRest,
  MAX_RUNS,
  type PastRun,
  planSize,
  toEstimateWire,
} from './estimate.ts';

const none: Estimate = { history: 0, cost_usd: null, active_ms: null, coverage: { held: 0, of: 0 } };
const range = (low: number, high: number) => ({ point: (low + high) / 2, low, high });
const run = (actual: Actual, over: Partial<PastRun> = {}): PastRun => ({ size: 1, estimate: none, actual, ...over });

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A number of Student's distribution with three degrees of freedom: its tails are heavy. */
function heavyTailed(random: () => number): number {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return normal() / Math.sqrt((normal() ** 2 + normal() ** 2 + normal() ** 2) / 3);
}

/** Runs that cost more and more, by a factor of two and a half from the first to the last: which share of the ranges held. */
function simulate(seed: number): { readonly cost: number; readonly time: number } {
  const random = randomFrom(seed);
  const past: PastRun[] = [];
  for (let index = 0; index < 500; index += 1) {
    const size = 1 + Math.floor(20 * random() ** 2);
    const estimate = estimateRest(size, past.slice(-MAX_RUNS));
    const drift = index / 500;
    const effort = 0.5 * heavyTailed(random);
    const costUsd = 0.05 * size ** 0.9 * Math.exp(drift + effort + 0.5 * heavyTailed(random));
    const activeMs = Math.round(20_000 * size * Math.exp(drift + effort + 0.3 * heavyTailed(random)));
    past.push({ size, estimate, actual: { costUsd, activeMs } });
  }
  const share = (of: 'cost_usd' | 'active_ms', actual: keyof Actual) => {
    const known = past.filter(({ estimate }) => estimate[of] !== null);
    const held = known.filter(({ estimate, actual: { [actual]: value } }) => {
      const given = estimate[of];
      return given !== null && value !== null && given.low <= value && value <= given.high;
    });
    return held.length / known.length;
  };
  return { cost: share('cost_usd', 'costUsd'), time: share('active_ms', 'activeMs') };
}

describe('an estimate', () => {
  it('needs twenty runs, and says how many there are', () => {
    const past = Array.from({ length: 19 }, () => run({ costUsd: 1, activeMs: 1_000 }));
    expect(estimateRest(3, past)).toEqual({ ...none, history: 19 });
    expect(toEstimateWire({ ...none, history: 12 }).summary).toBe(
      'No estimate yet: not enough history (12 of 20 runs).',
    );
    expect(estimateRest(3, [...past, run({ costUsd: null, activeMs: 1_000 })])).toMatchObject({
      cost_usd: null,
      active_ms: { point: 3_000, low: 3_000, high: 3_000 },
    });
  });

  it('is the middle and the ends of what past runs took for each unit of size', () => {
    const past = Array.from({ length: 29 }, (_, index) => run({ costUsd: 2 * (29 - index), activeMs: 0 }, { size: 2 }));
    // The 3rd, the 15th and the 27th of 29 ratios: ⌊0.1 · 30⌋ and ⌈0.9 · 30⌉.
    expect(estimateRest(10, past).cost_usd).toEqual({ point: 150, low: 30, high: 270 });
    expect(estimateRest(10, past).active_ms).toEqual({ point: 0, low: 0, high: 0 });
  });

  it('tells how many of the ranges given before held, of cost and of time', () => {
    const estimate: Estimate = { ...none, cost_usd: range(1, 3), active_ms: range(10, 20) };
    const past = [
      run({ costUsd: 1, activeMs: 21 }, { estimate }),
      run({ costUsd: 3.01, activeMs: null }, { estimate }),
      run({ costUsd: 2, activeMs: 2 }),
    ];
    expect(estimateRest(1, past).coverage).toEqual({ held: 1, of: 3 });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'holds in 75 to 85 % of 500 runs with heavy tails and a drift, from seed %i',
    (seed) => {
      const { cost, time } = simulate(seed);
      for (const share of [cost, time]) {
        expect(share).toBeGreaterThanOrEqual(0.75);
        expect(share).toBeLessThanOrEqual(0.85);
      }
    },
  );

  it.each([
    [
      { cost_usd: { point: 0.42, low: 0.2, high: 1.1 }, active_ms: { point: 360_000, low: 180_000, high: 840_000 } },
      'Likely $0.42 (0.20–1.10) and 6 min (3–14), from 48 runs here; such ranges held 41 of 50 times.',
    ],
    [
      { cost_usd: { point: 0.0123, low: 0, high: 0.2 }, active_ms: { point: 90_000, low: 2_300, high: 7_200_000 } },
      'Likely $0.012 (0–0.20) and 90 s (2.3–7,200), from 48 runs here; such ranges held 41 of 50 times.',
    ],
    [
      { cost_usd: null, active_ms: { point: 9_000_000, low: 3_600_000, high: 36_000_000 } },
      'Likely 2.5 h (1–10), from 48 runs here; such ranges held 41 of 50 times. The cost is unknown: too few of these runs have a known price.',
    ],
  ])('reads as a sentence: %j', (ranges, sentence) => {
    expect(toEstimateWire({ history: 48, coverage: { held: 41, of: 50 }, ...ranges }).summary).toBe(sentence);
  });

  it('says when no range has been checked yet', () => {
    const estimate: Estimate = { ...none, history: 20, cost_usd: range(1, 3), active_ms: range(60_000, 180_000) };
    expect(toEstimateWire(estimate).summary).toBe(
      'Likely $2.00 (1.00–3.00) and 2 min (1–3), from 20 runs here; no such range has been checked yet.',
    );
  });
});

describe('what a run took', () => {
  const estimate: Estimate = { ...none, cost_usd: range(1, 3), active_ms: range(10, 20) };
  const spent = { costUsd: 4, activeMs: 15 };

  it('counts when the coder came to a result, however the run ended', () => {
    expect(actualOf(spent, { hasResult: true, estimate })).toEqual(spent);
    expect(actualOf({ costUsd: null, activeMs: 15 }, { hasResult: true, estimate: none })).toEqual({
      costUsd: null,
      activeMs: 15,
    });
  });

  it('counts of a run that was cut off before only where it is above the range already', () => {
    expect(actualOf(spent, { hasResult: false, estimate })).toEqual({ costUsd: 4, activeMs: null });
    expect(actualOf(spent, { hasResult: false, estimate: none })).toEqual({ costUsd: null, activeMs: null });
  });
});

it('measures a plan by its steps and the files that it names, each once', () => {
  const step = (files: string[]) => ({ title: 'Do it', detail: '', files });
  const plan = (steps: ReturnType<typeof step>[]) => ({
    summary: '',
    steps,
    acceptance_criteria: [],
    risks: [],
    test_strategy: '',
  });
  expect(planSize(plan([step(['a.ts', './a.ts']), step(['b.ts'])]))).toBe(4);
  expect(planSize(plan([]))).toBe(1);
});
