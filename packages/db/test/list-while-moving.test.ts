import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { callerOf } from '@sluice/core/access';
import { aNewIssue, aNewRepo, aNewUser, settableClock } from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { openSqlite } from '../src/index.ts';
import { migratedFolder } from './scratch.ts';

/** More than a list needs. */
const TURNS = 40;

it('a list of several statuses has an issue that moves from one of them to another meanwhile', async () => {
  const folder = await migratedFolder();
  const stores = await openSqlite({ dataDir: folder, clock: settableClock() });
  const user = aNewUser();
  await stores.users.create(user);
  const repo = aNewRepo({ userId: user.id });
  await stores.repos.create(repo);
  await stores.issues.create(aNewIssue({ userId: user.id, repoId: repo.id }), { queue: false });
  const other = new Sqlite(join(folder, 'sluice.db'));
  const move = other.prepare('update issues set status = ?');
  for (let turns = 0; turns < TURNS; turns += 1) {
    move.run('cancelled');
    const listing = stores.issues.list({
      readableBy: callerOf(user.id),
      statuses: ['completed', 'cancelled'],
      limit: 20,
      cursor: null,
    });
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    move.run('completed');
    expect((await listing).items).toHaveLength(1);
  }
  other.close();
  await stores.close();
  rmSync(folder, { recursive: true });
});
