import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aNewIssue, aNewRepo, aNewUser, settableClock } from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { getTableColumns } from 'drizzle-orm';
import { it } from 'vitest';
import { openSqlite } from '../src/index.ts';
import { issues } from '../src/schema/schema-pg.ts';
import { fillSqlite } from './fill-table.ts';

const ISSUES = 50_000;
const EVENTS_PER_ISSUE = 10;

/** Removes the statistics, like on a server whose database has grown since it last counted. */
function uncounted(file: string): void {
  const raw = new Sqlite(file);
  raw.exec('drop table sqlite_stat1');
  raw.close();
}

/** How long the event loop stands still in each call until it returns false, in ms of its thread's CPU. */
async function pieces(call: () => Promise<boolean>): Promise<string> {
  const times: number[] = [];
  for (let isMore = true; isMore; ) {
    const before = process.threadCpuUsage();
    isMore = await call();
    const { user, system } = process.threadCpuUsage(before);
    times.push((user + system) / 1_000);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]?.toFixed(1);
  const sum = times.reduce((all, ms) => all + ms, 0);
  return `${times.length} calls, ${(sum / 1_000).toFixed(1)} s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`;
}

// What a user sees is the first call; the others are the housekeeper's.
it('deletes a repository with half a million events', { timeout: 300_000 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const stores = await openSqlite({ dataDir, clock: settableClock() });
  try {
    const user = aNewUser();
    await stores.users.create(user);
    const repo = aNewRepo({ userId: user.id });
    await stores.repos.create(repo);
    const issue = aNewIssue({ userId: user.id, repoId: repo.id });
    await stores.issues.create(issue, { queue: false });
    await stores.issues.apply({ issueId: issue.id, from: { status: 'pending' }, trigger: 'cancelled', events: [] });
    const columns = Object.values(getTableColumns(issues)).flatMap(({ name }) =>
      name === 'ordinal' || name === 'id' ? [] : [name],
    );
    fillSqlite(
      join(dataDir, 'sluice.db'),
      `insert into issues (id, ${columns}) with recursive r(n) as (select 1 union all select n + 1 from r where n < ${ISSUES})
         select 'bench-' || n, ${columns} from issues, r;
       insert into events (issue_id, user_id, seq, type, data, at)
         with recursive r(n) as (select 1 union all select n + 1 from r where n <= ${EVENTS_PER_ISSUE})
         select id, user_id, n, 'agent.message', '{"agent":"coder","text":"' || hex(randomblob(100)) || '"}', 0
         from issues, r where id like 'bench-%'`,
    );
    uncounted(join(dataDir, 'sluice.db'));
    const report = (what: string, figures: string) => process.stdout.write(`${what}: ${figures}\n`);
    report('optimize', await pieces(() => stores.maintenance.optimize().then(() => false)));
    report('the request', await pieces(() => stores.repos.remove(repo.id).then(() => false)));
    report('deleting the rest', await pieces(() => stores.maintenance.deleteRemoved()));
    report('giving the space back', await pieces(() => stores.maintenance.releaseSpace()));
  } finally {
    await stores.close();
    rmSync(dataDir, { recursive: true });
  }
});
