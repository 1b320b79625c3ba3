import { countingIds } from './counting-ids.ts';
import type { Databases } from './database.ts';
import { createDisk, diskFor } from './disk.ts';
import { type FinalState, finalStates } from './final-state.ts';
import { createFleet, type Fleet } from './fleet.ts';
import { createJobNet } from './job-net.ts';
import { createOracle } from './oracle.ts';
import { createOutside, type OutboundRequest } from './outside.ts';
import { createPeople } from './people.ts';
import { createRandom } from './random.ts';
import { createReaders } from './readers.ts';
import { register, shapeOf } from './registered.ts';
import { createSchedule } from './schedule.ts';
import { createScriptedPeople, scriptsOf } from './scripted-people.ts';
import { createSignalsNet } from './signals-net.ts';
import { type SimFaults, stopFaults, USUAL_FAULTS } from './sim-faults.ts';
import { createSimProcess } from './sim-process.ts';
import { createTrace } from './trace.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';

export interface SeedOptions {
  readonly seed: number;
  /** Whether promises are checked. The second run of a seed only has to give the same trace. */
  readonly isChecked: boolean;
  readonly keepsTrace?: boolean;
  /** Faults that do not happen. */
  readonly without?: readonly string[];
  /** Whether people follow scripts whose acts commute, so that the final states can be compared with another run's. */
  readonly isScripted?: boolean;
}

export interface SeedResult {
  readonly hash: number;
  readonly steps: number;
  /** How many issues ended, by status. */
  readonly ended: Readonly<Record<string, number>>;
  /** Null: every promise held. */
  readonly violation: unknown;
  readonly trace: readonly string[];
  /** How the issues of a scripted run ended. */
  readonly states: Readonly<Record<string, FinalState>>;
}

const EPOCH_MS = Date.UTC(2030, 0, 1);
const CALM_MS = 15 * 60_000; // retries of a stage wait up to half a minute each, ten times
const MAX_STEPS = 40_000;

