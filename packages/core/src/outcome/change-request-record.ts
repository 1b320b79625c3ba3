import type { BuildNews } from '../code-host/build-news.ts';
import type { ChangeRequestState } from '../code-host/change-request.ts';
import type { CloseReason } from '../code-host/close-reason.ts';
import type { IssueId, RepoId, UserId } from '../id/id.ts';

export const buildEnds = ['success', 'failure', 'cancelled'] as const;
/** How the build of a head ended at the code host. */
export type BuildEnd = (typeof buildEnds)[number];

/** A person's reason for a close without a merge. */
export interface CloseAnswer {
  readonly reason: CloseReason;
  readonly note: string | null;
  readonly userId: UserId;
  readonly at: Date;
}

/** One pull request that Sluice opened, from its opening to its end. One per registration and number. */
export interface ChangeRequestRecord {
  readonly repoId: RepoId;
  readonly number: number;
  /** The issue that opened it, or the oldest follow-up where that one was deleted. */
  readonly issueId: IssueId;
  readonly openedAt: Date;
  readonly state: ChangeRequestState;
  /** The time at which it was first seen open and not a draft. */
  readonly readyAt: Date | null;
  /** Null where the time of the merge is unknown. */
  readonly mergedAt: Date | null;
  readonly closedAt: Date | null;
  readonly revertedAt: Date | null;
  /** The last commit that Sluice pushed; null where an older release recorded none. */
  readonly headCommit: string | null;
  /** Commits by people on top of ours. */
  readonly peopleCommits: number;
  /** Follow-ups that a comment or a review asked for. */
  readonly reviewRounds: number;
  /** Follow-ups that a failed build asked for. */
  readonly buildRounds: number;
  /** The first verdict of a build on a head of ours. It never changes. */
  readonly firstBuild: BuildEnd | null;
  /** The build of its head, last seen while it was open; null where nothing was reported. */
  readonly build: BuildNews | null;
  /** When the reason of its close was asked for; null while it is not closed, and where no question was asked. */
  readonly closeAskedAt: Date | null;
  readonly closeAnswer: CloseAnswer | null;
  /** Display names of the models that worked on it, sorted. */
  readonly models: readonly string[];
  /** The prompt revision of the agents that wrote its first commit; null where an older release recorded none. */
  readonly promptRevision: string | null;
  /** Whether the first plan was approved as it was; null where there was no plan to approve. */
  readonly atFirstSight: boolean | null;
}
