import type { Caller } from '../access/caller.ts';
import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import type { WrittenWith } from '../audit/audit-entry.ts';
import type { Estimate } from '../estimate/estimate.ts';
import type { AttachmentId, IssueId, RepoId, UserId } from '../id/id.ts';
import type { ApprovalPolicy } from '../pipeline/approval-policy.ts';
import type { FollowUpCause } from '../pipeline/follow-up-cause.ts';
import type { Gate } from '../pipeline/gate.ts';
import type { PipelineState } from '../pipeline/pipeline-state.ts';
import type { Plan } from '../pipeline/plan.ts';
import type { Stage } from '../pipeline/stages.ts';
import type { ActiveHolder } from '../repo/repo-busy.ts';
import type { Page, PageRequest } from '../request/page.ts';
import type { Attempt, AttemptOutcome, NewAttempt } from './attempt-store.ts';
import type { IssueEvent, NewEvent } from './event-catalog.ts';
import type { Issue, IssueOrigin, ListedIssue, PublishedChangeRequest } from './issue.ts';
import type { EditableFields, FieldFilter, IssueDraft } from './issue-fields.ts';
import type { Inbox, InboxQuery } from './issue-inbox.ts';
import type { IssueStatus, IssueTrigger } from './issue-machine.ts';
import type { IssueError, IssueResult } from './issue-result.ts';
import type { Lease } from './lease.ts';

/** The attachments that a person names with a text. The write is refused unless each is an unused one of theirs. */
export interface Attaching {
  readonly by: UserId;
  readonly ids: readonly AttachmentId[];
}

/** The fields of a new issue. */
export interface NewIssue extends IssueDraft {
  readonly id: IssueId;
  readonly userId: UserId;
  readonly repoId: RepoId;
  readonly origin: IssueOrigin;
  readonly labels: readonly string[];
  readonly baseBranch: string;
  /** Its origin at the code host. A number or a comment is imported once per repository. */
  readonly codehost?: {
    readonly number: number | null;
    readonly commentId: string | null;
    readonly url: string;
  };
  readonly parentIssueId?: IssueId;
  /** Why a follow-up exists. */
  readonly followUp?: FollowUpCause;
  /** The branch that a follow-up continues. Absent: a new branch. */
  readonly branch?: string;
  /** Warnings about its text, shown to the approver at the gate. */
  readonly warnings?: readonly string[];
  /** Unused attachments of the user, which become the issue's. */
  readonly attachments?: readonly AttachmentId[];
}

/**
 * One atomic change of an issue. The store applies it only if the issue still matches `from` and, with a `lease`, only
 * while the epoch of the lease is current (fencing). In the same transaction it appends `events`, then the `issue.status`
 * event when the status or the queueing changes, frees the slot of an issue that has ended or has reached a gate where
 * slots are not kept, estimates the rest of the run at a gate of a plan, queues the first issue that waits for the remote of one that has ended, and starts queued issues in
 * free slots, in order. An issue that is queued and started in one
 * transaction gets an `issue.status` event for each.
 */
export interface IssueChange {
  readonly issueId: IssueId;
  readonly from: {
    readonly status: IssueStatus;
    /** Whether it must be queued (`queuedAt` set). */
    readonly queued?: boolean;
    readonly planRevision?: number;
    /** The number of its newest event, for a change that was computed from the issue's state. */
    readonly lastSeq?: number;
  };
  readonly trigger: IssueTrigger;
  /** For `queued`: while another issue holds the remote, it waits in line instead of being refused. `stale` if it does already. */
  readonly orWait?: boolean;
  readonly lease?: Lease;
  /**
   * For an approval that ends a gate: what it rests on. `stale` when the rules of the repository have become stricter than this
   * policy, or one of these users may no longer approve there.
   */
  readonly approval?: {
    readonly repoId: RepoId;
    readonly gate: Gate['kind'];
    readonly policy: ApprovalPolicy;
    readonly users: readonly UserId[];
  };
  readonly set?: {
    readonly stage?: Stage | null;
    readonly gate?: Gate | null;
    readonly result?: IssueResult | null;
    readonly error?: IssueError | null;
    readonly pipeline?: PipelineState;
    readonly changeRequest?: PublishedChangeRequest;
  };
  /** Unused attachments of this user, which become the issue's. */
  readonly attach?: Attaching | undefined;
  /** A new revision of the plan; becomes the current one. */
  readonly plan?: Plan;
  /** Ends the attempt that led to this change. */
  readonly ended?: AttemptOutcome;
  /** Begins the attempt that follows `ended`, with its `stage.started` event after `events`. */
  readonly begin?: NewAttempt;
  readonly events: readonly NewEvent[];
  /** The detail of the `issue.status` event. */
  readonly detail?: string;
  /** Set where a user or operator asked for the change. Written in the same transaction. */
  readonly audit?: NewAuditEntry | undefined;
}

export type ApplyOutcome =
  /** With the attempt that `begin` started. */
  | { readonly kind: 'applied'; readonly issue: Issue; readonly attempt?: Attempt }
  /** The issue no longer matches `from`, or the lease is lost. Nothing was written. */
  | { readonly kind: 'stale' }
  /** Queueing refused: another active issue holds the same remote, and it was not to wait. */
  | { readonly kind: 'repo_busy'; readonly holder: ActiveHolder };

