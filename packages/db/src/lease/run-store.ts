import type { RunStore } from '@sluice/core/agent';
import { createAttempts } from '../attempt/attempts.ts';
import { createCheckpoints } from '../attempt/checkpoints.ts';
import { createCodeIndexState } from '../attempt/code-index-state.ts';
import { createCommandLog } from '../attempt/command-log.ts';
import { createDiffs } from '../attempt/diffs.ts';
import { createJournals } from '../attempt/journals.ts';
import { createNotes } from '../attempt/notes.ts';
import type { StoreContext } from '../store/store-context.ts';
import { createLeases } from './leases.ts';
import { createRunQueries } from './run-queries.ts';

/** What a worker reads and writes, on whatever database `context` holds. */
export function createRunStore(context: StoreContext): RunStore {
  return {
    ...createLeases(context),
    ...createRunQueries(context),
    ...createAttempts(context),
    ...createJournals(context),
    ...createNotes(context),
    ...createCheckpoints(context),
    ...createDiffs(context),
    ...createCodeIndexState(context),
    ...createCommandLog(context),
  };
}
