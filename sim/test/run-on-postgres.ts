import { systemTimers } from '@sluice/core/async';
import { openPostgres, type Stores } from '@sluice/db';
import { newId, type PostgresDatabases, until } from '@sluice/testing';
import { createGraphileDriver } from '@sluice/worker';
import { countingIds } from '../src/counting-ids.ts';
import { createDisk, diskFor } from '../src/disk.ts';
import { type FinalState, finalStates } from '../src/final-state.ts';
import { type Attachment, createFleet, type Pace } from '../src/fleet.ts';
import { createOracle } from '../src/oracle.ts';
import { createOutside } from '../src/outside.ts';
import { createRandom } from '../src/random.ts';
import { register, shapeOf } from '../src/registered.ts';
import { createScriptedPeople, scriptsOf } from '../src/scripted-people.ts';
import { createSignalsNet } from '../src/signals-net.ts';
import { type SimFaults, stopFaults, USUAL_FAULTS } from '../src/sim-faults.ts';
import { createSimProcess, type SimProcess } from '../src/sim-process.ts';
import { createRealSchedule } from './real-schedule.ts';
import { rowsInMemory } from './rows-in-memory.ts';

/** Seconds where a server has minutes: real time has to pass. */
const PACE: Pace = {
  leaseMs: 2_000,
  maintenanceMs: 250,
  longestFreezeMs: 3_000,
  longestCutMs: 0,
  longestRestartMs: 300,
};
const STEP_MS = 25;
const TROUBLE_STEPS = 80;
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Chances at each step of the trouble. Those of the network and of single calls are left to the simulator. */
const FAULTS: Readonly<SimFaults> = {
  ...(Object.fromEntries(Object.keys(USUAL_FAULTS).map((name) => [name, 0])) as unknown as SimFaults),
  freeze: 0.02,
  kill: 0.02,
  drain: 0.01,
  lostHint: USUAL_FAULTS.lostHint,
  doubledHint: USUAL_FAULTS.doubledHint,
};
const CUT_CHANCE = 0.03;

/** Migrates a database, of which each run gets a copy. @returns its name */
export async function createTemplate(server: PostgresDatabases): Promise<string> {
  const url = await server.createDatabase();
  const { queue } = createGraphileDriver({ url, applicationName: 'template', timers: systemTimers, log: quiet });
  await (await openPostgres({ url, applicationName: 'template', clock: { now: () => new Date() }, queue })).close();
  return new URL(url).pathname.slice(1);
}

/**
 * Runs the scripted people of a seed against worker processes with connections of their own to Postgres and graphile-worker.
 * They are killed, frozen and drained, and their connections are cut, at moments that the seed does not decide.
 *
 * @param from.template the name of a migrated database
 * @returns how the issues ended
 * @throws Violation when the rows break a promise
 */
export async function runOnPostgres(
  server: PostgresDatabases,
  from: { readonly seed: number; readonly template: string },
): Promise<Record<string, FinalState>> {
  const url = await server.createDatabase(from.template);
  const database = new URL(url).pathname.slice(1);
  const random = createRandom(from.seed);
  const faults: SimFaults = { ...FAULTS };
  const schedule = createRealSchedule();
  const shape = shapeOf(random);
  const signals = createSignalsNet({ schedule, random, faults });
  const clock = { now: () => new Date() };
  const opened: Stores[] = [];
  const ending: Promise<unknown>[] = [];
  let bug: unknown = null;

  const driverOf = (applicationName: string) =>
    createGraphileDriver({ url, applicationName, timers: systemTimers, log: quiet });
  const { queue } = driverOf('api');
  async function open(applicationName: string): Promise<Stores> {
    const stores = await openPostgres({
      url,
      applicationName,
      clock,
      queue,
      poolSize: 4,
      maxActivePipelines: shape.cap,
      gateKeepsSlot: shape.gateKeepsSlot,
      onEvents: signals.eventsWritten,
      onListenerError: (error) => {
        bug ??= error;
      },
    });
    opened.push(stores);
    return stores;
  }

  const stores = await open('api');
  const api = createSimProcess({ schedule, random, faults }, 'api');
  const outside = createOutside(
    { schedule, random, faults },
    {
      onSent: () => undefined, // which lease counts can only be told where one step happens at a time
      onViolation: (what) => {
        bug ??= new Error(what);
      },
    },
  );
  const world = {
    schedule,
    random,
    faults,
    stores,
    outside,
    api,
    ids: countingIds(),
    clock,
    cipher: { encrypt: () => ({ encrypted: '', nonce: '' }), decrypt: () => 'token' },
    signalsOf: signals.of,
    basesOf: (one: SimProcess) => diskFor(one, createDisk('none'), outside).bases,
  };
  const scripts = scriptsOf(from.seed, await register(world, random));
  const people = createScriptedPeople(world, scripts);
  const hosts = random.between(2, 3);
  const storesOf: Stores[] = [];
  for (let host = 0; host < hosts; host += 1) storesOf.push(await open(`w${host + 1}`));

  function attach(process: SimProcess, host: number): Attachment {
    const driver = driverOf(process.name);
    const died = Promise.withResolvers<void>();
    const end = async () => {
      await driver.stop();
      await driver.close();
    };
    return {
      stores: storesOf[host] ?? stores,
      driver: {
        ...driver,
        start: ({ concurrency, handle }) =>
          driver.start({ concurrency, handle: (issueId) => Promise.race([handle(issueId), died.promise]) }),
      },
      detach() {
        died.resolve();
        ending.push(end());
      },
    };
  }

  const fleet = createFleet(
    { ...world, ids: { next: newId } },
    {
      hosts,
      isEmbedded: false,
      isDiskShared: random.chance(0.3),
      attach,
      pace: PACE,
      onBug: (error) => {
        bug ??= error;
      },
    },
  );
  try {
    let step = 0;
    await until('all issues of the scripts have ended', async () => {
      step += 1;
      if (step < TROUBLE_STEPS) {
        fleet.strike();
        if (random.chance(CUT_CHANCE)) await cutConnections();
      }
      if (step === TROUBLE_STEPS) {
        stopFaults(faults);
        fleet.heal();
      }
      people.act();
      await systemTimers.sleep(STEP_MS);
      const fault = bug ?? people.fault();
      if (fault !== null) throw fault;
      return !people.isBusy();
    });
    const states = await finalStates(stores.issues, outside, scripts);
    fleet.end();
    await Promise.all(ending);
    const rows = await rowsInMemory(server, database);
    createOracle(rows, { schedule, outside }).finish();
    rows.close();
    return states;
  } finally {
    fleet.end();
    await Promise.all(ending);
    for (const one of opened) await one.close();
  }

  async function cutConnections(): Promise<void> {
    await server.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}' and application_name like 'w%'`,
    );
  }
}
