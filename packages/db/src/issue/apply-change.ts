import {
  type ApplyOutcome,
  type IssueChange,
  type IssueStatus,
  isOpenForDecision,
  isPending,
  isRunnable,
  isTerminal,
  type NewEvent,
  needsSlot,
  nextStatus,
} from '@sluice/core';
import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { dropCheckpoints } from '../attempt/checkpoints.ts';
import { isHeldBy } from '../attempt/fence.ts';
import { closeAttempt, interruptAttempts, openAttempt } from '../attempt/open-attempt.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { appendEvents } from '../event/append-events.ts';
import { isVisible } from '../removal/is-visible.ts';
import type { Tables } from '../schema/schema.ts';
import { type SlotRules, type StoreContext, type Write, write } from '../store/store-context.ts';
import { refuseDisabled } from '../user/hold-user.ts';
import { canonicalRemote, holderOf } from './active-remote.ts';
import { admit, nextQueueOrdinal } from './admission.ts';
import { afterAdmission, issueReturned, mustReadIssue, returnedIssue } from './read-issue.ts';

/** What a change does to the issue's queue place, slot and remote; known before anything is read. */
interface Move {
  readonly from: IssueStatus;
  readonly to: IssueStatus;
  /** It goes into the queue. */
  readonly queues: boolean;
  /** It leaves a gate at which its slot was freed, and holds its remote already. */
  readonly isDecided: boolean;
  /** It comes to a gate, and does not keep its slot there. */
  readonly freesSlot: boolean;
  /** It goes on in the slot that it has kept at the gate. */
  readonly goesOnInSlot: boolean;
  /** It lets go of the slot, the remote and the queue. */
  readonly ends: boolean;
  /** Whether the `issue.status` event is due. */
  readonly hasStatusEvent: boolean;
}

/** `IssueStore.apply`: one compare-and-swap on the issue's row, and all that follows from it, in one transaction. */
export async function applyChange(context: StoreContext, change: IssueChange): Promise<ApplyOutcome> {
  const move = moveOf(change, context.slotRules);
  return await write(context, async (write) => {
    const movesSlots = move.queues || move.ends || move.freesSlot;
    if (movesSlots) await context.database.lockDispatch(write.db);
    const place = move.queues ? await placeInQueue(write, change, move) : { kind: 'none' as const };
    if (place.kind === 'stale' || place.kind === 'repo_busy') return place;
    const issue = await swap(write, { change, move, place: place.kind === 'place' ? place : null });
    if (issue === undefined) return { kind: 'stale' };

    if (change.plan !== undefined) {
      const { plans } = context.database.tables;
      const { revision } = change.plan;
      const row = { issueId: issue.id, revision, document: change.plan };
      write.atEnd(() => write.db.insert(plans).values(row));
    }
    const [begun] = await Promise.all([
      change.begin === undefined ? null : openAttempt(write, issue.id, change.begin),
      change.step === undefined ? null : closeAttempt(write, issue.id, change.step),
    ]);
    if (endsLease(change, move)) write.atEnd(() => interruptAttempts(write, issue.id));
    if (isForGood(move)) dropCheckpoints(write, issue.id);

    const changed = move.queues ? await mustReadIssue(write, issue.id) : await returnedIssue(write, issue);
    const status: NewEvent = {
      type: 'issue.status',
      data: {
        from: move.from,
        to: move.to,
        stage: changed.stage,
        queue_position: changed.queuePosition,
        ...(change.detail === undefined ? {} : { detail: change.detail }),
      },
    };
    const stageEvents = begun === null ? change.events : [...change.events, begun.started];
    const numbered = { ...changed, epoch: change.lease?.epoch };
    appendEvents(write, numbered, move.hasStatusEvent ? [...stageEvents, status] : stageEvents);
    appendAudit(write, change.audit);
    if (isRunnable(move.to) && change.lease === undefined) write.runnable.add(issue.id);
    const started = movesSlots ? await admit(write) : [];
    return {
      kind: 'applied',
      issue: move.queues ? await afterAdmission(write, changed, started) : changed,
      ...(begun !== null && { step: begun.step }),
    };
  });
}

function moveOf(
  { from: { status: from }, trigger, issueId, begin, step, lease }: IssueChange,
  { keptAtGate }: SlotRules,
): Move {
  const to = nextStatus(from, trigger);
  // The store admits issues itself, in the write that frees the slot.
  if (to === null || trigger === 'admitted') {
    throw new Error(`The change "${trigger}" is not for an issue that is \`${from}\` (${issueId}).`);
  }
  if (begin !== undefined && (step === undefined || lease === undefined || !isRunnable(to))) {
    throw new Error(`A attempt follows another one of the same drive (${issueId}).`);
  }
  const queues = isPending(to);
  const ends = isTerminal(to);
  const isAtGate = isOpenForDecision(from);
  return {
    from,
    to,
    queues,
    isDecided: isAtGate && queues,
    freesSlot: !keptAtGate && !isAtGate && isOpenForDecision(to),
    goesOnInSlot: isAtGate && needsSlot(to),
    ends,
    hasStatusEvent: queues || from !== to,
  };
}

