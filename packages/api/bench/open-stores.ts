import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '@sluice/core/async';
import { openSqlite } from '@sluice/db';
import { createProcessSignals } from '@sluice/redis';

export const clock: Clock = { now: () => new Date() };

// On a memory disk where there is one: the benchmark measures CPU, not durable writes.
const disk = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** The embedded mode's stores, on a file of their own, and the signals that their writes give. */
export async function openStores() {
  const signals = createProcessSignals();
  const stores = await openSqlite({
    dataDir: mkdtempSync(join(disk, 'sluice-bench-')),
    clock,
    onEvents: (hint) => signals.eventsWritten(hint),
  });
  return { stores, signals };
}

export type Opened = Awaited<ReturnType<typeof openStores>>;
