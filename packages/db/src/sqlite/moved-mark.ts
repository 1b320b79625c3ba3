import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseRefusal } from '../engine/database-refusal.ts';
import { syncFolder } from './sync-to-disk.ts';

const FILE = 'moved-to-postgres.txt';

const SENTENCE = `The database of this folder was copied to Postgres, and servers go on there.
Remove this file to go on with sluice.db instead, as it was when it was copied.
`;

/**
 * Records that the database has moved: two live copies would publish every issue twice. The mark is on disk when this
 * returns, as the copy is, so that a power cut cannot undo it alone.
 */
export function markMoved(dataDir: string): void {
  writeFileSync(join(dataDir, FILE), SENTENCE, { mode: 0o600, flush: true });
  syncFolder(dataDir);
}

/** Refuses a data folder whose database was moved to Postgres. @throws DatabaseRefusal `moved` */
export function refuseMoved(dataDir: string): void {
  if (!existsSync(join(dataDir, FILE))) return;
  throw new DatabaseRefusal(
    'moved',
    `The database of this data folder was moved to Postgres: set DATABASE_URL, or remove ${FILE} from the folder to go on with the one that stayed behind.`,
  );
}
