import {
  type IssueChange,
  type IssueStatus,
  isOpenForDecision,
  isPending,
  isRunnable,
  isTerminal,
  needsSlot,
  nextStatus,
} from '@sluice/core/issue';
import type { SlotRules } from '../store/store-context.ts';

/** The effect of a change on the issue's queue place, slot and remote; known before anything is read. */
export interface Move {
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
export function moveOf(
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
