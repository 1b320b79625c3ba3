import { type Estimate, MIN_RUNS, type Range } from '@sluice/core/estimate';
import { exactUsd } from '@sluice/core/pipeline';
import {
  aPlanOf,
  completedRun,
  isSoakRun,
  type OpenStores,
  type PostgresDatabases,
  randomFrom,
  registeredRepo,
  type StoreHarness,
  sharedPostgres,
  type Taken,
} from '@sluice/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratchStoresOn } from './scratch-postgres.ts';
import { openScratchStores } from './scratch-stores.ts';

const RUNS = isSoakRun ? 500 : 30;
const SEEDS = isSoakRun ? [1, 2, 3] : [1];

let server: PostgresDatabases;
beforeAll(async () => {
  if (isSoakRun) server = await sharedPostgres();
});
afterAll(() => server?.[Symbol.asyncDispose]());

const engines: [string, OpenStores][] = [
  ['SQLite', openScratchStores],
  ...(isSoakRun ? [['Postgres', scratchStoresOn(() => server)] as [string, OpenStores]] : []),
];

interface SimulatedRun {
  readonly estimate: Estimate;
  readonly taken: Taken;
}

/** A number of Student's distribution with three degrees of freedom: its tails are heavy. */
function heavyTailed(random: () => number): number {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return normal() / Math.sqrt((normal() ** 2 + normal() ** 2 + normal() ** 2) / 3);
}

/**
 * Runs one after the other, with plans of 1 to 12 steps: cost and time have heavy tails, belong together, and grow by a factor
 * of two and a half over 500 runs.
 */
async function simulate(stores: StoreHarness, seed: number): Promise<readonly SimulatedRun[]> {
  const random = randomFrom(seed);
  const repos = [await registeredRepo(stores), await registeredRepo(stores)] as const;
  const runs: SimulatedRun[] = [];
  for (let index = 0; index < RUNS; index += 1) {
    const steps = 1 + Math.floor(12 * random() ** 2);
    const drift = index / 500;
    const effort = 0.5 * heavyTailed(random);
    const costUsd = exactUsd(0.04 * steps ** 0.9 * Math.exp(drift + effort + 0.5 * heavyTailed(random)));
    const activeMs = Math.round(20_000 * steps * Math.exp(drift + effort + 0.3 * heavyTailed(random)));
    const taken = { costUsd, activeMs };
    const estimate = await completedRun(stores, repos[(index % 2) as 0 | 1], { plan: aPlanOf(steps), taken });
    runs.push({ estimate, taken });
  }
  return runs;
}

/** The verdicts on the given ranges, of cost or of time. */
function verdicts(
  runs: readonly SimulatedRun[],
  of: (run: SimulatedRun) => { readonly range: Range | null; readonly value: number | null },
): readonly boolean[] {
  return runs.flatMap((run) => {
    const { range, value } = of(run);
    return range === null || value === null ? [] : [range.low <= value && value <= range.high];
  });
}

const share = (held: readonly boolean[]) => held.filter((isHeld) => isHeld).length / held.length;

describe.each(engines)('estimates of simulated runs on %s', (_, open) => {
  it.each(SEEDS)(`hold in 75 to 85 of 100, over ${RUNS} runs from seed %i, and say so themselves`, async (seed) => {
    await using stores = await open();
    const runs = await simulate(stores, seed);
    const costs = verdicts(runs, ({ estimate, taken }) => ({ range: estimate.cost_usd, value: taken.costUsd }));
    const times = verdicts(runs, ({ estimate, taken }) => ({ range: estimate.active_ms, value: taken.activeMs }));
    for (const held of [costs, times]) expect(held).toHaveLength(RUNS - MIN_RUNS);
    const last = runs.at(-1)?.estimate;
    // All but the last run, of which nothing was known when its own estimate was made; the last 200 of those.
    const known = [...costs.slice(0, -1).slice(-200), ...times.slice(0, -1).slice(-200)];
    expect(last?.coverage).toEqual({ held: known.filter((isHeld) => isHeld).length, of: known.length });
    if (!isSoakRun) return; // too few to say how many hold
    for (const held of [costs, times]) {
      expect(share(held)).toBeGreaterThanOrEqual(0.75);
      expect(share(held)).toBeLessThanOrEqual(0.85);
    }
  });
});
