import type { RunStore } from '@sluice/core';
import { and, asc, eq } from 'drizzle-orm';
import { appendEvents, inChunks } from '../issue/append-events.ts';
import { type StoreContext, write } from '../store-context.ts';
import { holdIssue } from './fence.ts';

/** What agents have done in a round of a stage, in the order in which they did it. */
export function createJournals(context: StoreContext): Pick<RunStore, 'journal' | 'appendJournal'> {
  const { read, tables } = context.database;
  const { journalEntries } = tables;
  return {
    journal: async (issueId, { stage, round }) => {
      const rows = await read
        .select({ entry: journalEntries.entry })
        .from(journalEntries)
        .where(
          and(eq(journalEntries.issueId, issueId), eq(journalEntries.stage, stage), eq(journalEntries.round, round)),
        )
        .orderBy(asc(journalEntries.ordinal));
      return rows.map(({ entry }) => entry);
    },

    appendJournal: (lease, { stage, round }, { entries, events }) =>
      write(context, async (write) => {
        const issue = await holdIssue(write, lease, events.length);
        if (issue === null) return false;
        const rows = entries.map((entry) => ({ issueId: issue.id, stage, round, entry }));
        for (const some of inChunks(rows)) await write.db.insert(journalEntries).values(some);
        await appendEvents(write, issue, events);
        return true;
      }),
  };
}
