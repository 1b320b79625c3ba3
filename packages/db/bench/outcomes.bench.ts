import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callerOf } from '@sluice/core/access';
import type { Clock } from '@sluice/core/async';
import type { UserId } from '@sluice/core/id';
import { readOutcomes } from '@sluice/core/outcome';
import { postgresCpu, startPostgres } from '@sluice/testing';
import { expect, it } from 'vitest';
import { openPostgres, openSqlite } from '../src/index.ts';
import { BUSIEST_READER, fillPullRequests, pgWords, sqliteWords } from './fill-pull-requests.ts';
import { fillPostgres, fillSqlite } from './fill-table.ts';

const SIZES = [10_000, 65_000, 200_000];
/** CPU between two turns of the event loop. */
const MAX_MS = 20;
/** Between the smallest and the largest: what a process takes by itself differs by as much. */
const MAX_GROWTH_MIB = 24;
const clock: Clock = { now: () => new Date() };

interface Measured {
  readonly opened: number;
  readonly total: number;
  /** The least of five reads, and the most. */
  readonly longest: number;
  readonly worst: number;
  readonly turns: number;
  readonly rssMib: number;
  readonly grownMib: number;
}

it('lets the event loop turn at least every 20 ms of CPU on SQLite, in the same memory for any number', {
  timeout: 900_000,
}, async () => {
  const measured: (Measured & { period: string })[] = [];
  for (const size of SIZES) {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-outcomes-'));
    await (await openSqlite({ dataDir: folder, clock })).close();
    fillSqlite(join(folder, 'sluice.db'), fillPullRequests(size, Date.now(), sqliteWords));
    for (const [period, from] of [
      ['90 days', ''],
      ['all', '1970-01-01T00:00:00Z'],
    ] as const) {
      measured.push({ ...(await measuredIn(folder, from)), period });
    }
    rmSync(folder, { recursive: true });
  }
  for (const { period, opened, total, longest, worst, rssMib } of measured) {
    process.stdout.write(
      `${opened} (${period}): ${total.toFixed(0)} ms of CPU, ${longest.toFixed(1)} ms (at worst ${worst.toFixed(1)}) without a turn, ${rssMib} MiB\n`,
    );
  }
  for (const { longest } of measured) expect(longest).toBeLessThanOrEqual(MAX_MS);
  const rss = measured.filter(({ period }) => period === 'all').map(({ rssMib }) => rssMib);
  expect(Math.max(...rss) - Math.min(...rss)).toBeLessThanOrEqual(MAX_GROWTH_MIB);
  expect(measured.filter(({ period }) => period === 'all').map(({ opened }) => opened)).toEqual(SIZES);
});

async function measuredIn(folder: string, from: string): Promise<Measured> {
  const child = fork(new URL('./read-outcomes.ts', import.meta.url), [folder, BUSIEST_READER, from], { execArgv: [] });
  const [[measured]] = (await Promise.all([once(child, 'message'), once(child, 'exit')])) as [[Measured], unknown];
  return measured;
}

it('asks few statements of Postgres, whatever the number of repositories', { timeout: 900_000 }, async () => {
  await using server = await startPostgres();
  const url = await server.createDatabase();
  await using stores = await openPostgres({ url, applicationName: 'bench', clock });
  await fillPostgres(url, fillPullRequests(65_000, Date.now(), pgWords));
  const postgresMs = await postgresCpu(server);
  let calls = 0;
  const counting = <Args extends unknown[], Result>(method: (...args: Args) => Result) => {
    return (...args: Args) => {
      calls += 1;
      return method(...args);
    };
  };
  const { span, tally } = stores.outcomes;
  const outcomes = { span: counting(span), tally: counting(tally) };
  for (const from of [null, new Date(0)]) {
    const asked = { caller: callerOf(BUSIEST_READER as UserId), repoId: null, groupBy: null, from, to: null };
    const read = () => readOutcomes({ outcomes, clock }, { ...asked, signal: new AbortController().signal });
    await read();
    calls = 0;
    const cpu = process.threadCpuUsage();
    const inPostgres = postgresMs();
    const { total } = await read();
    const { user, system } = process.threadCpuUsage(cpu);
    const [here, there] = [(user + system) / 1_000, postgresMs() - inPostgres];
    process.stdout.write(
      `${total.opened} of Postgres: ${calls} statements, ${here.toFixed(0)} ms here, ${there} ms there\n`,
    );
    expect(calls).toBeLessThan(total.opened / 500 + 20);
  }
});
