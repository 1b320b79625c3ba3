import {
  type IssueId,
  type NewEvent,
  type NotificationTarget,
  notificationOf,
  type StoredNotification,
  type UserId,
} from '@sluice/core';
import { and, eq, isNull } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { type Given, prepared } from '../store/prepared.ts';
import type { Write } from '../store/store-context.ts';

/** Due at once: a column rounds to milliseconds, and what is due now must not be in the future. */
const NOW_MS = -1;

const selectTargets = prepared(({ context, db }, given: Given<{ userId: UserId }>) => {
  const { notificationTargets: targets, users } = context.database.tables;
  return db
    .select({ id: targets.id, events: targets.events, repoId: targets.repoId })
    .from(targets)
    .innerJoin(users, eq(users.id, targets.userId))
    .where(
      and(eq(targets.userId, given('userId', targets.userId)), isNull(targets.disabledAt), isNull(users.disabledAt)),
    );
});

const selectIssue = prepared(({ context, db }, given: Given<{ issueId: IssueId }>) => {
  const { issues, repos } = context.database.tables;
  return db
    .select({
      id: issues.id,
      title: issues.title,
      status: issues.status,
      origin: issues.origin,
      gate: issues.gate,
      error: issues.error,
      result: issues.result,
      number: issues.changeRequestNumber,
      state: issues.changeRequestState,
      pipeline: issues.pipeline,
      repo: { id: repos.id, name: repos.name },
    })
    .from(issues)
    .innerJoin(repos, eq(repos.id, issues.repoId))
    .where(eq(issues.id, given('issueId', issues.id)));
});

/**
 * Writes the deliveries of an issue's new events to the targets of its user, in the transaction that writes the events. Most
 * users have no target; then this is one short read.
 */
export async function appendDeliveries(
  write: Write,
  { id: issueId, userId }: { readonly id: IssueId; readonly userId: UserId },
  events: readonly NewEvent[],
): Promise<void> {
  const targets = await selectTargets(write, { userId });
  if (targets.length === 0) return;
  const [found] = await selectIssue(write, { issueId });
  if (found === undefined) return;
  const { number, state, pipeline, ...row } = found;
  const changeRequest = number === null || state === null ? null : { number, state };
  const issue = { ...row, changeRequest, triage: pipeline.triage };
  const deliveries = events.flatMap((event) => {
    const notification = notificationOf(event, issue, write.now);
    if (notification === null) return [];
    const wanting = targets.filter((target) => wants(target, notification, issue.repo.id));
    return wanting.map(({ id: targetId }) => ({ targetId, issueId, notification }));
  });
  await insertDeliveries(write, deliveries);
}

function wants(
  { events, repoId }: Pick<NotificationTarget, 'events' | 'repoId'>,
  { type }: StoredNotification,
  ofRepo: NotificationTarget['repoId'],
): boolean {
  return type !== 'test' && events.includes(type) && (repoId === null || repoId === ofRepo);
}

interface NewDelivery {
  readonly id?: string;
  /** Of the delivery that it repeats. */
  readonly messageId?: string;
  readonly targetId: string;
  readonly issueId: IssueId | null;
  readonly notification: StoredNotification;
}

/** Writes deliveries that are due at once. */
export async function insertDeliveries({ context, db, now }: Write, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  const { tables, at } = context.database;
  const rows = deliveries.map(({ id = uuidv7(), messageId = `msg_${id}`, targetId, issueId, notification }) => ({
    id,
    messageId,
    targetId,
    issueId,
    notification,
    status: 'pending' as const,
    attempts: 0,
    nextAttemptAt: at(NOW_MS),
    createdAt: now,
  }));
  await db.insert(tables.notificationDeliveries).values(rows);
}
