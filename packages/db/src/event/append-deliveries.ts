import { includesRole, type Role } from '@sluice/core/access';
import type { IssueId, RepoId, UserId } from '@sluice/core/id';
import type { NewEvent } from '@sluice/core/issue';
import {
  asksForDecision,
  type NotificationTarget,
  notificationOf,
  type StoredNotification,
} from '@sluice/core/notification';
import { approvalStanding, type Gate } from '@sluice/core/pipeline';
import { and, eq, inArray, isNotNull, isNull, or } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { toGate } from '../schema/gate-document.ts';
import { type Given, prepared } from '../store/prepared.ts';
import type { Write } from '../store/store-context.ts';

/** Due at once: a column rounds to milliseconds, and what is due now must not be in the future. */
export const NOW_MS = -1;
/**
 * How long a delivery behind another one of its line is left alone. The end of that one makes it due; on Postgres it can miss
 * the end in a transaction beside this one, and is then found when this time is over.
 */
export const BEHIND_MS = 60_000;

/** The targets of those who may read the repository. */
const selectTargets = prepared(({ context, db }, given: Given<{ repoId: RepoId }>) => {
  const { notificationTargets: targets, users, repos, repoMembers: members } = context.database.tables;
  const registrant = db
    .select({ id: repos.userId })
    .from(repos)
    .where(eq(repos.id, given('repoId', repos.id)));
  const others = db
    .select({ id: members.userId })
    .from(members)
    .where(eq(members.repoId, given('repoId', members.repoId)));
  return db
    .select({
      id: targets.id,
      userId: targets.userId,
      events: targets.events,
      repoId: targets.repoId,
      role: members.role,
    })
    .from(targets)
    .innerJoin(users, eq(users.id, targets.userId))
    .leftJoin(members, and(eq(members.userId, targets.userId), eq(members.repoId, given('repoId', members.repoId))))
    .where(
      and(
        or(inArray(targets.userId, registrant), inArray(targets.userId, others)),
        isNull(targets.disabledAt),
        isNull(users.disabledAt),
      ),
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
 * Writes the deliveries of an issue's new events to the targets of the members of its repository, in the transaction that writes
 * the events. Most users have no target; then this is one short read.
 */
export async function appendDeliveries(
  write: Write,
  { id: issueId, userId, repoId }: { readonly id: IssueId; readonly userId: UserId; readonly repoId: RepoId },
  events: readonly NewEvent[],
): Promise<void> {
  const targets = await selectTargets(write, { repoId });
  if (targets.length === 0) return;
  const [found] = await selectIssue(write, { issueId });
  if (found === undefined) return;
  const { number, state, pipeline, gate, ...row } = found;
  const changeRequest = number === null || state === null ? null : { number, state };
  const issue = { ...row, changeRequest, gate: toGate(gate), triage: pipeline.triage };
  const deliveries = events.flatMap((event) => {
    const notification = notificationOf(event, issue, write.now);
    if (notification === null) return [];
    const wanting = targets.filter((target) => wants(target, notification, { userId, repoId, gate: issue.gate }));
    return wanting.map(({ id: targetId }) => ({ targetId, issueId, notification }));
  });
  await insertDeliveries(write, deliveries);
}

/** A target of one repository gets all of it. One of all gets what its user asked for, and the gates that they may decide. */
function wants(
  { events, repoId, userId, role }: Pick<NotificationTarget, 'events' | 'repoId' | 'userId'> & { role: Role | null },
  { type }: StoredNotification,
  issue: { readonly userId: UserId; readonly repoId: RepoId; readonly gate: Gate | null },
): boolean {
  if (type === 'test' || !events.includes(type)) return false;
  if (asksForDecision(type) && !isAsked(userId, issue)) return false;
  if (repoId !== null) return repoId === issue.repoId;
  // Who registered the repository has no row among its members.
  return userId === issue.userId || (asksForDecision(type) && (role === null || includesRole(role, 'approver')));
}

/** Whom a gate does not wait for: its requester where somebody else has to approve, and those who have approved. */
function isAsked(userId: UserId, { gate, userId: requesterId }: { gate: Gate | null; userId: UserId }): boolean {
  if (gate === null) return true;
  const policy = { requesterApproves: gate.requester_approves, approvals: gate.approvals_needed };
  return approvalStanding(userId, { gate, policy, requesterId }) === 'counts';
}

interface NewDelivery {
  readonly id?: string;
  /** The message id of the delivery that it repeats. */
  readonly messageId?: string;
  readonly targetId: string;
  readonly issueId: IssueId | null;
  readonly notification: StoredNotification;
}

/** Writes deliveries. Each is due at once, or waits in the line of its issue and target for the one before it. */
export async function insertDeliveries(write: Write, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  const { context, db, now } = write;
  const { tables, at } = context.database;
  const lines = await linesOf(write, deliveries);
  const rows = deliveries.map(({ id = uuidv7(), messageId = `msg_${id}`, targetId, issueId, notification }) => {
    const line = `${targetId} ${issueId}`;
    const isBehind = issueId !== null && lines.has(line);
    lines.add(line);
    return {
      id,
      messageId,
      targetId,
      issueId,
      notification,
      status: 'pending' as const,
      attempts: 0,
      nextAttemptAt: at(isBehind ? BEHIND_MS : NOW_MS),
      createdAt: now,
    };
  });
  await db.insert(tables.notificationDeliveries).values(rows);
}

/** The lines of these deliveries in which one is pending. */
async function linesOf({ context, db }: Write, deliveries: readonly NewDelivery[]): Promise<Set<string>> {
  const { notificationDeliveries: of } = context.database.tables;
  const issueIds = [...new Set(deliveries.map(({ issueId }) => issueId))].filter((id) => id !== null);
  if (issueIds.length === 0) return new Set();
  const targetIds = [...new Set(deliveries.map(({ targetId }) => targetId))];
  const pending = await db
    .select({ targetId: of.targetId, issueId: of.issueId })
    .from(of)
    .where(and(inArray(of.targetId, targetIds), inArray(of.issueId, issueIds), isNotNull(of.nextAttemptAt)));
  return new Set(pending.map(({ targetId, issueId }) => `${targetId} ${issueId}`));
}
