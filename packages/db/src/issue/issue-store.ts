import type { NewAuditEntry, WrittenWith } from '@sluice/core/audit';
import type { IssueId } from '@sluice/core/id';
import type { Attaching, IssueEvent, IssueStore } from '@sluice/core/issue';
import {
  domainName,
  type EditableFields,
  editedFields,
  type Issue,
  type IssueEdit,
  isPending,
  statusesWhere,
  takesNotes,
} from '@sluice/core/issue';
import { and, asc, eq, exists, gt, inArray, isNull, sql } from 'drizzle-orm';
import { attach } from '../attachment/attach.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { readEstimate } from '../estimate/estimates.ts';
import { appendEvents, numberedColumns } from '../event/append-events.ts';
import { isVisible } from '../removal/is-visible.ts';
import { storeResponse } from '../request/store-response.ts';
import { type Given, prepared } from '../store/prepared.ts';
import type { StoreContext } from '../store/store-context.ts';
import { write } from '../store/store-context.ts';
import { applyChange } from './apply-change.ts';
import { insertIssue } from './insert-issue.ts';
import { queueWaiting } from './line-for-repo.ts';
import { countIssues, listIssues } from './list-issues.ts';
import { readInbox } from './read-inbox.ts';
import { mustReadIssue, readIssue } from './read-issue.ts';
import { removeIssue } from './remove-issue.ts';

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

const names = editedFields.map(domainName);

// The row is changed first, because that serialises the writers of an issue.
const setFields = prepared(({ context, db }, given: Given<{ id: IssueId; now: Date } & EditableFields>) => {
  const { issues } = context.database.tables;
  const isEditable = and(
    eq(issues.id, given('id', issues.id)),
    isVisible(context.database, db),
    inArray(issues.status, statusesWhere(isPending)),
    isNull(issues.queuedAt),
  );
  const fields = Object.fromEntries(names.map((name) => [name, given(name, issues[name])]));
  return db
    .update(issues)
    .set({
      ...fields,
      updatedAt: given('now', issues.updatedAt),
      lastSeq: sql`${issues.lastSeq} + 1`,
    })
    .where(isEditable)
    .returning({ id: issues.id });
});

const setPipeline = prepared(({ context, db }, given: Given<{ id: IssueId; pipeline: Issue['pipeline'] }>) => {
  const { issues } = context.database.tables;
  return db
    .update(issues)
    .set({ pipeline: given('pipeline', issues.pipeline) })
    .where(eq(issues.id, given('id', issues.id)));
});

/** `IssueStore.edit`. The statement that writes the fields also checks that the issue has not been started. */
async function updateIssueFields(
  context: StoreContext,
  id: IssueId,
  edit: IssueEdit & { audit: NewAuditEntry | undefined },
): Promise<Issue | null> {
  const { warnings, audit, ...fields } = edit;
  return await write(context, async (write) => {
    const [taken] = await setFields(write, { ...fields, id, now: write.now });
    if (taken === undefined) return null;
    const { pipeline, status, stage } = await mustReadIssue(write, id);
    await setPipeline(write, { id, pipeline: { ...pipeline, warnings: [...warnings] } });
    const edited = await mustReadIssue(write, id);
    const detail = 'Its text was changed.';
    appendEvents(write, edited, [
      { type: 'issue.status', data: { from: status, to: status, stage, queue_position: null, detail } },
    ]);
    await appendAudit(write, audit);
    return edited;
  });
}

const takeNote = prepared(({ context, db }, given: Given<{ id: IssueId }>) => {
  const { issues } = context.database.tables;
  const nextSeq = sql`${issues.lastSeq} + 1`;
  return db
    .update(issues)
    .set({ lastSeq: nextSeq, notesSeq: nextSeq })
    .where(and(eq(issues.id, given('id', issues.id)), inArray(issues.status, statusesWhere(takesNotes))))
    .returning(numberedColumns({ issues }));
});

/**
 * `IssueStore.addNote`. A note is an event; the row holds the number of the last one. The same statement checks the
 * status and takes the number, so no note follows the event that ended the issue.
 */
async function insertNote(
  context: StoreContext,
  id: IssueId,
  {
    text,
    audit,
    response,
    attach: attaching,
  }: { readonly text: string; readonly attach?: Attaching | undefined } & WrittenWith<IssueId>,
): Promise<boolean> {
  return await write(context, async (write) => {
    const [issue] = await takeNote(write, { id });
    if (issue === undefined) return false;
    if (attaching !== undefined) await attach(write, id, attaching);
    const attachments =
      attaching === undefined || attaching.ids.length === 0 ? {} : { attachments: [...attaching.ids] };
    appendEvents(write, issue, [{ type: 'user.message', data: { text, ...attachments } }]);
    await appendAudit(write, audit);
    await storeResponse(write, id, response);
    return true;
  });
}
