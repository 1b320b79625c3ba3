import { type RunStore, storableText, type WorkspaceDiff } from '@sluice/core';
import { eq } from 'drizzle-orm';
import { appendEvents } from '../event/append-events.ts';
import type { Db } from '../schema/kit.ts';
import { storedJson } from '../schema/stored-text.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { holdIssue } from './fence.ts';

/** The diff of an issue so far. */
export function createDiffs(context: StoreContext): Pick<RunStore, 'saveDiff' | 'diff'> {
  const { read, tables } = context.database;
  const { issues, patches } = tables;

  async function readDiff(db: Db, issueId: (typeof patches.$inferSelect)['issueId']): Promise<WorkspaceDiff | null> {
    const [patch] = await db.select().from(patches).where(eq(patches.issueId, issueId));
    if (patch === undefined) return null;
    return { base_commit: patch.baseCommit, head_commit: patch.headCommit, files: patch.files, diff: patch.diff };
  }

  return {
    saveDiff: (lease, diff) =>
      write(context, async (write) => {
        const held = await holdIssue(write, lease);
        if (held === null) return false;
        const isNews = !showsTheSame(await readDiff(write.db, held.id), diff);
        const { base_commit: baseCommit, head_commit: headCommit, files, diff: text } = diff;
        const patch = { baseCommit, headCommit, files, diff: text, updatedAt: write.now };
        await write.db
          .insert(patches)
          .values({ issueId: held.id, ...patch })
          .onConflictDoUpdate({ target: patches.issueId, set: patch });
        if (!isNews) return true;
        const lastSeq = held.lastSeq + 1;
        await write.db.update(issues).set({ lastSeq }).where(eq(issues.id, held.id));
        appendEvents(write, { ...held, lastSeq }, [{ type: 'diff.updated', data: { files } }]);
        return true;
      }),

    diff: (issueId) => readDiff(read, issueId),
  };
}

/** Whether both diffs render the same; a commit in between makes no difference. */
function showsTheSame(before: WorkspaceDiff | null, after: WorkspaceDiff): boolean {
  if (before === null) return false;
  // Both as stored: cleaning, and jsonb's own order of keys, would otherwise look like a change.
  const shown = ({ files, diff }: WorkspaceDiff) =>
    storedJson([files.map(({ path, additions, deletions }) => [path, additions, deletions]), storableText(diff)]);
  return shown(before) === shown(after);
}
