import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { settableClock } from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { openSqlite } from '../src/index.ts';
import { createWorld } from './every-method/world.ts';
import { migratedFolder } from './scratch.ts';

it('writes a diff again when a process of the release before, which knows no digest, has replaced it', async () => {
  const folder = await migratedFolder();
  const clock = settableClock();
  const stores = await openSqlite({ dataDir: folder, clock });
  const { lease, issue } = await (await createWorld({ stores, clock })).claimed();
  const diff = { base_commit: 'b', head_commit: null, files: [], diff: '+ours\n' };
  await stores.runs.saveDiff(lease, diff);
  const raw = new Sqlite(join(folder, 'sluice.db'));
  raw.exec(`update patches set diff = '+theirs', updated_at = updated_at + 1`);
  raw.close();
  const before = (await stores.issues.get(issue.id))?.lastSeq ?? 0;
  await stores.runs.saveDiff(lease, diff);
  expect(await stores.runs.diff(issue.id)).toEqual(diff);
  await stores.runs.saveDiff(lease, { ...diff, head_commit: 'h' });
  expect(await stores.runs.diff(issue.id)).toEqual({ ...diff, head_commit: 'h' });
  expect((await stores.issues.get(issue.id))?.lastSeq).toBe(before + 1);
  await stores.close();
  rmSync(folder, { recursive: true });
});
