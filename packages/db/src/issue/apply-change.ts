import { type BudgetKind, renderHeld } from '@sluice/core/budget';
import type { IssueId } from '@sluice/core/id';
import {
  type ApplyOutcome,
  type IssueChange,
  type IssueStatus,
  isOpenForDecision,
  isPending,
  isRunnable,
  isTerminal,
  type Lease,
  type NewEvent,
  needsSlot,
  nextStatus,
} from '@sluice/core/issue';
import type { Plan } from '@sluice/core/pipeline';
import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { holdRepo } from '../access/hold-repo.ts';
import { attach } from '../attachment/attach.ts';
import { dropCheckpoints } from '../attempt/checkpoints.ts';
import { givenLease, isHeldBy } from '../attempt/fence.ts';
import { closeAttempt, interruptAttempts, openAttempt } from '../attempt/open-attempt.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { recordActual, recordEstimate } from '../estimate/estimates.ts';
import { appendEvents } from '../event/append-events.ts';
import { recordPublication } from '../outcome/record-publication.ts';
import { isVisible } from '../removal/is-visible.ts';
import type { Tables } from '../schema/schema.ts';
import { type Given, prepared, preparedShapes } from '../store/prepared.ts';
import { type SlotRules, type StoreContext, type Write, write } from '../store/store-context.ts';
import { refuseDisabled, refuseDisabledRegistrant } from '../user/hold-user.ts';
import { canonicalRemote, holderOf } from './active-remote.ts';
import { admit } from './admission.ts';
import { stillApproved } from './approvals.ts';
import { holdingBudget } from './hold-for-budget.ts';
import { nextInLine, queueNext } from './line-for-repo.ts';
import { markChangeRequest } from './mark-subjects.ts';
import { nextQueueOrdinal } from './queue-place.ts';
import { afterAdmission, issueReturned, mustReadIssue, returnedIssue } from './read-issue.ts';

/** `IssueStore.apply`: one compare-and-swap on the issue's row, and all that follows from it, in one transaction. */
export async function applyChange(context: StoreContext, change: IssueChange): Promise<ApplyOutcome> {
  const move = moveOf(change, context.slotRules);
  const applied = write(context, async (write): Promise<ApplyOutcome> => {
    const movesSlots = move.queues || move.ends || move.freesSlot;
    if (movesSlots) await context.database.lockDispatch(write.db);
    const place = move.queues ? await placeInQueue(write, change, move) : { kind: 'none' as const };
    if (place.kind === 'stale' || place.kind === 'repo_busy') return place;
    if (change.approval !== undefined && !(await stillApproved(write, change.approval))) throw new Stale();
    const swapped = swap(write, { change, move, place: place.kind === 'none' ? null : place });
    // In one message with the swap; undone with the transaction if that finds another state.
    const followed = Promise.all([
      change.begin === undefined ? null : openAttempt(write, change.issueId, change.begin),
      change.ended === undefined ? null : closeAttempt(write, change.issueId, change.ended),
      change.plan === undefined ? null : writePlan(write, change.issueId, change.plan), // which the read below finds
    ]);
    followed.catch(() => undefined); // of no interest after a swap that failed
    const issue = await swapped;
    if (issue === undefined) throw new Stale();
    // An approval of theirs must not start work any more.
    if (change.trigger === 'approval_inherited') await refuseDisabled(write, change.audit?.userId ?? issue.userId);
    const [begun] = await followed;
    if (change.attach !== undefined) await attach(write, issue.id, change.attach);
    if (change.set?.changeRequest !== undefined) await recordPublication(write, issue, change.set.changeRequest);
    if (endsLease(change, move)) write.atEnd(() => interruptAttempts(write, issue.id));
    if (isForGood(move)) dropCheckpoints(write, issue.id);

    const changed = move.queues ? await mustReadIssue(write, issue.id) : await returnedIssue(write, issue);
    if (change.trigger === 'review_opened') await recordEstimate(write, changed);
    if (move.ends) await recordActual(write, changed);
    const status: NewEvent = {
      type: 'issue.status',
      data: {
        from: move.from,
        to: move.to,
        stage: changed.stage,
        queue_position: changed.queuePosition,
        ...(change.detail === undefined ? {} : { detail: change.detail }),
        ...(changed.heldByBudget !== null && {
          detail: renderHeld(changed.heldByBudget),
          queue_reason: 'budget' as const,
        }),
        ...(changed.waitsForRepo && { detail: 'The issue waits for another issue on its repository.' }),
      },
    };
    const stageEvents = begun === null ? change.events : [...change.events, begun.started];
    const numbered = { ...changed, epoch: change.lease?.epoch };
    appendEvents(write, numbered, move.hasStatusEvent ? [...stageEvents, status] : stageEvents);
    await appendAudit(write, change.audit);
    if (isRunnable(move.to) && change.lease === undefined) write.runnable.add(issue.id);
    if (move.ends) await queueNext(write, issue.repoId);
    if (move.ends) await markChangeRequest(write, issue);
    const started = movesSlots ? await admit(write) : [];
    return {
      kind: 'applied',
      issue: move.queues ? await afterAdmission(write, changed, started) : changed,
      ...(begun !== null && { attempt: begun.opened }),
    };
  });
  return await applied.catch((error: unknown): ApplyOutcome => {
    if (error instanceof Stale) return { kind: 'stale' };
    throw error;
  });
}