/** Without a `remote` it keeps the one that it holds. */
type Place = { readonly kind: 'place'; readonly remote?: string; readonly queueOrdinal: number };

/** The issue's place in the queue, unless it no longer matches `from` or its remote is taken. */
async function placeInQueue(
  write: Write,
  change: IssueChange,
  move: Move,
): Promise<Place | Exclude<ApplyOutcome, { kind: 'applied' }>> {
  const { tables } = write.context.database;
  const [issue] = await write.db
    .select({ repoId: tables.issues.repoId, userId: tables.issues.userId })
    .from(tables.issues)
    .where(and(isStill(tables, change, move), isVisible(write.context.database, write.db)));
  if (issue === undefined) return { kind: 'stale' };
  await refuseDisabled(write, issue.userId);
  if (move.isDecided) return { kind: 'place', queueOrdinal: await nextQueueOrdinal(write, 'decided') };
  const remote = await canonicalRemote(write, issue.repoId);
  const holder = await holderOf(write, remote);
  if (holder?.issueId === change.issueId) return { kind: 'stale' };
  if (holder !== null) return { kind: 'repo_busy', holder };
  return { kind: 'place', remote, queueOrdinal: await nextQueueOrdinal(write, 'new') };
}

function isStill(tables: Tables, { issueId, from, lease }: IssueChange, move: Move): SQL | undefined {
  const { issues } = tables;
  return and(
    eq(issues.id, issueId),
    eq(issues.status, from.status),
    from.queued === undefined ? undefined : (from.queued ? isNotNull : isNull)(issues.queuedAt),
    from.planRevision === undefined ? undefined : eq(issues.planRevision, from.planRevision),
    from.lastSeq === undefined ? undefined : eq(issues.lastSeq, from.lastSeq),
    move.goesOnInSlot ? isNotNull(issues.slot) : undefined,
    move.isDecided ? isNull(issues.slot) : undefined,
    lease === undefined ? undefined : isHeldBy(tables, lease),
  );
}

/** Whether the issue can never continue, not even by a retry. */
function isForGood({ to, ends }: Move): boolean {
  return ends && nextStatus(to, 'retried') === null;
}

/** Whether the current lease ends: the issue was changed from outside, or is no longer runnable. */
function endsLease(change: IssueChange, { to }: Move): boolean {
  return change.lease === undefined || !isRunnable(to);
}

async function swap(write: Write, act: { change: IssueChange; move: Move; place: Place | null }) {
  const { tables } = write.context.database;
  const { issues } = tables;
  const { change, move, place } = act;
  const { set = {}, plan } = change;
  const count = change.events.length + (move.hasStatusEvent ? 1 : 0) + (change.begin === undefined ? 0 : 1);
  const [issue] = await write.db
    .update(issues)
    .set({
      status: move.to,
      updatedAt: write.now,
      lastSeq: sql`${issues.lastSeq} + ${count}`,
      ...(endsLease(change, move) && { leaseOwner: null, leaseExpiresAt: null, runAfter: null }),
      ...(change.lease === undefined && { leaseEpoch: sql`${issues.leaseEpoch} + 1` }),
      ...(place !== null && {
        ...(place.remote !== undefined && { activeRemote: place.remote }),
        queueOrdinal: place.queueOrdinal,
        queuedAt: write.now,
        startedAt: null,
        finishedAt: null,
        error: null,
      }),
      ...(move.freesSlot && { slot: null }),
      ...(move.ends && { activeRemote: null, queueOrdinal: null, slot: null, finishedAt: write.now }),
      ...(plan !== undefined && { planRevision: plan.revision }),
      ...(set.stage !== undefined && { stage: set.stage }),
      ...(set.gate !== undefined && {
        gate: set.gate,
        gateExpiresAt: set.gate?.expires_at == null ? null : new Date(set.gate.expires_at),
      }),
      ...(set.result !== undefined && { result: set.result }),
      ...(set.error !== undefined && { error: set.error }),
      ...(set.pipeline !== undefined && { pipeline: set.pipeline }),
      ...(set.changeRequest !== undefined && {
        changeRequestNumber: set.changeRequest.number,
        changeRequestState: set.changeRequest.state,
      }),
    })
    .where(isStill(tables, change, move))
    .returning(issueReturned(tables));
  return issue;
}
