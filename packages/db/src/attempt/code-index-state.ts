import type { RunStore } from '@sluice/core';
import { eq } from 'drizzle-orm';
import { type StoreContext, write } from '../store/store-context.ts';
import { holdIssue } from './fence.ts';

/** What the code index of an issue's repository holds, in the row of the repository. */
export function createCodeIndexState(context: StoreContext): Pick<RunStore, 'saveIndex'> {
  const { issues, repos } = context.database.tables;
  return {
    saveIndex: (lease, index) =>
      write(context, async (write) => {
        // A worker that slept would show an older commit than the one that its successor has indexed.
        const held = await holdIssue(write, lease);
        if (held === null) return false;
        const [issue] = await write.db.select({ repoId: issues.repoId }).from(issues).where(eq(issues.id, held.id));
        if (issue !== undefined)
          await write.db.update(repos).set({ codeIndex: index }).where(eq(repos.id, issue.repoId));
        return true;
      }),
  };
}
