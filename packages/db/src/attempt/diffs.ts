import { createHash } from 'node:crypto';
import type { RunStore } from '@sluice/core/agent';
import type { IssueId } from '@sluice/core/id';
import { storableText } from '@sluice/core/text';
import type { WorkspaceDiff } from '@sluice/core/workspace';
import { eq, sql } from 'drizzle-orm';
import { appendEvents } from '../event/append-events.ts';
import type { Tables } from '../schema/schema.ts';
import { storedJson } from '../schema/stored-text.ts';
import { excluded } from '../store/excluded.ts';
import { type Given, prepared } from '../store/prepared.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { holdIssue } from './fence.ts';

type Patch = Tables['patches']['$inferSelect'];

const selectShown = prepared(({ context, db }, given: Given<{ issueId: IssueId }>) => {
  const { patches } = context.database.tables;
  return db
    .select({ shown: patches.shown, updatedAt: patches.updatedAt })
    .from(patches)
    .where(eq(patches.issueId, given('issueId', patches.issueId)));
});

const selectDiff = prepared(({ context, db }, given: Given<{ issueId: IssueId }>) => {
  const { patches } = context.database.tables;
  const { baseCommit: base_commit, headCommit: head_commit, files, diff } = patches;
  return db
    .select({ base_commit, head_commit, files, diff })
    .from(patches)
    .where(eq(patches.issueId, given('issueId', patches.issueId)));
});

const setCommits = prepared(({ context, db }, given: Given<Omit<Patch, 'files' | 'diff'>>) => {
  const { patches } = context.database.tables;
  return db
    .update(patches)
    .set({
      baseCommit: given('baseCommit', patches.baseCommit),
      headCommit: given('headCommit', patches.headCommit),
      updatedAt: given('updatedAt', patches.updatedAt),
      shown: given('shown', patches.shown),
    })
    .where(eq(patches.issueId, given('issueId', patches.issueId)));
});

const putPatch = prepared(({ context, db }, given: Given<Patch>) => {
  const { patches } = context.database.tables;
  const { issueId, baseCommit, headCommit, updatedAt, shown, files, diff } = patches;
  return db
    .insert(patches)
    .values({
      issueId: given('issueId', issueId),
      baseCommit: given('baseCommit', baseCommit),
      headCommit: given('headCommit', headCommit),
      updatedAt: given('updatedAt', updatedAt),
      shown: given('shown', shown),
      files: given('files', files),
      diff: given('diff', diff),
    })
    .onConflictDoUpdate({
      target: issueId,
      set: excluded({ baseCommit, headCommit, updatedAt, shown, files, diff }),
    });
});

const addEvent = prepared(({ context, db }, given: Given<{ issueId: IssueId }>) => {
  const { issues } = context.database.tables;
  return db
    .update(issues)
    .set({ lastSeq: sql`${issues.lastSeq} + 1` })
    .where(eq(issues.id, given('issueId', issues.id)));
});

/** The diff of an issue so far. */
export function createDiffs(context: StoreContext): Pick<RunStore, 'saveDiff' | 'diff'> {
  const reading = { context, db: context.database.read };
  return {
    saveDiff: (lease, diff) => {
      const digest = digestOf(diff); // before the transaction, in which other writers wait
      return write(context, async (write) => {
        const held = await holdIssue(write, lease);
        if (held === null) return false;
        const issueId = held.id;
        const [before] = await selectShown(write, { issueId });
        const { base_commit: baseCommit, head_commit: headCommit, files, diff: text } = diff;
        const commits = { issueId, baseCommit, headCommit, updatedAt: write.now, shown: shownAt(write.now, digest) };
        if (before?.shown != null && before.shown === shownAt(before.updatedAt, digest)) {
          await setCommits(write, commits);
          return true;
        }
        await putPatch(write, { ...commits, files, diff: text });
        await addEvent(write, { issueId });
        appendEvents(write, { ...held, lastSeq: held.lastSeq + 1 }, [{ type: 'diff.updated', data: { files } }]);
        return true;
      });
    },

    diff: async (issueId) => {
      const [diff] = await selectDiff(reading, { issueId });
      return diff ?? null;
    },
  };
}

/**
 * The digest of the shown part of a diff, in its stored form, which cleaning has changed. A commit in between makes no
 * difference.
 */
function digestOf({ files, diff }: WorkspaceDiff): string {
  const shown = files.map(({ path, additions, deletions }) => [path, additions, deletions]);
  return createHash('sha256').update(storedJson(shown)).update('\n').update(storableText(diff)).digest('base64');
}

/** With the time of its write: a process of the release before changes a patch without its digest. */
function shownAt(updatedAt: Date, digest: string): string {
  return `${updatedAt.getTime()} ${digest}`;
}