export type CreateIssueOutcome =
  | Exclude<ApplyOutcome, { kind: 'stale' }>
  /** The issue with that number, or that comment, was imported before. */
  | { readonly kind: 'exists'; readonly issueId: IssueId };

/** Whose issues are listed. One member at least is set; with both, an issue has to meet both. */
interface IssueAudience {
  /** Only issues of repositories in which this caller has a role. */
  readonly readableBy?: Caller;
  /** Only issues that this user created. */
  readonly requestedBy?: UserId;
}

/** The editable fields of an issue that has not started, with warnings about its text. */
export interface IssueEdit extends EditableFields {
  readonly warnings: readonly string[];
}

export interface IssueQuery extends PageRequest, IssueAudience, FieldFilter {
  readonly statuses?: readonly IssueStatus[];
  readonly repoId?: RepoId;
  /** Part of the title or the body, ignoring case. */
  readonly q?: string;
  /** One of its labels, in full. */
  readonly label?: string;
  /** Created at this time or later. */
  readonly createdFrom?: Date;
  /** Created before this time. */
  readonly createdBefore?: Date;
  /** By creation, the oldest first instead of the newest. */
  readonly oldestFirst?: boolean;
}

/** The lists that an index answers alone. */
export type CountedQuery = Pick<IssueQuery, keyof IssueAudience | 'statuses' | 'repoId'>;

/** Counted at most. SQLite reads them in the event loop, within 2 ms; few people page through more. */
export const MAX_COUNTED_ISSUES = 1_000;

export interface IssueStore {
  /**
   * Creates an issue with its `issue.created` event. With `queue`, also queues it, and starts it when a slot is free. With
   * `orWait` too, an issue whose remote is held by another waits for it (`waitsForRepo`), first in, first out. Atomic.
   * A follow-up of a user who has left the repository belongs to the user who registered it.
   *
   * @throws AppError, and nothing is written: `idempotency_key_busy` when another process has taken over the request of
   * `response`; `account_disabled` when the user is disabled
   */
  create(
    issue: NewIssue,
    options: { readonly queue: boolean; readonly orWait?: boolean } & WrittenWith<Issue>,
  ): Promise<CreateIssueOutcome>;
  /**
   * @throws AppError `account_disabled`, and nothing is written, when the change queues an issue of a disabled user, or lets it
   * inherit an approval
   */
  apply(change: IssueChange): Promise<ApplyOutcome>;
  get(id: IssueId): Promise<Issue | null>;
  /**
   * Replaces the editable fields of an issue that has not started (`isEditable`), with an `issue.status` event whose `detail` says
   * so. Null, and nothing is written, when it has started or was deleted.
   *
   * @throws AppError `issue_not_found`, and nothing is written, when it was deleted meanwhile
   */
  edit(id: IssueId, edit: IssueEdit, audit?: NewAuditEntry): Promise<Issue | null>;
  /**
   * Queues the first issue in line of each remote that nobody holds, and starts queued issues in free slots. The write that
   * frees a remote does so itself; this finds those whose remote was freed by a process of the release before, or that were
   * passed over because their user was disabled.
   *
   * @returns how many it queued
   */
  queueWaiting(): Promise<number>;
  /**
   * Stores a note to the agent as a `user.message` event. False, and nothing is written, unless the issue is `running`.
   *
   * @throws AppError `idempotency_key_busy`, and nothing is written, when another process has taken over the request of
   * `response`
   */
  addNote(
    id: IssueId,
    text: string,
    written?: WrittenWith<IssueId> & { readonly attach?: Attaching | undefined },
  ): Promise<boolean>;
  /**
   * Newest first. A call searches a limited number of issues for `q`, a label, an origin or a time: where it finds less than a page among them, the page
   * is short, or empty, and `nextCursor` goes on. The end is where `nextCursor` is null.
   *
   * @throws AppError `cursor_invalid`
   */
  list(query: IssueQuery): Promise<Page<ListedIssue>>;
  /** How many issues `list` has in all its pages, up to `MAX_COUNTED_ISSUES`. */
  count(query: CountedQuery): Promise<number>;
  /**
   * A user's issues by what they mean for their user, each in one list, and how many there are of each status, each counted
   * up to `MAX_COUNTED_ISSUES`. What needs the user and what runs: the oldest first; what waits: the next to start first; the
   * others: the newest first. A title is looked for in the first 500 issues of a list.
   */
  inbox(query: InboxQuery): Promise<Inbox>;
  /**
   * Deletes an ended issue with everything that belongs to it except its audit entries; `stale` when it has not ended. The
   * deletion of an imported issue is remembered. Many rows are deleted later, by `MaintenanceStore.deleteRemoved`.
   */
  remove(id: IssueId, audit?: NewAuditEntry): Promise<'removed' | 'stale' | 'absent'>;
  /** Every revision of the plan, oldest first. */
  plans(id: IssueId): Promise<readonly Plan[]>;
  /**
   * The estimate for the rest of the run when this revision of the plan came to its gate. Written once, in the write
   * that opened the gate (`review_opened`); the write that ends the issue adds the actual figures. Null without a gate,
   * and at those of old versions.
   */
  estimate(id: IssueId, revision: number): Promise<Estimate | null>;
  /** Up to `limit` events after number `after`, in order. */
  events(id: IssueId, range: { after: number; limit: number }): Promise<readonly IssueEvent[]>;
}