/** Runs the service from one seed: a while with faults and people, then without faults until all work has ended. */
export async function runSeed(databases: Databases, options: SeedOptions): Promise<SeedResult> {
  const { seed, isChecked } = options;
  const random = createRandom(seed);
  const trace = createTrace({ keepsAll: options.keepsTrace ?? false });
  const faults: SimFaults = { ...USUAL_FAULTS };
  for (const name of options.without ?? []) Object.assign(faults, { [name]: 0 });
  const schedule = createSchedule({ random, trace, faults, isBusy: () => database.isBusy() });
  const clock = { now: () => new Date(EPOCH_MS + Math.round(schedule.now())) };
  const shape = shapeOf(random);
  const signals = createSignalsNet({ schedule, random, faults });
  const jobs = createJobNet({ schedule, random, faults });
  let fleet: Fleet | null = null;
  let bug: unknown = null;
  const database = await databases.open({
    clock,
    databaseNow: () => clock.now().getTime(),
    maxActivePipelines: shape.cap,
    gateKeepsSlot: shape.gateKeepsSlot,
    onEvents: signals.eventsWritten,
    onRunnable: (ids) => (shape.isEmbedded ? fleet : jobs)?.runnable(ids),
    onListenerError: (error) => {
      bug ??= error;
    },
  });
  const onRejection = (error: unknown) => {
    bug ??= error;
  };
  process.on('unhandledRejection', onRejection);
  const { stores } = database;
  const api = createSimProcess({ schedule, random, faults }, 'api');
  const outside = createOutside(
    { schedule, random, faults },
    {
      onSent: (request: OutboundRequest) => {
        try {
          if (isChecked) oracle.onSent(request);
        } catch (error) {
          bug ??= error;
        }
      },
      onViolation: (what) => {
        bug ??= new Violation(what);
      },
    },
  );
  const oracle = createOracle(database.raw, { schedule, outside });
  const world: World = {
    schedule,
    random,
    faults,
    stores,
    outside,
    oracle,
    api,
    ids: countingIds(),
    clock,
    cipher: { encrypt: () => ({ encrypted: '', nonce: '' }), decrypt: () => 'token' },
    signalsOf: signals.of,
    basesOf: (one) => diskFor(one, createDisk('none'), outside).bases,
    async settle() {
      do await schedule.rest();
      while (await schedule.step());
    },
  };

  async function step(): Promise<void> {
    await schedule.step();
    oracle.check();
    const fault = bug ?? people.fault();
    if (fault !== null) throw fault;
    if (schedule.steps > MAX_STEPS) throw new Violation(`the run does not end within ${MAX_STEPS} steps`);
  }

  const repos = await register(world, random);
  const readers = createReaders(api, world, random);
  const scripts = options.isScripted === true ? scriptsOf(seed, repos) : [];
  const people = scripts.length > 0 ? createScriptedPeople(world, scripts) : createPeople(world, repos);
  let violation: unknown = null;
  let hash: number | null = null;
  try {
    fleet = createFleet(world, {
      ...shape,
      hosts: shape.isEmbedded ? 1 : random.between(1, 3),
      isDiskShared: random.chance(0.3),
      attach: (process) => ({ stores, driver: jobs.driverOf(process), detach: () => undefined }),
      onBug: (error) => {
        bug ??= error;
      },
    });
    for (const userId of new Set(repos.map(({ userId }) => userId))) readers.followUser(userId);
    const acts = random.between(6, 14);
    await trouble({ step, acts, fleet });
    stopFaults(faults);
    readers.faultsStopped(oracle.rows());
    fleet.heal();
    await calm(step);
    fleet.end();
    await world.settle();
    hash = trace.hash();
    if (isChecked) {
      oracle.finish();
      await readers.finish(oracle.rows());
      if (bug !== null) throw bug;
    }
  } catch (error) {
    violation = error;
  } finally {
    fleet?.end();
    readers.close();
    process.off('unhandledRejection', onRejection);
  }
  const states = await finalStates(stores.issues, outside, scripts);
  const ended: Record<string, number> = {};
  for (const { status } of oracle.rows()) ended[status] = (ended[status] ?? 0) + 1;
  await database.close();
  return { hash: hash ?? trace.hash(), steps: schedule.steps, ended, violation, trace: trace.lines(), states };

  /** People act and processes fail, until people have had enough. */
  async function trouble(of: { step: () => Promise<void>; acts: number; fleet: Fleet }): Promise<void> {
    for (let left = of.acts, followed = 0; left > 0; ) {
      if (schedule.steps < 3 || random.chance(0.025)) {
        people.act();
        left -= 1;
      }
      if (oracle.rows().some(({ status }) => status === 'awaiting_approval') && random.chance(0.03)) people.approve();
      if (random.chance(0.01)) readers.disconnect();
      of.fleet.strike();
      await of.step();
      const row = oracle.rows()[followed];
      if (row !== undefined) {
        followed += 1;
        const issue = await stores.issues.get(row.id as never);
        if (issue !== null && random.chance(0.5)) readers.followIssue(issue);
      }
    }
  }

  /** Everything works: whatever is queued or running must come to its end. */
  async function calm(step: () => Promise<void>): Promise<void> {
    const began = schedule.now();
    for (let count = 0; ; count += 1) {
      const open = oracle.rows().filter(({ status, queue_ordinal }) => isUnderWay(status) || queue_ordinal !== null);
      if (open.length === 0 && !people.isBusy()) return;
      const isAsked = open.some(({ status }) => status === 'awaiting_approval');
      // Scripted people have one request after the other refused while another issue is active.
      if (people.isBusy() ? count % 3 === 0 : count % 25 === 0 && isAsked) people.approve();
      if (schedule.now() - began > CALM_MS) {
        const stuck = open.map(({ id, status }) => `${id.slice(-4)} is ${status}`).join(', ');
        throw new Violation(
          `${CALM_MS / 60_000} min after the last fault: ${stuck || 'people still wait for something'}`,
        );
      }
      await step();
    }
  }
}

function isUnderWay(status: string): boolean {
  return status === 'running' || status === 'human_review' || status === 'awaiting_approval';
}
