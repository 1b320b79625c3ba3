import type { Note, RunStore, Said } from '@sluice/core/agent';
import type { IssueId } from '@sluice/core/id';
import type { NewEvent } from '@sluice/core/issue';
import { and, asc, eq, gt, inArray, lte } from 'drizzle-orm';
import { type Given, prepared } from '../store/prepared.ts';
import type { StoreContext } from '../store/store-context.ts';

type NoteEvent = Extract<NewEvent, { type: 'user.message' }>;
type DecisionEvent = Extract<NewEvent, { type: 'review.decided' }>;

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

// Asked once for a conversation.
const selectSaid = prepared(({ context, db }, given: Given<{ issueId: IssueId }>) => {
  const { events, issues } = context.database.tables;
  const isSaid = and(
    eq(events.issueId, issues.id),
    inArray(events.type, ['user.message', 'review.decided', 'plan.created']),
  );
  return db
    .select({ seq: events.seq, type: events.type, data: events.data, readSeq: issues.notesReadSeq })
    .from(issues)
    .innerJoin(events, isSaid)
    .where(eq(issues.id, given('issueId', issues.id)))
    .orderBy(asc(events.seq));
});

/** What people wrote to the agents of an issue. */
export function createNotes(context: StoreContext): Pick<RunStore, 'notes' | 'said'> {
  const reading = { context, db: context.database.read };
  return {
    notes: async (issueId) => {
      const rows = await selectNotes(reading, { issueId });
      return rows.map(({ seq, data }): Note => ({ seq, text: (data as NoteEvent['data']).text }));
    },
    said: async (issueId) => {
      const rows = await selectSaid(reading, { issueId });
      const planned = rows.findLast(({ type }) => type === 'plan.created')?.seq ?? 0;
      return rows.flatMap(({ seq, type, data, readSeq }): Said[] => {
        if (type === 'user.message' && seq <= readSeq)
          return [{ kind: 'note', text: (data as NoteEvent['data']).text }];
        const guidance = type === 'review.decided' ? (data as DecisionEvent['data']).guidance : null;
        // What was said of a plan led to the next one, which says it.
        return guidance !== null && seq > planned ? [{ kind: 'guidance', text: guidance }] : [];
      });
    },
  };
}
