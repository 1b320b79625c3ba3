import { systemTimers } from '@sluice/core/async';
import type { IssueId } from '@sluice/core/id';
import { openPostgres } from '@sluice/db';
import { eventually, type PostgresServer, startPostgres, until } from '@sluice/testing';
import { expect, it } from 'vitest';
import { createGraphileDriver } from '../../src/queue/graphile-driver.ts';
import { type FakeCommand, tapTest, untilAborted } from '../fake-sandbox.ts';
import { openWorld } from '../world.ts';

/** From the end of an outage to a new claim: what is left of a lease, a sweep, and a poll. */
const TAKEN_MS = 15_000;
const APART_MS = 100;
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const { sleep } = systemTimers;
const clock = { now: () => new Date() };

/** Makes Postgres fail, calls `begun` when it does, and returns when it is well again. */
type Outage = (server: PostgresServer, begun: () => void) => Promise<void>;

const stopped =
  (ms: number): Outage =>
  async (server, begun) => {
    await server.stop();
    begun();
    await sleep(ms);
    await server.start();
  };
const CUT = `select pg_terminate_backend(pid) from pg_stat_activity where datname like 'sluice%'`;
const terminated: Outage = async (server, begun) => {
  begun();
  for (let times = 0; times < 12; times += 1) {
    await server.query(CUT);
    await sleep(250);
  }
};
const refused =
  (ms: number): Outage =>
  async (server, begun) => {
    const all = await server.query(`select datname from pg_database where datname like 'sluice%'`);
    const allow = async (how: boolean) => {
      for (const { datname } of all) await server.query(`alter database ${datname} with allow_connections ${how}`);
    };
    await allow(false);
    await server.query(CUT);
    begun();
    await sleep(ms);
    await allow(true);
  };

const outages: Readonly<Record<string, Outage>> = {
  'is stopped for 5 s': stopped(5_000),
  'is stopped for 8 s': stopped(8_000),
  'is stopped for 20 s': stopped(20_000),
  'is restarted fast': async (server, begun) => {
    begun();
    await server.stop();
    await server.start();
  },
  'is restarted immediately': async (server, begun) => {
    begun();
    await server.kill();
    await server.start();
  },
  'is frozen for 30 s': async (server, begun) => {
    server.freeze();
    begun();
    await sleep(30_000);
    server.thaw();
  },
  'ends all its backends for 3 s': terminated,
  'refuses connections for 8 s': refused(8_000),
};

/**
 * Workers on a database of their own, each of whose issues runs a command until an outage and `APART_MS` longer than the one before.
 * The rest of each execution is of no cost.
 */
async function openScene(server: PostgresServer, template: string, size: { workers: number; jobs: number }) {
  const url = await server.createDatabase(template);
  const newDriver = () => createGraphileDriver({ url, applicationName: 'outages', timers: systemTimers, log: quiet });
  const { queue } = newDriver();
  const world = await openWorld({
    open: ({ signals }) =>
      openPostgres({
        url,
        applicationName: 'outages',
        clock,
        queue,
        maxActivePipelines: size.jobs,
        onEvents: (hint) => signals.eventsWritten(hint),
      }),
  });
  /** The times at which each issue was claimed, and at which one of its stages was written. */
  const moves: { readonly id: IssueId; readonly at: number }[] = [];
  const commands = new Map<string, AbortSignal>();
  let outage = Promise.withResolvers<void>();
  let order: IssueId[] = [];
  let twice = 0;
  const held: FakeCommand = async (run) => {
    const id = run.root.replace('/trees/', '') as IssueId;
    if (commands.get(id)?.aborted === false) twice += 1;
    commands.set(id, run.signal);
    const at = order.indexOf(id);
    if (at < 0) order.push(id);
    try {
      const mine = at < 0 ? order.length - 1 : null;
      if (mine !== null) {
        await Promise.race([outage.promise, untilAborted(run.signal)]);
        await sleep(mine * APART_MS, run.signal);
      }
      return await tapTest(run);
    } finally {
      commands.delete(id);
    }
  };
  const runs: typeof world.runs = {
    ...world.runs,
    claim: async (id, claim) => {
      const claimed = await world.runs.claim(id, claim);
      if (claimed !== null) moves.push({ id, at: performance.now() });
      return claimed;
    },
  };
  const issues: typeof world.issues = {
    ...world.issues,
    apply: async (change) => {
      const outcome = await world.issues.apply(change);
      if (outcome.kind === 'applied') moves.push({ id: outcome.issue.id, at: performance.now() });
      return outcome;
    },
  };
  const drivers = Array.from({ length: size.workers }, newDriver);
  for (const driver of drivers) {
    const options = { concurrency: 10, leaseMs: 15_000, maintenanceMs: 2_000 }; // as in the service
    await world.makeWorker({ driver, deps: { runs, issues }, options, commands: { 'npm test': held } }).worker.start();
  }
  let created: IssueId[] = [];
  return {
    /** Creates the issues of a round, and waits until each runs its command. */
    async begin() {
      outage = Promise.withResolvers();
      order = [];
      created = [];
      for (let job = 0; job < size.jobs; job += 1) created.push((await world.newIssue()).id);
      await until('every command runs', () => order.length === size.jobs);
    },
    endCommands: () => outage.resolve(),
    /** Waits until every issue is at its gate. @returns the longest time from `from` to a claim or a write of an issue */
    async taken(from: number): Promise<number> {
      await eventually(async () => {
        for (const id of created) expect((await world.get(id)).gate, id).not.toBeNull();
      }, 200);
      const firstMoves = created.map((wanted) => moves.find(({ id, at }) => id === wanted && at > from)?.at ?? from);
      return Math.max(...firstMoves) - from;
    },
    /** The work that was done twice: commands at the same time, or stages. */
    async twice(): Promise<string[]> {
      const found = twice > 0 ? [`${twice} commands`] : [];
      for (const id of created) {
        const stages = (await world.story(id)).filter((line) => line.startsWith('stage.completed'));
        const names = stages.map((line) => line.replace(/ \d+$/, ''));
        if (new Set(names).size < names.length) found.push(`stages of ${id}: ${stages.join(', ')}`);
        const events = await world.events(id);
        if (events.some(({ seq }, index) => seq !== index + 1)) found.push(`events of ${id}`);
      }
      return found;
    },
    async free() {
      for (const id of created) await world.cancel(id);
    },
    async [Symbol.asyncDispose]() {
      outage.resolve();
      await world[Symbol.asyncDispose]();
      for (const driver of drivers) await driver.close();
    },
  };
}

