import type { RunStore } from '@sluice/core';
import type { StoreContext } from '../store-context.ts';
import { createCheckpoints } from './checkpoints.ts';
import { createCommandLog } from './command-log.ts';
import { createDiffs } from './diffs.ts';
import { createJournals } from './journals.ts';
import { createLeases } from './leases.ts';
import { createNotes } from './notes.ts';
import { createStageRuns } from './stage-runs.ts';
import { createUpkeep } from './upkeep.ts';

/** What a worker reads and writes, on whatever database `context` holds. */
export function createRunStore(context: StoreContext): RunStore {
  return {
    ...createLeases(context),
    ...createUpkeep(context),
    ...createStageRuns(context),
    ...createJournals(context),
    ...createNotes(context),
    ...createCheckpoints(context),
    ...createDiffs(context),
    ...createCommandLog(context),
  };
}
