import type { WrittenWith } from '@sluice/core/audit';
import type { IssueId } from '@sluice/core/id';
import { statusesWhere, takesNotes } from '@sluice/core/issue';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import { appendEvents, numberedColumns } from '../event/append-events.ts';
import { storeResponse } from '../request/store-response.ts';
import { type Given, prepared } from '../store/prepared.ts';
import { type StoreContext, write } from '../store/store-context.ts';

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
export async function insertNote(
  context: StoreContext,
  id: IssueId,
  { text, audit, response }: { readonly text: string } & WrittenWith<IssueId>,
): Promise<boolean> {
  return await write(context, async (write) => {
    const [issue] = await takeNote(write, { id });
    if (issue === undefined) return false;
    appendEvents(write, issue, [{ type: 'user.message', data: { text } }]);
    await appendAudit(write, audit);
    await storeResponse(write, id, response);
    return true;
  });
}