async function startServer() {
  const server = await startPostgres({ connections: 400 });
  const url = await server.createDatabase();
  const { queue } = createGraphileDriver({ url, applicationName: 'template', timers: systemTimers, log: quiet });
  await (await openPostgres({ url, applicationName: 'template', clock, queue })).close();
  return { server, template: new URL(url).pathname.slice(1) };
}

async function outageOf(name: string, workers: number): Promise<void> {
  const outage = outages[name];
  if (outage === undefined) throw new Error(name);
  const { server, template } = await startServer();
  await using stack = new AsyncDisposableStack();
  stack.use(server);
  const scenes: Awaited<ReturnType<typeof openScene>>[] = [];
  for (let jobs = 1; jobs <= 8; jobs += 1) scenes.push(stack.use(await openScene(server, template, { workers, jobs })));
  for (const scene of scenes) await scene.begin();
  await outage(server, () => {
    for (const scene of scenes) scene.endCommands();
  });
  const over = performance.now();
  const taken = await Promise.all(scenes.map((scene) => scene.taken(over)));
  const seconds = taken.map((ms) => (ms / 1_000).toFixed(1)).join(' ');
  process.stdout.write(`Postgres ${name}, ${workers} worker(s), 1 to 8 jobs: taken again after ${seconds} s\n`);
  expect(Math.max(...taken)).toBeLessThan(TAKEN_MS);
  expect(await Promise.all(scenes.map((scene) => scene.twice()))).toEqual(scenes.map(() => []));
}

for (const workers of [1, 2]) {
  it.each(Object.keys(outages))(
    `takes every issue again and none twice when Postgres %s (workers: ${workers})`,
    (name) => outageOf(name, workers),
  );
}

const IN_A_ROW = [refused, stopped];

it.each([1, 2, 3, 4, 5])('takes every issue again after ten outages in a row (%i of 5)', async () => {
  const { server, template } = await startServer();
  await using stack = new AsyncDisposableStack();
  stack.use(server);
  const scene = stack.use(await openScene(server, template, { workers: 2, jobs: 5 }));
  let longest = 0;
  for (let round = 0; round < 10; round += 1) {
    await scene.begin();
    const outage = IN_A_ROW[round % IN_A_ROW.length] ?? refused;
    await outage(1_500)(server, scene.endCommands);
    const over = performance.now();
    longest = Math.max(longest, await scene.taken(over));
    expect(await scene.twice()).toEqual([]);
    await scene.free();
  }
  process.stdout.write(`ten outages in a row: taken again after ${(longest / 1_000).toFixed(1)} s at most\n`);
  expect(longest).toBeLessThan(TAKEN_MS);
});
