import type { RunStore } from '@sluice/core/agent';
import type { IssueId } from '@sluice/core/id';
import type { Repo } from '@sluice/core/repo';
import { eq, inArray } from 'drizzle-orm';
import { type Given, prepared } from '../store/prepared.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { holdIssue } from './fence.ts';

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
export function createCodeIndexState(context: StoreContext): Pick<RunStore, 'saveIndex'> {
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
