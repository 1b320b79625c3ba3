import type { RunStore } from '@sluice/core';
import { and, asc, eq, gt, max } from 'drizzle-orm';
import { inChunks } from '../event/append-events.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { holdIssue } from './fence.ts';

/** The output of the commands that ran for an issue. */
export function createCommandLog(context: StoreContext): Pick<RunStore, 'appendLog' | 'log'> {
  const { read, tables } = context.database;
  const { commandLog } = tables;
  return {
    appendLog: (lease, chunks) =>
      write(context, async (write) => {
        const issue = await holdIssue(write, lease);
        if (issue === null) return false;
        const [last] = await write.db
          .select({ seq: max(commandLog.seq) })
          .from(commandLog)
          .where(eq(commandLog.issueId, issue.id));
        const first = (last?.seq ?? 0) + 1;
        const rows = chunks.map(({ command, stream, text }, index) => ({
          issueId: issue.id,
          seq: first + index,
          command,
          stream,
          text,
          at: write.now,
        }));
        for (const some of inChunks(rows)) await write.db.insert(commandLog).values(some);
        return true;
      }),

    log: async (issueId, { after, limit }) =>
      await read
        .select({
          seq: commandLog.seq,
          command: commandLog.command,
          stream: commandLog.stream,
          text: commandLog.text,
          at: commandLog.at,
        })
        .from(commandLog)
        .where(and(eq(commandLog.issueId, issueId), gt(commandLog.seq, after)))
        .orderBy(asc(commandLog.seq))
        .limit(limit),
  };
}
