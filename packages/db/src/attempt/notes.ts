import type { IssueId, NewEvent, Note, RunStore } from '@sluice/core';
import { and, asc, eq, gt, lte } from 'drizzle-orm';
import { type Given, prepared } from '../store/prepared.ts';
import type { StoreContext } from '../store/store-context.ts';

type NoteEvent = Extract<NewEvent, { type: 'user.message' }>;

// Asked before every answer of a model: between the two numbers there is nothing to look at but on the day of a note.
const selectNotes = prepared(({ context, db }, given: Given<{ issueId: IssueId }>) => {
  const { events, issues } = context.database.tables;
  const isUnread = and(
    eq(events.issueId, issues.id),
    gt(events.seq, issues.notesReadSeq),
    lte(events.seq, issues.notesSeq),
    eq(events.type, 'user.message'),
  );
  return db
    .select({ seq: events.seq, data: events.data })
    .from(issues)
    .innerJoin(events, isUnread)
    .where(eq(issues.id, given('issueId', issues.id)))
    .orderBy(asc(events.seq));
});

/** What people wrote to the agents of an issue. */
export function createNotes(context: StoreContext): Pick<RunStore, 'notes'> {
  const reading = { context, db: context.database.read };
  return {
    notes: async (issueId) => {
      const rows = await selectNotes(reading, { issueId });
      return rows.map(({ seq, data }): Note => ({ seq, text: (data as NoteEvent['data']).text }));
    },
  };
}
