import {
  type Issue,
  type IssueEvent,
  type IssueId,
  type IssueStore,
  isTerminal,
  statusesWhere,
  storableText,
} from '@sluice/core';
import { and, asc, desc, eq, gt, inArray, like, lt, or, sql } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import { pageOf, parseCursor } from '../store/page-cursor.ts';
import { type Given, prepared } from '../store/prepared.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { applyChange } from './apply-change.ts';
import { insertIssue } from './insert-issue.ts';
import { insertNote } from './insert-note.ts';
import { originKey } from './origin-key.ts';
import { readIssue, selectIssues, toIssue } from './read-issue.ts';
import { updateIssueText } from './update-issue-text.ts';

const listPlans = prepared(({ context, db }, given: Given<{ issueId: IssueId }>) => {
  const { plans } = context.database.tables;
  return db
    .select({ document: plans.document })
    .from(plans)
    .where(eq(plans.issueId, given('issueId', plans.issueId)))
    .orderBy(asc(plans.revision));
});

const listEvents = prepared(({ context, db }, given: Given<{ issueId: IssueId; after: number; limit: number }>) => {
  const { events } = context.database.tables;
  return db
    .select()
    .from(events)
    .where(and(eq(events.issueId, given('issueId', events.issueId)), gt(events.seq, given('after', events.seq))))
    .orderBy(asc(events.seq))
    .limit(given('limit'));
});

/** Issues, their plans and their events. */
export function createIssueStore(context: StoreContext): IssueStore {
  const { read, tables } = context.database;
  const { issues } = tables;
  return {
    create: (issue, options) => insertIssue(context, issue, options),
    apply: (change) => applyChange(context, change),
    get: (id) => readIssue(context, read, id),
    edit: (id, text, audit) => updateIssueText(context, id, { ...text, audit }),
    addNote: (id, text, audit) => insertNote(context, id, { text, audit }),

    list: async ({ userId, statuses, repoId, q, limit, cursor }) => {
      const before = parseCursor('issues', cursor);
      const rows = await selectIssues(context, read)
        .where(
          and(
            eq(issues.userId, userId),
            statuses === undefined ? undefined : inArray(issues.status, [...statuses]),
            repoId === undefined ? undefined : eq(issues.repoId, repoId),
            q === undefined ? undefined : or(contains(issues.title, q), contains(issues.body, q)),
            before === null ? undefined : lt(issues.ordinal, before),
          ),
        )
        .orderBy(desc(issues.ordinal))
        .limit(limit + 1);
      const numbered = rows.map((row) => ({ ...row, ordinal: row.row.ordinal }));
      return pageOf(numbered, { limit, cursor, list: 'issues' }, toIssue);
    },

    remove: (id, audit) =>
      write(context, async (write) => {
        const { db } = write;
        // The removal note references the registration. Deleting a registration locks it before its issues, so this
        // takes the same lock first.
        await context.database.lockDispatch(db);
        const ended = inArray(issues.status, statusesWhere(isTerminal));
        // All that belongs to an issue refers to it and goes with it.
        const removed = await db
          .delete(issues)
          .where(and(eq(issues.id, id), ended))
          .returning({
            repoId: issues.repoId,
            number: issues.codehostNumber,
            commentId: issues.codehostCommentId,
          });
        for (const one of removed) await noteRemoval(write, one);
        if (removed.length > 0) {
          await appendAudit(write, audit);
          return 'removed';
        }
        const found = await db.select({ id: issues.id }).from(issues).where(eq(issues.id, id));
        return found.length > 0 ? 'stale' : 'absent';
      }),

    plans: async (id) => {
      const rows = await listPlans({ context, db: read }, { issueId: id });
      return rows.map(({ document }) => document);
    },

    events: async (id, { after, limit }) => {
      const rows = await listEvents({ context, db: read }, { issueId: id, after, limit });
      return rows.map(
        ({ seq, issueId, type, data, at }) =>
          // The catalogue has checked type and data together when they were written.
          ({ seq, issue_id: issueId, type, at: at.toISOString(), data }) as IssueEvent,
      );
    },
  };

  /** `like` is case-sensitive on one engine only, and treats % and _ as wildcards. */
  function contains(column: typeof issues.title, part: string) {
    const literal = storableText(part).replace(/[\\%_]/g, '\\$&');
    // Both by the engine's own rules: a Postgres whose locale is C knows no letter outside ASCII.
    return sql`${like(sql`lower(${column})`, sql`lower(${`%${literal}%`})`)} escape '\\'`;
  }
}

/** Records that an imported issue was deleted, so that a sync does not import it again. */
async function noteRemoval(
  { context, db, now }: Write,
  issue: { readonly repoId: Issue['repoId']; readonly number: number | null; readonly commentId: string | null },
): Promise<void> {
  const { codehostRemovals: removals } = context.database.tables;
  const { repoId, number, commentId } = issue;
  const origins = [
    ...(number === null ? [] : [originKey({ number })]),
    ...(commentId === null ? [] : [originKey({ commentId })]),
  ];
  for (const origin of origins) {
    await db
      .insert(removals)
      .values({ repoId, origin, at: now })
      .onConflictDoNothing({ target: [removals.repoId, removals.origin] });
  }
}
