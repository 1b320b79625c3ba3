import { isSoakRun, type PostgresDatabases, sharedPostgres } from '@sluice/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabases, type Databases } from '../../src/database.ts';
import { runSeed } from '../../src/run-seed.ts';
import { USUAL_FAULTS } from '../../src/sim-faults.ts';
import { createTemplate, runOnPostgres } from '../run-on-postgres.ts';

// People follow scripts whose acts commute: how each issue ends must not depend on what fails, nor on the engine.

const ONLY = process.env.SIM_SEED;
const AT_ONCE = 4; // on Postgres, real time passes while a process is frozen or a lease runs out

let server: PostgresDatabases;
let template: string;
let databases: Databases;
beforeAll(async () => {
  databases = await createDatabases();
  server = await sharedPostgres();
  template = await createTemplate(server);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  databases[Symbol.dispose]();
});

/** The seeds that run: fewer in `npm test` than in the soak run. `SIM_SEED=7` runs that one only. */
function seeds(count: { readonly test: number; readonly soak: number }): number[] {
  if (ONLY !== undefined) return [Number(ONLY)];
  return Array.from({ length: isSoakRun ? count.soak : count.test }, (_, index) => index + 1);
}

const again = (seed: number) => `Repeat it with: SIM_SEED=${seed} npm test -- sim/test/soak/same-end.test.ts`;

async function simulated(seed: number, without: readonly string[] = []) {
  const { violation, states } = await runSeed(databases, { seed, isChecked: true, isScripted: true, without });
  expect(violation, again(seed)).toBeNull();
  return states;
}

it('ends every issue the same whether anything fails or not', async () => {
  for (const seed of seeds({ test: 3, soak: 1_000 })) {
    expect(await simulated(seed), again(seed)).toEqual(await simulated(seed, Object.keys(USUAL_FAULTS)));
  }
});

it('ends every issue the same in the simulator and on Postgres with graphile-worker', async () => {
  const left = seeds({ test: 2, soak: 100 }).values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const seed of left) {
        expect(await runOnPostgres(server, { seed, template }), again(seed)).toEqual(await simulated(seed));
      }
    }),
  );
});
