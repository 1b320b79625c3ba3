import { sql } from 'drizzle-orm';
import type { Kit } from './kit.ts';

/** One row for the installation as a whole, or none. */
export function makeInstallationTables(kit: Kit) {
  const installation = kit.table(
    'installation',
    {
      id: kit.int('id').primaryKey(),
      /** See `EventLog.epoch`. */
      epoch: kit.text('epoch').notNull(),
    },
    () => [kit.check('installation_once', sql.raw('id = 1'))],
  );
  return { installation };
}
