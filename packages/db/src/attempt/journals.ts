import type { JournalEntry, RunStore } from '@sluice/core/agent';
import type { IssueId } from '@sluice/core/id';
import { addUsage, NO_USAGE, type Usage } from '@sluice/core/pipeline';
import { and, asc, eq } from 'drizzle-orm';
import { appendEvents, inChunks } from '../event/append-events.ts';
import type { Tables } from '../schema/schema.ts';
import { bookSpending } from '../spending/spending.ts';
import { type Given, prepared } from '../store/prepared.ts';
import { preparedInsert } from '../store/prepared-insert.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { packCheckpoint, writeCheckpoint } from './checkpoints.ts';
import { holdIssue } from './fence.ts';

const insertEntries = preparedInsert(
  ({ journalEntries }) => journalEntries,
  ({ context, db }, rows: Tables['journalEntries']['$inferInsert'][]) =>
    db.insert(context.database.tables.journalEntries).values(rows),
);

type JournalKey = Parameters<RunStore['journal']>[1] & { issueId: IssueId };

const selectJournal = prepared(({ context, db }, given: Given<JournalKey>) => {
  const { journalEntries } = context.database.tables;
  const { issueId, stage, round, entry, ordinal } = journalEntries;
  return db
    .select({ entry })
    .from(journalEntries)
    .where(
      and(eq(issueId, given('issueId', issueId)), eq(stage, given('stage', stage)), eq(round, given('round', round))),
    )
    .orderBy(asc(ordinal));
});

/** The journals of agents, one for each round of a stage. */
export function createJournals(context: StoreContext): Pick<RunStore, 'journal' | 'appendJournal'> {
  const reading = { context, db: context.database.read };
  return {
    journal: async (issueId, { stage, round }) => {
      const rows = await selectJournal(reading, { issueId, stage, round });
      return rows.map(({ entry }) => entry);
    },

    appendJournal: async (lease, { stage, round }, { entries, events, checkpoint }) => {
      const packed = checkpoint === undefined ? null : await packCheckpoint(checkpoint);
      return await write(context, async (write) => {
        const issue = await holdIssue(write, lease, {
          events: events.length,
          ...usageOf(entries),
          ...notesReadBy(entries),
        });
        if (issue === null) return false;
        bookSpending(write, issue, usagesIn(entries));
        const rows = entries.map((entry) => ({ issueId: issue.id, stage, round, entry }));
        for (const some of inChunks(rows)) write.atEnd(() => insertEntries(write, some));
        if (packed !== null) writeCheckpoint(write, issue.id, { kind: 'work', packed });
        appendEvents(write, issue, events);
        return true;
      });
    },
  };
}

/** The usage of the model's turns, added to the issue. Fenced with the journal, so each entry counts exactly once. */
function usageOf(entries: readonly JournalEntry[]): { used?: Usage } {
  const usages = usagesIn(entries);
  return usages.length === 0 ? {} : { used: usages.reduce(addUsage, NO_USAGE) };
}

function usagesIn(entries: readonly JournalEntry[]): Usage[] {
  return entries.flatMap((entry): Usage[] => (entry.kind === 'usage' ? [entry.usage] : []));
}

function notesReadBy(entries: readonly JournalEntry[]): { notesReadSeq?: number } {
  const read = entries.flatMap((entry) => (entry.kind === 'note' ? [entry.seq] : []));
  return read.length === 0 ? {} : { notesReadSeq: Math.max(...read) };
}
