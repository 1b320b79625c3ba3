import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Sqlite from 'better-sqlite3';
import { openSqlite } from '../src/index.ts';
import { fillInstallation, idAt, largestOf } from './fill-installation.ts';

// Fills a data folder for the benches of other packages, and prints the ids of what is in it.
//   node packages/db/bench/fill-folder.ts FOLDER ISSUES
const { positionals } = parseArgs({ allowPositionals: true });
const [dataDir = '', count = ''] = positionals;
const issues = Number(count);
await (await openSqlite({ dataDir, clock: { now: () => new Date() } })).close();
const raw = new Sqlite(join(dataDir, 'sluice.db'));
fillInstallation(raw, { issues, now: Date.now() });
raw.close();
const ids = {
  ...largestOf(issues),
  usualId: idAt('user', 62),
  gateId: idAt('issue', issues + 4),
  targetId: idAt('target', 1),
};
process.stdout.write(`${JSON.stringify(ids)}\n`);
