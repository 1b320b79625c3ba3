// Writes the migration of a change of the tables on both engines: npm run migration -- NAME (in packages/db). Of the
// snapshots only the newest stays. Without a name, nothing is written: that is for a tree in which two branches were merged.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { drizzleHome, drizzleKit, tablesOf } from '../packages/db/src/print-schemas.ts';
import { keepNewestSnapshot } from './newest-snapshot.ts';

const name = process.argv[2];
for (const dialect of ['sqlite', 'pg'] as const) {
  if (name !== undefined) {
    // drizzle-kit asks at the terminal whether a column was renamed.
    const args = [drizzleKit, 'generate', ...tablesOf(dialect), `--out=migrations/${dialect}`, `--name=${name}`];
    const { status } = spawnSync(process.execPath, args, { cwd: drizzleHome, stdio: 'inherit' });
    if (status !== 0) throw new Error(`drizzle-kit wrote no migration for ${dialect}: it ended with ${status}.`);
  }
  keepNewestSnapshot(join(drizzleHome, 'migrations', dialect));
}
