import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { callerOf } from '@sluice/core/access';
import type { IssueId } from '@sluice/core/id';
import type { Repo } from '@sluice/core/repo';
import { aNewIssue, aNewRepo, aNewUser, settableClock } from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { openSqlite, type Stores } from '../src/index.ts';
import { migratedFolder } from './scratch.ts';

const ISSUES = 1_234;

async function withMany(use: (stores: Stores, many: { repo: Repo; older: IssueId }) => Promise<void>): Promise<void> {
  const folder = await migratedFolder();
  const stores = await openSqlite({ dataDir: folder, clock: settableClock() });
  const user = aNewUser();
  await stores.users.create(user);
  const created = await stores.repos.create(aNewRepo({ userId: user.id }));
  if (created.kind !== 'created') throw new Error(created.kind);
  const { repo } = created;
  const other = await stores.repos.create(aNewRepo({ userId: user.id }));
  if (other.kind !== 'created') throw new Error(other.kind);
  const older = aNewIssue({ userId: user.id, repoId: other.repo.id });
  await stores.issues.create(older, { queue: false });
  const raw = new Sqlite(join(folder, 'sluice.db'));
  const insert = raw.prepare(
    `insert into issues (id, user_id, repo_id, title, body, origin, labels, base_branch, status, pipeline,
      input_tokens, output_tokens, lease_epoch, created_at, updated_at, finished_at, last_seq)
     values (?, ?, ?, ?, 'b', 'api', '[]', 'main', ?, '{}', 0, 0, 0, 1, 1, 1, 1)`,
  );
  raw.transaction(() => {
    for (let n = 1; n <= ISSUES; n += 1) {
      const status = n % 2 === 0 ? 'cancelled' : 'completed';
      insert.run(`issue-${n}`, user.id, repo.id, n === 1 ? 'The first' : `Issue ${n}`, status);
    }
  })();
  raw.close();
  await use(stores, { repo, older: older.id });
  await stores.close();
  rmSync(folder, { recursive: true });
}

it('searches 500 issues in a call, and goes on below them where it found less than a page', async () => {
  await withMany(async (stores, { repo: { userId } }) => {
    for (const statuses of [undefined, ['completed', 'cancelled'] as const]) {
      const query = {
        readableBy: callerOf(userId),
        q: 'the first',
        limit: 20,
        ...(statuses === undefined ? {} : { statuses }),
      };
      const pages: string[][] = [];
      let cursor: string | null = null;
      do {
        const page = await stores.issues.list({ ...query, cursor });
        pages.push(page.items.map(({ title }) => title));
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(pages).toEqual([[], [], ['The first']]);
    }
  });
});

it('fills a page of all issues with those below the many of a removed repository', async () => {
  await withMany(async (stores, { repo: { id, userId }, older }) => {
    await stores.repos.remove(id);
    const page = await stores.issues.list({ readableBy: callerOf(userId), limit: 1, cursor: null });
    expect(page).toMatchObject({ items: [{ id: older }], nextCursor: null });
  });
});
