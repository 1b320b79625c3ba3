import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { settableClock } from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { openSqlite } from '../src/index.ts';
import { createWorld } from './every-method/world.ts';
import { migratedFolder } from './scratch.ts';

it('reads output of the release before, which noted neither the run nor what was left out', async () => {
  const folder = await migratedFolder();
  const clock = settableClock();
  const stores = await openSqlite({ dataDir: folder, clock });
  const { lease, issue } = await (await createWorld({ stores, clock })).claimed();
  const raw = new Sqlite(join(folder, 'sluice.db'));
  raw
    .prepare(`insert into command_log (issue_id, seq, command, stream, text, at) values (?, 1, 'ls', 'stdout', 'a', 0)`)
    .run(issue.id);
  raw.close();
  await stores.runs.appendLog(lease, [{ command: 'ls', runSeq: 3, stream: 'stdout', text: 'b' }]);
  expect(await stores.runs.log(issue.id, { after: 0, limit: 10 })).toEqual([
    { seq: 1, command: 'ls', runSeq: null, stream: 'stdout', text: 'a', leftOut: null, at: new Date(0) },
    { seq: 2, command: 'ls', runSeq: 3, stream: 'stdout', text: 'b', leftOut: null, at: clock.now() },
  ]);
  await stores.close();
  rmSync(folder, { recursive: true });
});