/** The effect of a change on the issue's queue place, slot and remote; known before anything is read. */
interface Move {
  readonly from: IssueStatus;
  readonly to: IssueStatus;
  /** It goes into the queue. */
  readonly queues: boolean;
  /** It leaves a gate at which its slot was freed, and holds its remote already. */
  readonly isDecided: boolean;
  /** It comes to a gate, and does not keep its slot there; or its budget is used up. */
  readonly freesSlot: boolean;
  /** It goes on in the slot that it has kept at the gate. */
  readonly goesOnInSlot: boolean;
  /** It lets go of the slot, the remote and the queue. */
  readonly ends: boolean;
  /** Whether the `issue.status` event is due. */
  readonly hasStatusEvent: boolean;
}

/** @throws Error for a change that the state machine does not have from there, or that only the store makes */
function moveOf(
  { from: { status: from }, trigger, issueId, begin, ended, lease }: IssueChange,
  { keptAtGate }: SlotRules,
): Move {
  const to = nextStatus(from, trigger);
  // The store admits issues itself, in the write that frees the slot.
  if (to === null || trigger === 'admitted') {
    throw new Error(`The change "${trigger}" is not for an issue that is \`${from}\` (${issueId}).`);
  }
  if (begin !== undefined && (ended === undefined || lease === undefined || !isRunnable(to))) {
    throw new Error(`An attempt follows another one of the same drive (${issueId}).`);
  }
  const queues = isPending(to);
  const ends = isTerminal(to);
  const isAtGate = isOpenForDecision(from);
  return {
    from,
    to,
    queues,
    isDecided: isAtGate && queues,
    freesSlot: (!keptAtGate && !isAtGate && isOpenForDecision(to)) || trigger === 'budget_exhausted',
    goesOnInSlot: isAtGate && needsSlot(to),
    ends,
    hasStatusEvent: queues || from !== to,
  };
}

/** Rolls back a change of an issue that is not, or no longer, what the change starts from. */
class Stale extends Error {}

type Place =
  /** Without a `remote` it keeps the one that it holds. */
  | {
      readonly kind: 'place';
      readonly remote?: string;
      readonly queueOrdinal: number;
      readonly heldByBudget?: BudgetKind;
    }
  /** In the line for its repository. */
  | { readonly kind: 'line'; readonly waitingOrdinal: number };

