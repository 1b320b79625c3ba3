import type { NewEvent, Note, RunStore } from '@sluice/core';
import { and, asc, eq, gt, lte } from 'drizzle-orm';
import type { StoreContext } from '../store/store-context.ts';

type NoteEvent = Extract<NewEvent, { type: 'user.message' }>;

/** What people wrote to the agents of an issue. */
export function createNotes({ database }: StoreContext): Pick<RunStore, 'notes'> {
  const { read, tables } = database;
  const { events, issues } = tables;
  return {
    // Asked before every answer of a model: between the two numbers there is nothing to look at but on the day of a note.
    notes: async (issueId) => {
      const rows = await read
        .select({ seq: events.seq, data: events.data })
        .from(issues)
        .innerJoin(
          events,
          and(
            eq(events.issueId, issues.id),
            gt(events.seq, issues.notesReadSeq),
            lte(events.seq, issues.notesSeq),
            eq(events.type, 'user.message'),
          ),
        )
        .where(eq(issues.id, issueId))
        .orderBy(asc(events.seq));
      return rows.map(({ seq, data }): Note => ({ seq, text: (data as NoteEvent['data']).text }));
    },
  };
}
