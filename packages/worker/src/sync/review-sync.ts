import type { ChangeRequest, HostedComment } from '@sluice/core/code-host';
import type { Issue } from '@sluice/core/issue';
import type { Repo } from '@sluice/core/repo';
import type { SyncContext } from './sync-context.ts';

/** A pull request of ours, as it is at the host. */
export interface ReviewedChange {
  readonly repo: Repo;
  /** The issue that led to it. */
  readonly first: Issue;
  /** All issues that were published to it. */
  readonly issues: readonly Issue[];
  readonly change: ChangeRequest;
  readonly comments: readonly HostedComment[];
}

/** What the steps of the sync of one pull request share. */
export interface ReviewSync {
  readonly work: SyncContext;
  readonly reviewed: ReviewedChange;
  readonly signal: AbortSignal;
}
