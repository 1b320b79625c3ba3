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
import { fillInstallation, fillInstallationOnPg, largestOf } from './fill-installation.ts';
import { listenToPlans, type Ran, reportPlans } from './rows-read.ts';

const SMALL = 1_000;
const LARGE = 100_000; // with a million events
const REPEATS = 7;
/** SQLite answers in the event loop: nobody else is served meanwhile. Per MiB where the argument is larger. */
const MAX_MS = 10;
/** Calls that run once an hour at most. */
const MAX_UPKEEP_MS = 20;
const MAX_GROWTH = 3;
/** The time below which a ratio measures the machine. */
const NOTICED_MS = 1;
/** There a call is a few turns of the loop, with the collection of garbage and the pool's other connections in between. */
const NOTICED_ON_POSTGRES_MS = 5;
/** The MiB of the large argument in the calls that have one. */
const LARGE_ARGUMENT = 4;
/**
 * Rows that a scan may read beside those that its statement answers. There are as many accounts and registrations, and
 * Postgres rightly reads so small a table as a whole; of what a history consists there are a hundred times as many. It
 * is also what one call of a clean-up walks over.
 */
const FEW = 2_000;
/** What an operator does to a whole installation. */
const wholeInstallation = ['codehostSite.move', 'codehostSite.forget', 'encryptedSecrets.encryptedUnderOther'];

/** Limited by themselves: a small installation has less than that to do. */
const limited = [
  'maintenance.clearExpired with a full piece',
  'maintenance.optimize',
  'issues.count of everything',
  'notifications.replayRange',
];

/** What grows or is long by what it is asked for, and how long it may take on SQLite. */
const long: Readonly<Record<string, { readonly mostMs: number; readonly because: string }>> = {
  'maintenance.optimize': { mostMs: MAX_UPKEEP_MS, because: 'Once an hour. Each index costs it a little.' },
  'maintenance.clearExpired with a full piece': { mostMs: 30, because: 'Pieces of twelve tables, once an hour.' },
  'notifications.replayRange': { mostMs: 120, because: 'A thousand deliveries are written again, as a person asked.' },
  'audit.listAll by all of a filter': {
    mostMs: 30,
    because: 'By the order of the table: no index has all conditions.',
  },
  'issues.inbox of everything': { mostMs: 30, because: 'Nine lists and eight counts over two hundred repositories.' },
};
/** By the length of their period. */
const ofPeriod = /^outcomes\.tally/;

/** What reads many more rows on Postgres than it answers, and why. */
const wide: readonly { readonly call: RegExp; readonly because: string }[] = [
  {
    call: /^issues\.(inbox|count) of everything/,
    because: 'Over two hundred repositories, which Postgres reads as one list.',
  },
  { call: /^budgets\.load/, because: 'What each user spent in the month.' },
  { call: /^users\.accounts/, because: 'Each account with its memberships and tokens.' },
  { call: ofPeriod, because: 'The pull requests of the period.' },
  { call: /^eventLog\.changed from the first/, because: 'Two thousand are looked at for those of the reader.' },
  { call: /^audit\.listAll by all of a filter/, because: 'By the order of the table: no index has all conditions.' },
  { call: /^notifications\.replayRange/, because: 'The deliveries of the range.' },
  {
    call: /^deliveries\.claim/,
    because: 'Thousands became due since Postgres counted: it reads what is due for each candidate.',
  },
];

type Measure = () => () => number;
type Costs = Map<string, number>;

/** Milliseconds of the thread that calls, on which SQLite works. */
const threadMs: Measure = () => {
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };
};

const clock = settableClock();
const now = clock.now().getTime();
/** The database as the fill expects it: the issues that wait for a slot are of a user who has as many as they may. */
const rules = { clock, maxActivePipelinesPerUser: 3 };

