import type { IssueId } from '@sluice/core/id';
import type { IssueEvent, IssueStore } from '@sluice/core/issue';
import { and, asc, eq, exists, gt, sql } from 'drizzle-orm';
import { readEstimate } from '../estimate/estimates.ts';
import { isVisible } from '../removal/is-visible.ts';
import { type Given, prepared } from '../store/prepared.ts';
import type { StoreContext } from '../store/store-context.ts';
import { applyChange } from './apply-change.ts';
import { insertIssue } from './insert-issue.ts';
import { insertNote } from './insert-note.ts';
import { queueWaiting } from './line-for-repo.ts';
import { countIssues, listIssues } from './list-issues.ts';
import { readInbox } from './read-inbox.ts';
import { readIssue } from './read-issue.ts';
import { removeIssue } from './remove-issue.ts';
import { updateIssueFields } from './update-issue-fields.ts';

const listPlans = prepared(({ context, db }, given: Given<{ issueId: IssueId }>) => {
  const { plans } = context.database.tables;
  return db
    .select({ document: plans.document })
    .from(plans)
    .where(eq(plans.issueId, given('issueId', plans.issueId)))
    .orderBy(asc(plans.revision));
});

const listEvents = prepared(({ context, db }, given: Given<{ issueId: IssueId; after: number; limit: number }>) => {
  const { events, issues } = context.database.tables;
  const issue = db
    .select({ one: sql`1` })
    .from(issues)
    .where(and(eq(issues.id, given('issueId', issues.id)), isVisible(context.database, db)));
  return db
    .select()
    .from(events)
    .where(
      and(
        eq(events.issueId, given('issueId', events.issueId)),
        gt(events.seq, given('after', events.seq)),
        exists(issue),
      ),
    )
    .orderBy(asc(events.seq))
    .limit(given('limit'));
});

/** Issues, their plans and their events. */
export function createIssueStore(context: StoreContext): IssueStore {
  const { read } = context.database;
  return {
    create: (issue, options) => insertIssue(context, issue, options),
    apply: (change) => applyChange(context, change),
    get: (id) => readIssue(context, read, id),
    edit: (id, fields, audit) => updateIssueFields(context, id, { ...fields, audit }),
    queueWaiting: () => queueWaiting(context),
    addNote: (id, text, written) => insertNote(context, id, { text, ...written }),

    list: (query) => listIssues(context, query),
    count: (query) => countIssues(context, query),
    inbox: (query) => readInbox(context, query),
    remove: (id, audit) => removeIssue(context, id, audit),

    plans: async (id) => {
      const rows = await listPlans({ context, db: read }, { issueId: id });
      return rows.map(({ document }) => document);
    },

    estimate: (issueId, revision) => readEstimate({ context, db: read }, { issueId, revision }),

    events: async (id, { after, limit }) => {
      const rows = await listEvents({ context, db: read }, { issueId: id, after, limit });
      return rows.map(
        ({ seq, issueId, type, data, at }) =>
          // The catalogue has checked type and data together when they were written.
          ({ seq, issue_id: issueId, type, at: at.toISOString(), data }) as IssueEvent,
      );
    },
  };
}
