import { type Issue, type IssueId, type IssueText, isPending, type NewAuditEntry, statusesWhere } from '@sluice/core';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import { appendEvents } from '../event/append-events.ts';
import { isVisible } from '../removal/is-visible.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { mustReadIssue } from './read-issue.ts';

/** `IssueStore.edit`. The statement that writes the text also checks that the issue has not been started. */
export async function updateIssueText(
  context: StoreContext,
  id: IssueId,
  text: IssueText & { audit: NewAuditEntry | undefined },
): Promise<Issue | null> {
  const { tables } = context.database;
  const { issues } = tables;
  const { title, body, warnings, audit } = text;
  return await write(context, async (write) => {
    const isEditable = and(
      eq(issues.id, id),
      isVisible(context.database, write.db),
      inArray(issues.status, statusesWhere(isPending)),
      isNull(issues.queuedAt),
    );
    // The row is changed first, because that serialises the writers of an issue.
    const [taken] = await write.db
      .update(issues)
      .set({ title, body, updatedAt: write.now, lastSeq: sql`${issues.lastSeq} + 1` })
      .where(isEditable)
      .returning({ id: issues.id });
    if (taken === undefined) return null;
    const { pipeline, status, stage } = await mustReadIssue(write, id);
    await write.db
      .update(issues)
      .set({ pipeline: { ...pipeline, warnings: [...warnings] } })
      .where(eq(issues.id, id));
    const edited = await mustReadIssue(write, id);
    const detail = 'Its text was changed.';
    appendEvents(write, edited, [
      { type: 'issue.status', data: { from: status, to: status, stage, queue_position: null, detail } },
    ]);
    appendAudit(write, audit);
    return edited;
  });
}