it('keeps every method of every store short on SQLite, whatever the history', { timeout: 1_800_000 }, async () => {
  const costs: Costs[] = [];
  for (const issues of [SMALL, LARGE]) {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-growth-'));
    const open = () => openSqlite({ dataDir: folder, ...rules });
    await (await open()).close();
    const raw = new Sqlite(join(folder, 'sluice.db'));
    fillInstallation(raw, { issues, now });
    raw.close();
    await (await open()).close(); // counts, as each end of the service does: plans are chosen by that from the next start on
    const stores = await open();
    costs.push(await costsOf(stores, { issues, measure: threadMs }));
    await stores.close();
    rmSync(folder, { recursive: true });
  }
  const [small = new Map(), large = new Map()] = costs;
  print('SQLite, CPU', small, large);
  const faults = [...large].flatMap(([name, ms]) => {
    if (wholeInstallation.includes(name)) return [];
    const perMiB = name.includes('4 MiB') ? ms / LARGE_ARGUMENT : ms;
    const growth = growthOf(ms, small.get(name));
    const grows = growth > MAX_GROWTH && !limited.includes(name) && long[name] === undefined && !ofPeriod.test(name);
    const most = ofPeriod.test(name) ? Number.POSITIVE_INFINITY : (long[name]?.mostMs ?? MAX_MS);
    return perMiB > most || grows ? [`${name}: ${ms.toFixed(1)} ms, ${growth.toFixed(1)} ×`] : [];
  });
  expect(faults).toEqual([]);
});

it('costs the process no more on Postgres, and reads no more rows than it answers, whatever the history', {
  timeout: 1_800_000,
}, async () => {
  await using server = await startPostgres();
  const costs: Costs[] = [];
  for (const issues of [SMALL, LARGE]) {
    const url = await server.createDatabase();
    const open = (options = '') => openPostgres({ url: `${url}${options}`, applicationName: 'bench', ...rules });
    await (await open()).close();
    const client = new Client(url);
    await client.connect();
    await fillInstallationOnPg(client, { issues, now });
    await client.end();
    await using stores = await open();
    costs.push(await costsOf(stores, { issues, measure: threadMs }));
    if (issues === LARGE) {
      await reportPlans(url);
      await using reporting = await open();
      expect(await wideReads(reporting, () => true)).toEqual([]);
      // Which plan a connection keeps for a named statement depends on what it was asked before: the worst one counts.
      await using forced = await open('?options=-c%20plan_cache_mode%3Dforce_generic_plan');
      expect(await wideReads(forced, ({ isNamed }) => isNamed)).toEqual([]);
    }
  }
  const [small = new Map(), large = new Map()] = costs;
  print('Postgres, CPU of the client', small, large);
  const grown = [...large].filter(([name, ms]) => {
    if (wholeInstallation.includes(name) || limited.includes(name) || ofPeriod.test(name)) return false;
    return ms > NOTICED_ON_POSTGRES_MS && growthOf(ms, small.get(name)) > MAX_GROWTH;
  });
  expect(grown).toEqual([]);
});

/** The statements with a scan that read many more rows than the statement answered, by the call that ran them. */
async function wideReads(stores: Stores, isJudged: (ran: Ran) => boolean): Promise<string[]> {
  const world = await createWorld({ stores, clock }, largestOf(LARGE));
  using plans = listenToPlans();
  const found = new Map<string, string>();
  let seen = 0;
  for (const { name, arrange } of callsOf(stores)) {
    // The number of repeats after which Postgres has planned a prepared statement for all values.
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      const call = await arrange(world);
      plans.taken();
      await call();
      const ran = plans.taken();
      seen += ran.length;
      for (const { text, read, answered } of ran.filter(isJudged)) {
        if (read > FEW + answered) found.set(`${name}: ${text}`, `${read} rows for ${answered}`);
      }
      await world.endAll();
    }
  }
  expect(seen).toBeGreaterThan(1_000);
  return [...found]
    .map(([statement, rows]) => `${rows} by ${statement}`)
    .filter((one) => !wide.some(({ call }) => call.test(one.slice(one.indexOf(' by ') + ' by '.length))));
}

function growthOf(ms: number, small = 0): number {
  return ms / Math.max(small, NOTICED_MS / MAX_GROWTH);
}

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
