import type { RunStore } from '@sluice/core/agent';
import type { IssueId } from '@sluice/core/id';
import type { Repo } from '@sluice/core/repo';
import { eq, inArray } from 'drizzle-orm';
import { createAttempts } from '../attempt/attempts.ts';
import { createCheckpoints } from '../attempt/checkpoints.ts';
import { createCommandLog } from '../attempt/command-log.ts';
import { createDiffs } from '../attempt/diffs.ts';
import { holdIssue } from '../attempt/fence.ts';
import { createJournals } from '../attempt/journals.ts';
import { createNotes } from '../attempt/notes.ts';
import { type Given, prepared } from '../store/prepared.ts';
import { type StoreContext, write } from '../store/store-context.ts';
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

const setIndex = prepared(({ context, db }, given: Given<{ issueId: IssueId; index: Repo['index'] }>) => {
  const { issues, repos } = context.database.tables;
  const ofIssue = db
    .select({ id: issues.repoId })
    .from(issues)
    .where(eq(issues.id, given('issueId', issues.id)));
  return db
    .update(repos)
    .set({ codeIndex: given('index', repos.codeIndex) })
    .where(inArray(repos.id, ofIssue));
});

/** What the code index of an issue's repository holds, in the row of the repository. */
function createCodeIndexState(context: StoreContext): Pick<RunStore, 'saveIndex'> {
  return {
    saveIndex: (lease, index) =>
      write(context, async (write) => {
        // A worker that slept would show an older commit than the one that its successor has indexed.
        const held = await holdIssue(write, lease);
        if (held === null) return false;
        await setIndex(write, { issueId: held.id, index });
        return true;
      }),
  };
}
