import { addUsage, type JournalEntry, NO_USAGE, type RunStore, type Usage } from '@sluice/core';
import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { appendEvents, inChunks } from '../event/append-events.ts';
import type { Tables } from '../schema/schema.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { packCheckpoint, writeCheckpoint } from './checkpoints.ts';
import { holdIssue } from './fence.ts';

/** The journals of agents, one for each round of a stage. */
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

    appendJournal: async (lease, { stage, round }, { entries, events, checkpoint }) => {
      const packed = checkpoint === undefined ? null : await packCheckpoint(checkpoint);
      return await write(context, async (write) => {
        const issue = await holdIssue(write, lease, {
          events: events.length,
          set: { ...usageOf(tables, entries), ...notesReadBy(tables, entries) },
        });
        if (issue === null) return false;
        const rows = entries.map((entry) => ({ issueId: issue.id, stage, round, entry }));
        for (const some of inChunks(rows)) write.atEnd(() => write.db.insert(journalEntries).values(some));
        if (packed !== null) writeCheckpoint(write, issue.id, { kind: 'work', packed });
        appendEvents(write, issue, events);
        return true;
      });
    },
  };
}

/** The usage of the model's turns, added to the issue. Fenced with the journal, so each entry counts exactly once. */
function usageOf({ issues }: Tables, entries: readonly JournalEntry[]): Record<string, SQL> {
  const usages = entries.flatMap((entry): Usage[] => (entry.kind === 'usage' ? [entry.usage] : []));
  if (usages.length === 0) return {};
  const used = usages.reduce(addUsage, NO_USAGE);
  return {
    inputTokens: sql`${issues.inputTokens} + ${used.input_tokens}`,
    outputTokens: sql`${issues.outputTokens} + ${used.output_tokens}`,
    // An unknown price makes the sum unknown, in SQL as in the domain.
    costUsd: sql`${issues.costUsd} + ${used.cost_usd}`,
  };
}

function notesReadBy({ issues }: Tables, entries: readonly JournalEntry[]): Record<string, SQL> {
  const read = entries.flatMap((entry) => (entry.kind === 'note' ? [entry.seq] : []));
  if (read.length === 0) return {};
  const last = Math.max(...read);
  return { notesReadSeq: sql`case when ${issues.notesReadSeq} < ${last} then ${last} else ${issues.notesReadSeq} end` };
}
