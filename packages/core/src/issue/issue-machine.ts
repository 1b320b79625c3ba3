/**
 * The state machine of an issue. Row = status, key under `on` = trigger, value = next status; an absent cell is illegal.
 * `slot` says whether the status occupies one of the host's pipeline slots: always (`held`), never (`none`), or as the
 * operator chooses (`kept_or_freed`, see GATE_KEEPS_SLOT). `terminal` says whether the issue has ended (`failed` has
 * ended, but can be retried).
 *
 * `pending` covers four cases: with `queuedAt`, the issue is queued for a slot, or, with `heldByBudget`, waits until there is
 * budget again; without, it waits until someone runs it, or, with `waitsForRepo`, until its repository is free. An issue whose
 * slot was freed at the gate is queued again by the decision (`…_decided_without_slot`), ahead of new issues.
 *
 * `budget_exhausted` takes a running issue out of its slot before a call of a model, and one out of the queue when its turn has
 * come. It keeps its repository; with budget it is `queued` again.
 *
 * Where a gate needs two approvals, the first one is added to it (`approval_added`), and the last one decides. Approvals of those
 * who may no longer approve, or of a plan whose base has moved, are dropped (`approvals_dropped`).
 *
 * A follow-up of a build or of a moved base passes `human_review` by the approval of the first issue's plan
 * (`approval_inherited`) while it stays within that plan's files.
 */
export const issueMachine = {
  pending: {
    slot: 'none',
    terminal: false,
    on: { queued: 'pending', admitted: 'running', budget_exhausted: 'pending', cancelled: 'cancelled' },
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
      budget_exhausted: 'pending',
      gave_up: 'failed',
      cancelled: 'cancelled',
    },
  },
  human_review: {
    slot: 'held',
    terminal: false,
    on: { review_opened: 'awaiting_approval', approval_inherited: 'running', cancelled: 'cancelled' },
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
      approval_added: 'awaiting_approval',
      approvals_dropped: 'awaiting_approval',
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
/** An event that changes the status of an issue: a column of the machine. */
export type IssueTrigger = { [S in IssueStatus]: TriggersOf<S> }[IssueStatus];

export const issueStatuses = Object.keys(issueMachine) as [IssueStatus, ...IssueStatus[]];

/** The next status, or `null` where the trigger is illegal. */
export function nextStatus(status: IssueStatus, trigger: IssueTrigger): IssueStatus | null {
  const on: Partial<Record<IssueTrigger, IssueStatus>> = issueMachine[status].on;
  // Triggers can come from stored rows, so inherited properties must not match.
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

/** Whether the issue occupies its repository: it is queued or later, and has not ended. */
export function isActive(issue: { status: IssueStatus; queuedAt: Date | null }): boolean {
  return mayHoldSlot(issue.status) || (issue.status === 'pending' && issue.queuedAt !== null);
}

/** Whether a worker may drive the issue: `running`, or interrupted between the two writes that open the plan gate. */
export function isRunnable(status: IssueStatus): boolean {
  return status === 'running' || status === 'human_review';
}

/** Whether agents work on the issue, so that they will read a note. */
export function takesNotes(status: IssueStatus): boolean {
  return status === 'running';
}

/** Whether the issue is at a gate. */
export function isOpenForDecision(status: IssueStatus): boolean {
  return status === 'awaiting_approval';
}

/** Whether the issue has not started. */
export function isPending(status: IssueStatus): boolean {
  return status === 'pending';
}

/** Whether the issue's text can be changed: it has not started and is not queued. */
export function isEditable(issue: { status: IssueStatus; queuedAt: Date | null }): boolean {
  return isPending(issue.status) && issue.queuedAt === null;
}

/** The statuses that match a predicate, for a store's constraints and queries. */
export function statusesWhere(predicate: (status: IssueStatus) => boolean): IssueStatus[] {
  return issueStatuses.filter(predicate);
}
