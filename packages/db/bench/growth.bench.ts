import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settableClock, startPostgres } from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { openPostgres, openSqlite, type Stores } from '../src/index.ts';
import { callsOf } from '../test/every-method/calls.ts';
import { createWorld } from '../test/every-method/world.ts';
import { fillInstallation, largestOf, pgWords, sqliteWords } from './fill-installation.ts';

const SMALL = 1_000;
const LARGE = 100_000; // with a million events
const REPEATS = 7;
/** SQLite answers in the event loop: nobody else is served meanwhile. Per MiB where the argument is larger. */
const MOST_MS = 10;
const MOST_GROWTH = 3;
/** Below it a ratio measures the machine. */
const NOTICED_MS = 1;
/** Of the calls with an argument of 4 MiB. */
const LARGE_ARGUMENT = 4;
/** What an operator does to a whole installation. */
const wholeInstallation = ['codehostSite.move', 'codehostSite.forget', 'encryptedSecrets.encryptedUnderOther'];

/** Limited by themselves: a small installation has less than that to do. */
const limited = ['maintenance.clearExpired with a full piece', 'maintenance.optimize'];

type Measure = () => () => number;
type Costs = Map<string, number>;

/** Milliseconds of the thread on which SQLite works. */
const threadMs: Measure = () => {
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };
};
const elapsedMs: Measure = () => {
  const before = performance.now();
  return () => performance.now() - before;
};

const clock = settableClock();
const now = clock.now().getTime();

it('keeps every method of every store short on SQLite, whatever the history', { timeout: 1_800_000 }, async () => {
  const costs: Costs[] = [];
  for (const issues of [SMALL, LARGE]) {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-growth-'));
    await (await openSqlite({ dataDir: folder, clock })).close();
    // Without statistics: an installation has none before its first maintenance.
    const raw = new Sqlite(join(folder, 'sluice.db'));
    raw.pragma('foreign_keys = off');
    raw.pragma('synchronous = off');
    raw.exec(`begin; ${fillInstallation(issues, now, sqliteWords)} commit`);
    raw.close();
    const stores = await openSqlite({ dataDir: folder, clock });
    costs.push(await costsOf(stores, { issues, measure: threadMs }));
    await stores.close();
    rmSync(folder, { recursive: true });
  }
  const [small = new Map(), large = new Map()] = costs;
  print('SQLite, CPU', small, large);
  const faults = [...large].flatMap(([name, ms]) => {
    if (wholeInstallation.includes(name)) return [];
    const perMiB = name.includes('4 MiB') ? ms / LARGE_ARGUMENT : ms;
    const growth = ms / Math.max(small.get(name) ?? 0, NOTICED_MS / MOST_GROWTH);
    const grows = growth > MOST_GROWTH && !limited.includes(name);
    return perMiB > MOST_MS || grows ? [`${name}: ${ms.toFixed(1)} ms, ${growth.toFixed(1)} ×`] : [];
  });
  expect(faults).toEqual([]);
});

it('keeps every method of every store short on Postgres, whatever the history', { timeout: 1_800_000 }, async () => {
  await using server = await startPostgres();
  const costs: Costs[] = [];
  for (const issues of [SMALL, LARGE]) {
    const url = await server.createDatabase();
    await using stores = await openPostgres({ url, applicationName: 'bench', clock });
    const client = new Client(url);
    await client.connect();
    // Without a look at references, which takes most of the time.
    await client.query(`set session_replication_role = replica; ${fillInstallation(issues, now, pgWords)}`);
    await client.query('vacuum analyze');
    await client.end();
    costs.push(await costsOf(stores, { issues, measure: elapsedMs }));
  }
  const [small = new Map(), large = new Map()] = costs;
  print('Postgres, elapsed', small, large);
});

/** The mean cost of each call, prepared anew each time: the kernel counts CPU in steps of milliseconds. */
async function costsOf(stores: Stores, { issues, measure }: { issues: number; measure: Measure }): Promise<Costs> {
  const world = await createWorld({ stores, clock }, largestOf(issues));
  const costs: Costs = new Map();
  for (const { name, arrange } of callsOf(stores)) {
    const found: number[] = [];
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      const call = await arrange(world);
      const end = measure();
      await call();
      found.push(end());
      await world.endAll();
    }
    costs.set(name, found.reduce((sum, ms) => sum + ms, 0) / REPEATS);
  }
  return costs;
}

const SHOWN = 12;

function print(what: string, small: Costs, large: Costs): void {
  const dearest = [...large].sort(([, a], [, b]) => b - a).slice(0, SHOWN);
  process.stdout.write(`${what}: ${large.size} calls, the dearest of them\n`);
  for (const [name, ms] of dearest) {
    process.stdout.write(`  ${name}: ${(small.get(name) ?? 0).toFixed(2)} -> ${ms.toFixed(2)} ms\n`);
  }
}
