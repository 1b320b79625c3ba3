import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import type { WrittenWith } from '../audit/audit-entry.ts';
import type { IssueId, RepoId, UserId } from '../id/id.ts';
import type { Gate } from '../pipeline/gate.ts';
import type { PipelineState } from '../pipeline/pipeline-state.ts';
import type { Plan } from '../pipeline/plan.ts';
import type { Stage } from '../pipeline/stages.ts';
import type { ActiveHolder } from '../repo/repo-busy.ts';
import type { Page, PageRequest } from '../request/page.ts';
import type { Attempt, AttemptOutcome, NewAttempt } from './attempt-store.ts';
import type { IssueEvent, NewEvent } from './event-catalog.ts';
import type { Issue, NewIssue, PublishedChangeRequest } from './issue.ts';
import type { IssueStatus, IssueTrigger } from './issue-machine.ts';
import type { IssueError, IssueResult } from './issue-result.ts';
import type { Lease } from './lease-store.ts';

/**
 * One atomic change of an issue. The store applies it only if the issue still is what `from` says and, with a
 * `lease`, only while that lease's epoch is the issue's (fencing). In the same write it appends `events`, then the
 * `issue.status` event when the status or the queueing changes, frees the slot of an issue that has ended or that
 * comes to a gate where slots are not kept, and starts queued issues in free slots, the next turn first. An issue that
 * is queued and started in one write has an `issue.status` event for each of the two.
 */
export interface IssueChange {
  readonly issueId: IssueId;
  readonly from: {
    readonly status: IssueStatus;
    /** Whether it must be queued (`queuedAt` set), where that matters. */
    readonly queued?: boolean;
    readonly planRevision?: number;
    /** The number of its newest event, where what is set was made from the issue as it was seen. */
    readonly lastSeq?: number;
  };
  readonly trigger: IssueTrigger;
  readonly lease?: Lease;
  readonly set?: {
    readonly stage?: Stage | null;
    readonly gate?: Gate | null;
    readonly result?: IssueResult | null;
    readonly error?: IssueError | null;
    readonly pipeline?: PipelineState;
    readonly changeRequest?: PublishedChangeRequest;
  };
  /** A new revision of the plan; becomes the current one. */
  readonly plan?: Plan;
  /** Closes the stage run that this change comes from. */
  readonly step?: AttemptOutcome;
  /** Opens the stage run that follows `step` in the same drive, with its `stage.started` event behind `events`. */
  readonly begin?: NewAttempt;
  readonly events: readonly NewEvent[];
  /** Goes into the `issue.status` event. */
  readonly detail?: string;
  /** Set where a user or operator asked for the change. Written in the same transaction. */
  readonly audit?: NewAuditEntry | undefined;
}

export type ApplyOutcome =
  /** With the `step` that `begin` has opened. */
  | { readonly kind: 'applied'; readonly issue: Issue; readonly step?: Attempt }
  /** The issue is not what `from` says any more (or the lease is lost); nothing was written. */
  | { readonly kind: 'stale' }
  /** Queueing refused: another active issue holds the same remote. */
  | { readonly kind: 'repo_busy'; readonly holder: ActiveHolder };

export type CreateIssueOutcome =
  | Exclude<ApplyOutcome, { kind: 'stale' }>
  /** That number, or that comment, was brought from the code host before. */
  | { readonly kind: 'exists'; readonly issueId: IssueId };

/** The text of an issue that was not started, with what is odd about it. */
export interface IssueText {
  readonly title: string;
  readonly body: string;
  readonly warnings: readonly string[];
}

export interface IssueQuery extends PageRequest {
  readonly userId: UserId;
  readonly statuses?: readonly IssueStatus[];
  readonly repoId?: RepoId;
  /** Part of the title or the body, compared without case. */
  readonly q?: string;
}

export interface IssueStore {
  /**
   * Writes a new issue with its `issue.created` event; with `queue`, queues and (when a slot is free) starts it. One act.
   *
   * @throws AppError and nothing is written: `idempotency_key_busy` when another process has taken over the request of `response`;
   * `account_disabled` for a user who is locked out
   */
  create(issue: NewIssue, options: { queue: boolean } & WrittenWith<Issue>): Promise<CreateIssueOutcome>;
  /** @throws AppError `account_disabled`, and nothing is written, for what queues an issue of a user who is locked out */
  apply(change: IssueChange): Promise<ApplyOutcome>;
  get(id: IssueId): Promise<Issue | null>;
  /**
   * Writes another text into an issue that was not started (`isEditable`), with an `issue.status` event whose `detail` says
   * so. Null, and nothing written, when it was started meanwhile or is gone.
   */
  edit(id: IssueId, text: IssueText, audit?: NewAuditEntry): Promise<Issue | null>;
  /** Writes a person's note to the working agent: its `user.message` event. False, and nothing written, unless an agent can read it (`running`). */
  addNote(id: IssueId, text: string, audit?: NewAuditEntry): Promise<boolean>;
  list(query: IssueQuery): Promise<Page<Issue>>;
  /**
   * Removes an ended issue with all that belongs to it, but for its audit entries; `stale` when it has not ended.
   * Of one that came from the code host it is remembered that it was removed.
   */
  remove(id: IssueId, audit?: NewAuditEntry): Promise<'removed' | 'stale' | 'absent'>;
  /** Every revision of the plan, oldest first. */
  plans(id: IssueId): Promise<readonly Plan[]>;
  /** Durable events after `after`, in order, at most `limit`. */
  events(id: IssueId, range: { after: number; limit: number }): Promise<readonly IssueEvent[]>;
}
