import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IssueId } from '@sluice/core/id';
import { aNewIssue, aNewRepo, aNewUser, settableClock, startPostgres } from '@sluice/testing';
import { getTableColumns } from 'drizzle-orm';
import { it } from 'vitest';
import { openPostgres, openSqlite, type Stores } from '../src/index.ts';
import { issues } from '../src/schema/schema-pg.ts';
import type { StoreListeners } from '../src/store/store-context.ts';
import { fillPostgres, fillSqlite } from './fill-table.ts';

const QUEUED = [10, 1_000, 10_000];
/** Columns of an issue that differ from one in the queue to the next; `n` counts them. */
const own = { id: "'bench-' || n", active_remote: "'bench-' || n", queue_ordinal: 'n' };

// One issue ends, the one that has waited longest starts. As many wait before each as the name says.
it('ends an issue and starts the next, however many wait', { timeout: 300_000 }, async ({ bench }) => {
  await using server = await startPostgres();
  const opened: Awaited<ReturnType<typeof openQueue>>[] = [];
  for (const queued of QUEUED) {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
    const url = await server.createDatabase();
    const clock = settableClock();
    opened.push(
      await openQueue(`SQLite, ${queued} wait`, {
        open: (listeners) => openSqlite({ ...listeners, dataDir: folder, clock, maxActivePipelines: 1 }),
        fill: async (sql) =>
          fillSqlite(
            join(folder, 'sluice.db'),
            sql(
              `(with recursive r(n) as (select 3 union all select n + 1 from r where n < ${queued}) select n from r)`,
            ),
          ),
        close: () => rmSync(folder, { recursive: true, force: true }),
      }),
      await openQueue(`Postgres, ${queued} wait`, {
        open: (listeners) =>
          openPostgres({ ...listeners, url, applicationName: 'bench', clock, maxActivePipelines: 1 }),
        fill: (sql) => fillPostgres(url, sql(`generate_series(3, ${queued}) n`)),
        close: () => undefined,
      }),
    );
  }
  const [first, second, ...more] = opened.map(({ name, queueOne, endOne }) =>
    bench(name, { beforeEach: queueOne }, endOne),
  );
  if (first === undefined || second === undefined) throw new Error('nothing was opened');
  const times = await bench.compare(first, second, ...more, { time: 1_000, warmupTime: 200 });
  for (const engine of ['SQLite', 'Postgres']) {
    const of = (queued: number, figure: 'min' | 'p50') =>
      times.get(`${engine}, ${queued} wait` as never).latency[figure];
    const ratio = (queued: number, figure: 'min' | 'p50') => (of(queued, figure) / of(10, figure)).toFixed(2);
    // A neighbour of this machine shows in the median first; the least says what the work itself takes.
    const told = QUEUED.slice(1).map((queued) => `${queued}: ${ratio(queued, 'min')} (p50 ${ratio(queued, 'p50')})`);
    process.stdout.write(
      `dispatch on ${engine} ÷ with 10 queued (${of(10, 'min').toFixed(2)} ms), least: ${told.join(', ')}\n`,
    );
  }
  for (const { close } of opened) await close();
});

interface QueueOptions {
  open(listeners: StoreListeners): Promise<Stores>;
  /** Runs what `sql` makes of the engine's way to say the numbers from 3 to how many are to wait. */
  fill(sql: (numbers: string) => string): Promise<void>;
  close(): void;
}

async function openQueue(name: string, { open, fill, close }: QueueOptions) {
  let running: IssueId | undefined;
  const stores = await open({
    onRunnable: ([id]) => {
      running = id;
    },
  });
  const user = aNewUser();
  await stores.users.create(user);
  const queueOne = async () => {
    const repo = aNewRepo({ userId: user.id });
    await stores.repos.create(repo);
    const issue = aNewIssue({ userId: user.id, repoId: repo.id });
    await stores.issues.create(issue, { queue: true });
    return issue.id;
  };
  await queueOne();
  await queueOne();
  const shared = Object.values(getTableColumns(issues)).flatMap(({ name }) =>
    name === 'ordinal' || name in own ? [] : [name],
  );
  await fill(
    (numbers) =>
      `insert into issues (${[...Object.keys(own), ...shared].join(', ')})
       select ${[...Object.values(own), ...shared].join(', ')} from issues cross join ${numbers} where queue_ordinal is not null`,
  );
  return {
    name,
    queueOne: async () => void (await queueOne()),
    endOne: async () => {
      const ended = running;
      if (ended === undefined) throw new Error('nothing runs');
      await stores.issues.apply({ issueId: ended, from: { status: 'running' }, trigger: 'cancelled', events: [] });
      if (running === ended) throw new Error('the next issue was not started');
    },
    close: async () => {
      await stores.close();
      close();
    },
  };
}
