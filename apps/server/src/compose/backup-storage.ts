import {
  copyDatabase,
  type DatabaseCopy,
  DatabaseRefusal,
  inspectCopy,
  openRestoreTarget,
  type RestoreTarget,
  refuseNewer,
} from '@sluice/db';
import { StartError } from '../process/start-error.ts';

// What the service builds anew by itself: trees and clones, and the indexes of code with what SQLite keeps beside them.
const CACHES = [
  'workspaces',
  ...['code-index.db', 'vectors.db'].flatMap((name) => [name, `${name}-wal`, `${name}-shm`]),
];

/** The embedded database as a backup needs it. Each refuses with a StartError that says what to do. */
export const backupStorage = {
  /** Copies the database of a data folder into a new file, while the service writes. */
  copy: (dataDir: string, target: string): DatabaseCopy => told(() => copyDatabase(dataDir, target)),
  inspect: (file: string): DatabaseCopy => told(() => inspectCopy(file)),
  refuseNewer: (changes: readonly string[]): void => told(() => refuseNewer(changes)),
  openTarget: (dataDir: string): RestoreTarget => told(() => openRestoreTarget(dataDir)),
  put: (target: RestoreTarget): string | null => told(() => target.put(CACHES)),
} as const;

function told<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof DatabaseRefusal ? new StartError(error.message, { cause: error }) : error;
  }
}
