import type { NewAuditEntry } from '@sluice/core/audit';
import type { IssueId } from '@sluice/core/id';
import {
  domainName,
  type EditableFields,
  editedFields,
  type Issue,
  type IssueEdit,
  isPending,
  statusesWhere,
} from '@sluice/core/issue';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import { appendEvents } from '../event/append-events.ts';
import { isVisible } from '../removal/is-visible.ts';
import { type Given, prepared } from '../store/prepared.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { mustReadIssue } from './read-issue.ts';

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
export async function updateIssueFields(
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
