import {
  copyDatabase,
  type DatabaseCopy,
  inspectCopy,
  openRestoreTarget,
  type RestoreTarget,
  refuseNewer,
} from '@sluice/db';
import { toStartError } from './database-errors.ts';

// Data that the service can rebuild: working trees, clones and code indexes with SQLite's files beside them.
const CACHES = [
  'workspaces',
  ...['code-index.db', 'vectors.db'].flatMap((name) => [name, `${name}-wal`, `${name}-shm`]),
];

/** Access to the embedded database for backup and restore. Refusals are StartErrors with advice. */
export const backupStorage = {
  /** Copies the database of a data folder into a new file, while the service writes. */
  copy: (dataDir: string, target: string): DatabaseCopy => orStartError(() => copyDatabase(dataDir, target)),
  inspect: (file: string): DatabaseCopy => orStartError(() => inspectCopy(file)),
  refuseNewer: (changes: readonly string[]): void => orStartError(() => refuseNewer(changes)),
  openTarget: (dataDir: string): RestoreTarget => orStartError(() => openRestoreTarget(dataDir)),
  put: (target: RestoreTarget): string | null => orStartError(() => target.put(CACHES)),
} as const;

function orStartError<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toStartError(error);
  }
}
