import type { IssueId, RepoId, UserId } from '@sluice/core/id';
import { eventCatalog, type NewEvent } from '@sluice/core/issue';
import { mayNotify } from '@sluice/core/notification';
import type { Tables } from '../schema/schema.ts';
import { preparedInsert } from '../store/prepared-insert.ts';
import type { Write } from '../store/store-context.ts';
import { appendDeliveries } from './append-deliveries.ts';

const MAX_ROWS_PER_INSERT = 1_000; // SQLite binds at most 32,766 values, and Postgres wraps their count silently

const insertEvents = preparedInsert(
  ({ events }) => events,
  ({ context, db }, rows: Tables['events']['$inferInsert'][]) => db.insert(context.database.tables.events).values(rows),
);

/** An issue whose row this transaction has changed, which keeps others from writing its events. */
export interface NumberedIssue {
  readonly id: IssueId;
  readonly userId: UserId;
  readonly repoId: RepoId;
  /** After the change: the numbers of the new events are included. */
  readonly lastSeq: number;
  /** The epoch of the lease under which it was changed. */
  readonly epoch?: number | undefined;
}

/** The columns of a `NumberedIssue`. */
export function numberedColumns({ issues }: Pick<Tables, 'issues'>) {
  return { id: issues.id, userId: issues.userId, repoId: issues.repoId, lastSeq: issues.lastSeq };
}

/**
 * Writes events under the last `events.length` numbers by which this transaction has raised `issue.lastSeq`. The row is
 * changed first, because that serialises the writers of an issue. What users are notified of by them is written with them.
 *
 * @throws ZodError for data that does not match the catalogue, which is a bug in the caller
 */
export function appendEvents(write: Write, issue: NumberedIssue, events: readonly NewEvent[]): void {
  if (events.length === 0) return;
  const first = issue.lastSeq - events.length + 1;
  const rows = events.map(({ type, data }, index) => ({
    issueId: issue.id,
    userId: issue.userId,
    seq: first + index,
    type,
    data: eventCatalog[type].parse(data),
    at: write.now,
  }));
  for (const some of inChunks(rows)) write.atEnd(() => insertEvents(write, some));
  const telling = events.filter(mayNotify);
  if (telling.length > 0) write.consequences.push(() => appendDeliveries(write, issue, telling));
  const { id, userId, repoId, lastSeq, epoch } = issue;
  write.hints.set(id, { issueId: id, userId, repoId, seq: lastSeq, ...(epoch !== undefined && { epoch }) });
}

/** Splits rows into as many as one statement may insert on both engines. */
export function* inChunks<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += MAX_ROWS_PER_INSERT) {
    yield rows.slice(start, start + MAX_ROWS_PER_INSERT);
  }
}
