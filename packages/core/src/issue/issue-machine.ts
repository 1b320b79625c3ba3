/**
 * What an issue can do. Row = status, key under `on` = what happened, value = the status that follows; an
 * absent cell is illegal. `slot` says whether the status occupies one of the host's pipeline slots: always (`held`),
 * never (`none`), or as the operator wants it (`kept_or_freed`, see GATE_KEEPS_SLOT). `terminal` says whether the
 * issue has ended (`failed` has ended and can be retried all the same).
 *
 * `pending` is two things told apart by `queuedAt`: waiting for somebody to run it, or queued for a slot. An issue
 * whose slot was freed at the gate is queued again by the decision (`…_decided_without_slot`), ahead of new issues.
 */
export const issueMachine = {
  pending: {
    slot: 'none',
    terminal: false,
    on: { queued: 'pending', admitted: 'running', cancelled: 'cancelled' },
  },
  running: {
    slot: 'held',
    terminal: false,
    on: {
      stage_advanced: 'running',
      pipeline_updated: 'running',
      plan_completed: 'human_review',
      confirmation_needed: 'awaiting_approval',
      published: 'completed',
      gave_up: 'failed',
      cancelled: 'cancelled',
    },
  },
  human_review: {
    slot: 'held',
    terminal: false,
    on: { review_opened: 'awaiting_approval', cancelled: 'cancelled' },
  },
  awaiting_approval: {
    slot: 'kept_or_freed',
    terminal: false,
    on: {
      plan_approved: 'running',
      publication_confirmed: 'running',
      guidance_given: 'running',
      plan_decided_without_slot: 'pending',
      publication_decided_without_slot: 'pending',
      gate_reminded: 'awaiting_approval',
      plan_rejected: 'rejected',
      gate_expired: 'cancelled',
      cancelled: 'cancelled',
    },
  },
  completed: { slot: 'none', terminal: true, on: {} },
  rejected: { slot: 'none', terminal: true, on: {} },
  failed: { slot: 'none', terminal: true, on: { retried: 'pending' } },
  cancelled: { slot: 'none', terminal: true, on: {} },
} as const satisfies Record<
  string,
  { slot: 'held' | 'kept_or_freed' | 'none'; terminal: boolean; on: Record<string, string> }
>;

export type IssueStatus = keyof typeof issueMachine;
type TriggersOf<S extends IssueStatus> = keyof (typeof issueMachine)[S]['on'];
/** Something that happened to an issue: a column of the machine. */
export type IssueTrigger = { [S in IssueStatus]: TriggersOf<S> }[IssueStatus];

export const issueStatuses = Object.keys(issueMachine) as [IssueStatus, ...IssueStatus[]];

/** The status that follows, or `null` where the machine has no cell: the trigger is illegal there. */
export function nextStatus(status: IssueStatus, trigger: IssueTrigger): IssueStatus | null {
  const on: Partial<Record<IssueTrigger, IssueStatus>> = issueMachine[status].on;
  // Triggers also come from stored rows: the object's own cells count, not what every object inherits.
  return Object.hasOwn(on, trigger) ? (on[trigger] ?? null) : null;
}

export function isTerminal(status: IssueStatus): boolean {
  return issueMachine[status].terminal;
}

/** Whether every issue of this status occupies one of the host's slots. */
export function needsSlot(status: IssueStatus): boolean {
  return issueMachine[status].slot === 'held';
}

/** Whether an issue of this status can occupy one of the host's slots. */
export function mayHoldSlot(status: IssueStatus): boolean {
  return issueMachine[status].slot !== 'none';
}

/** Whether the issue holds its repository: it is queued or beyond, and has not ended. */
export function isActive(issue: { status: IssueStatus; queuedAt: Date | null }): boolean {
  return mayHoldSlot(issue.status) || (issue.status === 'pending' && issue.queuedAt !== null);
}

/** Whether a worker may drive the issue now: `running`, or stopped between the two writes that open the review. */
export function isRunnable(status: IssueStatus): boolean {
  return status === 'running' || status === 'human_review';
}

/** Whether agents work on the issue, so that one of them will read a note. */
export function takesNotes(status: IssueStatus): boolean {
  return status === 'running';
}

/** Whether a person can decide the issue's plan now. */
export function isOpenForDecision(status: IssueStatus): boolean {
  return status === 'awaiting_approval';
}

/** Whether the issue still waits for somebody to run it or for a slot. */
export function isPending(status: IssueStatus): boolean {
  return status === 'pending';
}

/** Whether the issue's text can be changed still: nobody has begun, or is about to begin, to work by it. */
export function isEditable(issue: { status: IssueStatus; queuedAt: Date | null }): boolean {
  return isPending(issue.status) && issue.queuedAt === null;
}

/** Statuses with a property of the machine's rows, for a store's constraints and queries. */
export function statusesWhere(predicate: (status: IssueStatus) => boolean): IssueStatus[] {
  return issueStatuses.filter(predicate);
}
