import type { RunStore } from '@sluice/core/agent';
import type { IssueId } from '@sluice/core/id';
import { and, asc, eq, gt, max } from 'drizzle-orm';
import { inChunks } from '../event/append-events.ts';
import type { Tables } from '../schema/schema.ts';
import { type Given, prepared } from '../store/prepared.ts';
import { preparedInsert } from '../store/prepared-insert.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { holdIssue } from './fence.ts';

const selectLast = prepared(({ context, db }, given: Given<{ issueId: IssueId }>) => {
  const { commandLog } = context.database.tables;
  return db
    .select({ seq: max(commandLog.seq) })
    .from(commandLog)
    .where(eq(commandLog.issueId, given('issueId', commandLog.issueId)));
});

const insertChunks = preparedInsert(
  ({ commandLog }) => commandLog,
  ({ context, db }, rows: Tables['commandLog']['$inferInsert'][]) =>
    db.insert(context.database.tables.commandLog).values(rows),
);

const selectChunks = prepared(({ context, db }, given: Given<{ issueId: IssueId; after: number; limit: number }>) => {
  const { commandLog } = context.database.tables;
  const { issueId, seq, command, runSeq, stream, text, leftOut, at } = commandLog;
  return db
    .select({ seq, command, runSeq, stream, text, leftOut, at })
    .from(commandLog)
    .where(and(eq(issueId, given('issueId', issueId)), gt(seq, given('after', seq))))
    .orderBy(asc(seq))
    .limit(given('limit'));
});

/** The output of the commands that ran for an issue. */
export function createCommandLog(context: StoreContext): Pick<RunStore, 'appendLog' | 'log'> {
  const reading = { context, db: context.database.read };
  return {
    appendLog: (lease, chunks) =>
      write(context, async (write) => {
        const issue = await holdIssue(write, lease);
        if (issue === null) return false;
        const [last] = await selectLast(write, { issueId: issue.id });
        const first = (last?.seq ?? 0) + 1;
        const rows = chunks.map(({ command, runSeq, stream, text, leftOut = null }, index) => ({
          issueId: issue.id,
          seq: first + index,
          command,
          runSeq,
          stream,
          text,
          leftOut,
          at: write.now,
        }));
        for (const some of inChunks(rows)) write.atEnd(() => insertChunks(write, some));
        return true;
      }),

    log: (issueId, { after, limit }) => selectChunks(reading, { issueId, after, limit }),
  };
}