/** The issue's place in the queue, unless it no longer matches `from` or its remote is taken. */
async function placeInQueue(
  write: Write,
  change: IssueChange,
  move: Move,
): Promise<Place | Exclude<ApplyOutcome, { kind: 'applied' }>> {
  const still = stillOf(change, move);
  const [issue] = await findStill(write, still.shape, still.values);
  if (issue === undefined) return { kind: 'stale' };
  if (change.trigger === 'budget_exhausted') {
    // The budget may have been raised since the worker looked. It has begun, so it goes on before new ones.
    const heldByBudget = await holdingBudget(write, issue);
    if (heldByBudget === null) return { kind: 'place', queueOrdinal: await nextQueueOrdinal(write, 'decided') };
    return { kind: 'place', queueOrdinal: await nextQueueOrdinal(write, 'held'), heldByBudget };
  }
  await refuseDisabled(write, issue.userId);
  if (move.isDecided) return { kind: 'place', queueOrdinal: await nextQueueOrdinal(write, 'decided') };
  await refuseDisabledRegistrant(write, await holdRepo(write, issue.repoId));
  const remote = await canonicalRemote(write, issue.repoId);
  const holder = await holderOf(write, remote);
  if (holder?.issueId === change.issueId) return { kind: 'stale' };
  if (holder !== null) {
    if (change.orWait !== true) return { kind: 'repo_busy', holder };
    return issue.waits ? { kind: 'stale' } : { kind: 'line', waitingOrdinal: await nextInLine(write, remote) };
  }
  return { kind: 'place', remote, queueOrdinal: await nextQueueOrdinal(write, 'new') };
}

type Still = ReturnType<typeof stillOf>;

/** The conditions that the issue must still meet, and their values. */
function stillOf(change: IssueChange, { from: status, goesOnInSlot, isDecided }: Move) {
  const { from, lease, issueId } = change;
  return {
    shape: {
      isLeased: lease !== undefined,
      queued: from.queued ?? null,
      hasRevision: from.planRevision !== undefined,
      hasLastSeq: from.lastSeq !== undefined,
      goesOnInSlot,
      isDecided,
    },
    values: { ...lease, issueId, fromStatus: status, fromRevision: from.planRevision, fromLastSeq: from.lastSeq },
  };
}

function isStill(tables: Tables, given: Given<Record<string, unknown>>, shape: Still['shape']): SQL | undefined {
  const { issues } = tables;
  return and(
    eq(issues.id, given('issueId', issues.id)),
    eq(issues.status, given('fromStatus', issues.status)),
    shape.queued === null ? undefined : (shape.queued ? isNotNull : isNull)(issues.queuedAt),
    shape.hasRevision ? eq(issues.planRevision, given('fromRevision', issues.planRevision)) : undefined,
    shape.hasLastSeq ? eq(issues.lastSeq, given('fromLastSeq', issues.lastSeq)) : undefined,
    shape.goesOnInSlot ? isNotNull(issues.slot) : undefined,
    shape.isDecided ? isNull(issues.slot) : undefined,
    shape.isLeased ? isHeldBy(tables, givenLease(tables, given as unknown as Given<Lease>)) : undefined,
  );
}

const findStill = preparedShapes(({ context, db }, given: Given<Record<string, unknown>>, shape: Still['shape']) => {
  const { tables } = context.database;
  return db
    .select({
      repoId: tables.issues.repoId,
      userId: tables.issues.userId,
      waits: isNotNull(tables.issues.waitingOrdinal) as SQL<boolean | number>,
    })
    .from(tables.issues)
    .where(and(isStill(tables, given, shape), isVisible(context.database, db)));
});

/** Whether the issue can never continue, not even by a retry. */
function isForGood({ to, ends }: Move): boolean {
  return ends && nextStatus(to, 'retried') === null;
}

/** Whether the current lease ends: the issue was changed from outside, or is no longer runnable. */
function endsLease(change: IssueChange, { to }: Move): boolean {
  return change.lease === undefined || !isRunnable(to);
}

