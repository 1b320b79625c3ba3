export const changeRequestStates = ['draft', 'open', 'merged', 'closed'] as const;
export type ChangeRequestState = (typeof changeRequestStates)[number];

/** A pull request. */
export interface ChangeRequest {
  readonly number: number;
  readonly url: string;
  readonly state: ChangeRequestState;
  readonly headBranch: string;
  readonly headCommit: string;
  readonly baseBranch: string;
}

/**
 * `behind`: the base requires that a change has its newest commit, and this one does not. `unknown`: the host has not tried
 * the merge yet, as right after a push.
 */
const mergeStates = ['clean', 'behind', 'conflict', 'unknown'] as const;
export type MergeState = (typeof mergeStates)[number];

/** A pull request with what the host tells of its course. */
export interface ChangeRequestDetails extends ChangeRequest {
  /** The merge state of an open change request; `unknown` for others. */
  readonly mergeState: MergeState;
  readonly openedAt: Date;
  readonly mergedAt: Date | null;
  /** The time at which it was merged or closed. */
  readonly closedAt: Date | null;
  /**
   * The commit of its merge at the tip of the base: a merge commit, a squashed commit, or the last of those rebased.
   */
  readonly mergeCommit: string | null;
}

/** The host's account of a commit's author or committer; null where its e-mail address belongs to none. */
export interface CommitAccount {
  readonly id: string;
  readonly login: string;
  readonly bot: boolean;
}

export interface HostedCommit {
  readonly commit: string;
  readonly parents: readonly string[];
  readonly author: CommitAccount | null;
  readonly committer: CommitAccount | null;
  /** The committer in git, also without an account; null when the host does not tell. Anyone can write any address. */
  readonly committerEmail: string | null;
  readonly committedAt: Date | null;
}

/** How two commits of a repository relate. */
export interface HostedComparison {
  /** Commits of the head that the base does not have. */
  readonly ahead: number;
  /** Commits of the base that the head does not have. */
  readonly behind: number;
  readonly baseCommit: string;
  readonly mergeBase: string;
}

/** A commit on the base branch that takes back a merged change. */
export interface HostedRevert {
  readonly commit: string;
  readonly url: string;
  readonly at: Date | null;
}

export interface ChangeRequestDraft {
  readonly title: string;
  readonly body: string;
  readonly headBranch: string;
  readonly baseBranch: string;
  readonly draft: boolean;
}
