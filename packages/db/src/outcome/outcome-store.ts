import type { NewAuditEntry } from '@sluice/core/audit';
import type { Issue, NewEvent } from '@sluice/core/issue';
import {
  type ChangeRequestKey,
  type ChangeRequestRecord,
  type NewCloseAnswer,
  type OutcomeFacts,
  type OutcomeStore,
  openedRecord,
  updateOutcome,
} from '@sluice/core/outcome';
import { and, asc, eq, sql } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import { appendEvents, numberedColumns } from '../event/append-events.ts';
import { type Given, prepared } from '../store/prepared.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { outcomeCounts } from './outcome-counts.ts';
import { insertRecord, readRecord, toRecord, updateRecord } from './record-row.ts';

/** The records of pull requests, on whatever database `context` holds. */
export function createOutcomeStore(context: StoreContext): OutcomeStore {
  const { read } = context.database;
  return {
    get: (key) => readRecord(context, read, key),
    ofIssue: async (issueId) => {
      const [found] = await selectOfIssue({ context, db: read }, { issueId });
      return found === undefined ? null : toRecord(found.row);
    },
    note: (key, facts) => note(context, key, facts),
    answerClose: (key, answer, audit) => answerClose(context, { key, answer, audit }),
    ...outcomeCounts(context),
  };
}

const selectOfIssue = prepared(({ context, db }, given: Given<{ issueId: Issue['id'] }>) => {
  const { issues, changeRequests: of } = context.database.tables;
  return db
    .select({ row: of })
    .from(issues)
    .innerJoin(of, and(eq(of.repoId, issues.repoId), eq(of.number, issues.changeRequestNumber)))
    .where(eq(issues.id, given('issueId', issues.id)));
});

async function note(
  context: StoreContext,
  key: ChangeRequestKey,
  facts: OutcomeFacts,
): Promise<ChangeRequestRecord | null> {
  const known = await readRecord(context, context.database.read, key);
  // Most syncs bring nothing new: then no transaction is begun.
  if (known !== null && isSame(known, updateOutcome(known, facts, context.clock.now()))) return known;
  return await write(context, async (write) => {
    const before = await holdRecord(write, key);
    if (before === null) return null;
    const after = updateOutcome(before, facts, write.now);
    await updateRecord(write, after);
    if (after.build !== null && JSON.stringify(before.build) !== JSON.stringify(after.build)) {
      await addEvent(write, after, { type: 'build.updated', data: after.build });
    }
    if (before.closeAskedAt === null && after.closeAskedAt !== null) {
      await addEvent(write, after, { type: 'close.asked', data: { number: key.number } });
    }
    return after;
  });
}

/** Two records of the same members in the same order. */
function isSame(one: ChangeRequestRecord, other: ChangeRequestRecord): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function answerClose(
  context: StoreContext,
  request: { key: ChangeRequestKey; answer: NewCloseAnswer; audit: NewAuditEntry | undefined },
): ReturnType<OutcomeStore['answerClose']> {
  const { key, answer, audit } = request;
  return await write(context, async (write) => {
    const before = await holdRecord(write, key);
    if (before === null) return { kind: 'absent' };
    if (before.closedAt === null) return { kind: 'not_closed' };
    const given = before.closeAnswer;
    if (given !== null && given.userId !== answer.userId) return { kind: 'answered_before', answer: given };
    if (given?.reason === answer.reason && given.note === answer.note) return { kind: 'answered', record: before };
    const record: ChangeRequestRecord = { ...before, closeAnswer: { ...answer, at: write.now } };
    await updateRecord(write, record);
    const { reason, note, userId: user_id } = answer;
    await addEvent(write, record, {
      type: 'close.answered',
      data: { number: key.number, reason, note, user_id },
    });
    await appendAudit(write, audit);
    return { kind: 'answered', record };
  });
}

/**
 * The record, with its first issue held against other writers; added where an earlier release published the issue. Null where
 * there is neither.
 */
async function holdRecord(write: Write, key: ChangeRequestKey): Promise<ChangeRequestRecord | null> {
  const { context, db } = write;
  const first = (await readRecord(context, db, key))?.issueId ?? (await firstIssueOf(write, key));
  if (first === null) return null;
  const [issue] = await holdIssue(write, { id: first });
  const record = await readRecord(context, db, key);
  if (record !== null || issue === undefined) return record;
  const { finishedAt, changeRequestState } = issue;
  const opened = { number: key.number, state: changeRequestState ?? 'open' };
  await insertRecord(write, openedRecord(issue, opened, finishedAt ?? write.now));
  return await readRecord(context, db, key);
}

const selectFirstIssue = prepared(({ context, db }, given: Given<ChangeRequestKey>) => {
  const { issues } = context.database.tables;
  return db
    .select({ id: issues.id })
    .from(issues)
    .where(
      and(
        eq(issues.repoId, given('repoId', issues.repoId)),
        eq(issues.changeRequestNumber, given('number', issues.changeRequestNumber)),
      ),
    )
    .orderBy(asc(issues.ordinal))
    .limit(1);
});

async function firstIssueOf(write: Write, { repoId, number }: ChangeRequestKey): Promise<Issue['id'] | null> {
  const [issue] = await selectFirstIssue(write, { repoId, number });
  return issue?.id ?? null;
}

// Changes nothing. The kit has no `for update`.
const holdIssue = prepared(({ context, db }, given: Given<Pick<Issue, 'id'>>) => {
  const { issues } = context.database.tables;
  return db
    .update(issues)
    .set({ lastSeq: sql`${issues.lastSeq}` })
    .where(eq(issues.id, given('id', issues.id)))
    .returning({
      id: issues.id,
      repoId: issues.repoId,
      pipeline: issues.pipeline,
      finishedAt: issues.finishedAt,
      changeRequestState: issues.changeRequestState,
    });
});

const raiseSeq = prepared(({ context, db }, given: Given<Pick<Issue, 'id'> & { now: Date }>) => {
  const { issues } = context.database.tables;
  return db
    .update(issues)
    .set({ lastSeq: sql`${issues.lastSeq} + 1`, updatedAt: given('now', issues.updatedAt) })
    .where(eq(issues.id, given('id', issues.id)))
    .returning(numberedColumns({ issues }));
});

async function addEvent(write: Write, { issueId: id }: ChangeRequestRecord, event: NewEvent): Promise<void> {
  const [issue] = await raiseSeq(write, { id, now: write.now });
  if (issue !== undefined) appendEvents(write, issue, [event]);
}