const insertPlan = prepared(({ context, db }, given: Given<{ issueId: IssueId; revision: number; document: Plan }>) => {
  const { plans } = context.database.tables;
  return db.insert(plans).values({
    issueId: given('issueId', plans.issueId),
    revision: given('revision', plans.revision),
    document: given('document', plans.document),
  });
});

async function writePlan(write: Write, issueId: IssueId, plan: Plan): Promise<void> {
  await insertPlan(write, { issueId, revision: plan.revision, document: plan });
}

async function swap(write: Write, { change, move, place }: { change: IssueChange; move: Move; place: Place | null }) {
  const { set = {}, plan } = change;
  const still = stillOf(change, move);
  const count = change.events.length + (move.hasStatusEvent ? 1 : 0) + (change.begin === undefined ? 0 : 1);
  const columns = {
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
    ...(plan !== undefined && { planRevision: plan.revision }),
  };
  const shape: SwapShape = {
    columns: Object.keys(columns) as SwapShape['columns'],
    place: shapeOf(place),
    freesSlot: move.freesSlot,
    ends: move.ends,
    endsLease: endsLease(change, move),
    still: still.shape,
  };
  const [issue] = await swapPrepared(write, shape, {
    ...columns,
    ...still.values,
    status: move.to,
    count,
    now: write.now,
    ...place,
  });
  return issue;
}

function shapeOf(place: Place | null): SwapShape['place'] {
  if (place === null) return null;
  if (place.kind === 'line') return 'line';
  if (place.heldByBudget !== undefined) return 'held';
  return place.remote === undefined ? 'kept' : 'new';
}

/** The parts of the change that decide the SQL of the swap. Few of the combinations occur. */
interface SwapShape extends Pick<Move, 'freesSlot' | 'ends'> {
  /** The columns that get values of the change. */
  readonly columns: readonly (keyof Tables['issues']['$inferInsert'])[];
  readonly place: 'new' | 'kept' | 'held' | 'line' | null;
  readonly endsLease: boolean;
  readonly still: Still['shape'];
}

const swapPrepared = preparedShapes(({ context, db }, given: Given<Record<string, unknown>>, shape: SwapShape) => {
  const { tables } = context.database;
  const { issues } = tables;
  const columns = shape.columns.map((name) => [name, given(name, issues[name])] as const);
  return db
    .update(issues)
    .set({
      status: given('status', issues.status),
      updatedAt: given('now', issues.updatedAt),
      lastSeq: sql`${issues.lastSeq} + ${given('count', issues.lastSeq)}`,
      ...(shape.endsLease && { leaseOwner: null, leaseExpiresAt: null, runAfter: null }),
      ...(!shape.still.isLeased && { leaseEpoch: sql`${issues.leaseEpoch} + 1` }),
      ...(shape.place === 'new' && { activeRemote: given('remote', issues.activeRemote) }),
      ...(shape.place === 'line' && { waitingOrdinal: given('waitingOrdinal', issues.waitingOrdinal) }),
      ...(shape.place === 'held' && { heldByBudget: given('heldByBudget', issues.heldByBudget) }),
      ...((shape.place === 'new' || shape.place === 'kept' || shape.place === 'held') && {
        waitingOrdinal: null,
        queueOrdinal: given('queueOrdinal', issues.queueOrdinal),
        queuedAt: given('now', issues.queuedAt),
        startedAt: null,
        finishedAt: null,
        error: null,
      }),
      ...(shape.freesSlot && { slot: null }),
      ...(shape.ends && {
        activeRemote: null,
        waitingOrdinal: null,
        queueOrdinal: null,
        slot: null,
        finishedAt: given('now', issues.finishedAt),
      }),
      ...Object.fromEntries(columns),
    })
    .where(isStill(tables, given, shape.still))
    .returning(issueReturned(tables));
});
