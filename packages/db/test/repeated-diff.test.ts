import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { settableClock } from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { openSqlite } from '../src/index.ts';
import { createWorld } from './every-method/world.ts';
import { migratedFolder } from './scratch.ts';

it('neither compares nor writes the stored text of a diff that is saved again, also with another commit', async () => {
  const folder = await migratedFolder();
  const clock = settableClock();
  const stores = await openSqlite({ dataDir: folder, clock });
  const { lease, issue } = await (await createWorld({ stores, clock })).claimed();
  const files = [{ path: 'a', additions: 1, deletions: 0 }];
  const diff = { base_commit: 'b', head_commit: null, files, diff: '+one\n' };
  await stores.runs.saveDiff(lease, diff);
  // A comparison with the stored text would find another one, and a write would replace it.
  const raw = new Sqlite(join(folder, 'sluice.db'));
  raw.exec(`update patches set diff = 'untouched'`);
  raw.close();
  const before = (await stores.issues.get(issue.id))?.lastSeq;
  for (const headCommit of [null, 'h']) {
    clock.advance(1_000);
    expect(await stores.runs.saveDiff(lease, { ...diff, head_commit: headCommit })).toBe(true);
    expect(await stores.runs.diff(issue.id)).toEqual({ ...diff, head_commit: headCommit, diff: 'untouched' });
  }
  expect((await stores.issues.get(issue.id))?.lastSeq).toBe(before);
  await stores.close();
  rmSync(folder, { recursive: true });
});
