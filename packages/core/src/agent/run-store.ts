import type { AttemptStore } from '../issue/attempt-store.ts';
import type { GateStore } from '../issue/gate-store.ts';
import type { LeaseStore } from '../issue/lease-store.ts';
import type { CheckpointStore } from './checkpoint-store.ts';
import type { CommandLogStore } from './command-log-store.ts';
import type { JournalStore } from './journal-store.ts';

/** Everything that a worker reads and writes while it drives issues. */
export type RunStore = LeaseStore & GateStore & AttemptStore & JournalStore & CheckpointStore & CommandLogStore;
