import { createHash } from 'node:crypto';
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
    saveDiff: (lease, diff) => {
      const digest = digestOf(diff); // before the transaction, in which other writers wait
      return write(context, async (write) => {
        const held = await holdIssue(write, lease);
        if (held === null) return false;
        const here = eq(patches.issueId, held.id);
        const [before] = await write.db
          .select({ shown: patches.shown, updatedAt: patches.updatedAt })
          .from(patches)
          .where(here);
        const { base_commit: baseCommit, head_commit: headCommit, files, diff: text } = diff;
        const commits = { baseCommit, headCommit, updatedAt: write.now, shown: shownAt(write.now, digest) };
        if (before?.shown != null && before.shown === shownAt(before.updatedAt, digest)) {
          await write.db.update(patches).set(commits).where(here);
          return true;
        }
        const patch = { ...commits, files, diff: text };
        await write.db
          .insert(patches)
          .values({ issueId: held.id, ...patch })
          .onConflictDoUpdate({ target: patches.issueId, set: patch });
        const lastSeq = held.lastSeq + 1;
        await write.db.update(issues).set({ lastSeq }).where(eq(issues.id, held.id));
        appendEvents(write, { ...held, lastSeq }, [{ type: 'diff.updated', data: { files } }]);
        return true;
      });
    },

    diff: (issueId) => readDiff(read, issueId),
  };
}

/** Of what is shown of a diff: a commit in between makes no difference. As it is stored, which cleaning has changed. */
function digestOf({ files, diff }: WorkspaceDiff): string {
  const shown = files.map(({ path, additions, deletions }) => [path, additions, deletions]);
  return createHash('sha256').update(storedJson(shown)).update('\n').update(storableText(diff)).digest('base64');
}

/** With the time of its write: a process of the release before changes a patch without its digest. */
function shownAt(updatedAt: Date, digest: string): string {
  return `${updatedAt.getTime()} ${digest}`;
}
