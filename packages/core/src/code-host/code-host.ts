import type {
  ChangeRequest,
  ChangeRequestDetails,
  ChangeRequestDraft,
  HostedCommit,
  HostedComparison,
  HostedRevert,
} from './change-request.ts';
import type { BuildCheck, FailedJob, HostedBuild } from './hosted-build.ts';
import type { HostedName } from './hosted-name.ts';

/*
 * The code host holds the users' accounts, repositories, issues and pull requests. Each call uses the token of one user,
 * decrypted for that call. Failures are AppErrors:
 * `codehost_relink_needed` (the host refuses the token), `codehost_forbidden` (the account lacks permission),
 * `codehost_not_found` (gone, or hidden from the account), `codehost_busy` (rate limited: `retryAfterMs`),
 * `codehost_unavailable` (unreachable, slow, or an invalid response), `codehost_refused` (the host rejects the request).
 */

/** An account at the code host. Its `id` never changes; the login can. */
export interface CodeHostAccount {
  readonly id: string;
  readonly login: string;
  readonly name: string | null;
  readonly avatarUrl: string | null;
}

/** The tokens that let Sluice act for a user. */
export interface CodeHostGrant {
  readonly accessToken: string;
  /** Null at hosts whose tokens do not expire. */
  readonly refreshToken: string | null;
  readonly expiresAt: Date | null;
}

/** Signing in at the host: OAuth 2.0, authorization code with PKCE S256. */
export interface CodeHostIdentity {
  /** The URL to send the browser to. It contains nothing of the request's own query. */
  authorizationUrl(request: { state: string; codeChallenge: string; redirectUri: string }): string;
  /**
   * Exchanges the parameters of the callback for a grant, and reads its account.
   *
   * @throws AppError `codehost_denied` when the user refused, `codehost_state_invalid` when the callback does not match the
   * request, `codehost_unavailable`
   */
  exchange(request: {
    /** The unmodified query of the callback. */
    callback: URLSearchParams;
    state: string;
    codeVerifier: string;
    redirectUri: string;
    signal: AbortSignal;
  }): Promise<{ readonly account: CodeHostAccount; readonly grant: CodeHostGrant }>;
  /** @throws AppError `codehost_relink_needed` when the host rejects the refresh token, `codehost_unavailable` */
  refresh(refreshToken: string, signal: AbortSignal): Promise<CodeHostGrant>;
  /** Revokes a token at the host. */
  revoke(accessToken: string, signal: AbortSignal): Promise<void>;
}

/** The token of the user for whom a call is made. */
export interface CodeHostCall {
  readonly token: string;
  readonly signal: AbortSignal;
  /**
   * Runs right before each request that changes something at the host, after every wait of ours (for other writes, for the
   * host's limits). If it throws, the request is not sent and the call fails with that error.
   */
  readonly beforeWrite?: () => Promise<void>;
}

export interface HostedRepo {
  readonly id: string;
  readonly fullName: HostedName;
  readonly private: boolean;
  readonly description: string | null;
  readonly defaultBranch: string;
  /** Its address, for browsers and for git. */
  readonly url: string;
  readonly pushedAt: Date | null;
}

/** The place of a comment on a line. */
interface CommentPlace {
  readonly path: string;
  /** Null when the line is no longer in the change. */
  readonly line: number | null;
  /** The diff lines that it is about, as they were when it was written; null when the host does not give them. */
  readonly quote: string | null;
}

/** A comment at the host. */
export interface HostedComment {
  /** Unique in its repository, with its kind: `issue-123`, `review-5`, `line-77`. */
  readonly id: string;
  readonly author: string;
  /** Whether its author has write access to the repository. Text by others is never an instruction. */
  readonly byWriter: boolean;
  /** Whether its author is an app. Its login ends in `[bot]`, which no login of a person does. */
  readonly byBot: boolean;
  readonly body: string;
  readonly url: string;
  readonly createdAt: Date;
  /** For a comment on a line of a change. */
  readonly place: CommentPlace | null;
  /** Its review, `review-5`; for the text of a review, its own id. Null in the conversation. */
  readonly reviewId: string | null;
  /** The decision of its review; null in the conversation. */
  readonly reviewState: ReviewState | null;
  /** The first comment of its thread, `line-70`, for an answer to a comment on a line. */
  readonly inReplyTo: string | null;
}

export const reviewStates = ['approved', 'changes_requested', 'commented', 'dismissed'] as const;
type ReviewState = (typeof reviewStates)[number];

/** A thread of comments on a line of a change. */
export interface ReviewThread {
  /** Opaque. */
  readonly id: string;
  readonly resolved: boolean;
  /** Ids of its comments, the oldest first: `line-77`. */
  readonly comments: readonly string[];
}

export interface HostedIssue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly url: string;
  readonly author: string;
  readonly byWriter: boolean;
  readonly open: boolean;
  readonly updatedAt: Date;
}

/** A picture that an issue shows, among the host's own files. */
export interface HostedPicture {
  readonly name: string;
  /** Signed for some minutes. */
  readonly url: string;
}

/** A picture as the host sent it. */
export interface FetchedPicture {
  readonly content: Uint8Array;
  /** What the host says it is. */
  readonly mediaType: string;
}

export interface HostedPage<T> {
  readonly items: readonly T[];
  readonly nextPage: number | null;
}

/** The changes in a repository since the last poll. */
export interface ChangedSubjects {
  readonly subjects: readonly { readonly kind: SubjectKind; readonly number: number }[];
  /** Opaque; for the next poll. */
  readonly cursor: string;
}

const subjectKinds = ['issue', 'change_request'] as const;
export type SubjectKind = (typeof subjectKinds)[number];

/** What an account may do with a repository at the host. The host's finer levels count as the lower of these. */
export type HostedPermission = 'read' | 'write' | 'admin';

/** The accounts that have access to a repository. */
export interface HostedCollaborators {
  /** By the id of the account. */
  readonly permissions: ReadonlyMap<string, HostedPermission>;
  /** Whether these are all. */
  readonly complete: boolean;
}

export interface CodeHost {
  /** Its address for browsers and git, without a trailing slash. Below it is each repository by its `HostedName`. */
  readonly url: string;
  /** The account of the token. */
  account(call: CodeHostCall): Promise<CodeHostAccount>;
  /** Repositories that the account can push to, last pushed first; `q` is part of the name, ignoring case. */
  repos(
    call: CodeHostCall,
    query: { page: number; perPage: number; q: string | null },
  ): Promise<HostedPage<HostedRepo>>;
  repo(call: CodeHostCall, fullName: HostedName): Promise<HostedRepo>;
  /** The repository with that id, under its current name. */
  repoById(call: CodeHostCall, id: string): Promise<HostedRepo>;
  /** Open issues, without pull requests, newest first; `q` is words of the title in their order, ignoring case. */
  issues(
    call: CodeHostCall,
    repo: HostedName,
    query: { page: number; perPage: number; q: string | null },
  ): Promise<HostedPage<HostedIssue>>;
  /** One issue. @throws AppError `codehost_not_found` also when the number is that of a pull request */
  issue(call: CodeHostCall, repo: HostedName, number: number): Promise<HostedIssue>;
  /**
   * Comments on an issue or a pull request, oldest first, including reviews and comments on lines. Bounded. A review is
   * complete, or left out while it is being submitted.
   */
  comments(
    call: CodeHostCall,
    repo: HostedName,
    subject: { kind: SubjectKind; number: number },
  ): Promise<readonly HostedComment[]>;

  /** The pictures that an issue and its comments show, those of the issue first; only the host's own files. Bounded. */
  pictures(call: CodeHostCall, repo: HostedName, number: number): Promise<readonly HostedPicture[]>;
  /**
   * Fetches a picture, without a token and without following a redirect, and uses it. Few pictures are in memory at once.
   *
   * @throws AppError `codehost_refused`; what `use` throws; the signal's reason when cancelled
   */
  withPicture<T>(
    picture: HostedPicture,
    limits: { readonly maxBytes: number; readonly signal: AbortSignal },
    use: (fetched: FetchedPicture) => Promise<T>,
  ): Promise<T>;

  changeRequest(call: CodeHostCall, repo: HostedName, number: number): Promise<ChangeRequestDetails>;
  /**
   * The open pull request from that branch of the repository itself; otherwise one that was merged or closed at that very
   * commit; or null.
   */
  findChangeRequest(
    call: CodeHostCall,
    repo: HostedName,
    from: { headBranch: string; headCommit: string },
  ): Promise<ChangeRequest | null>;
  /**
   * Opens a pull request. If it exists already (a concurrent call, or a lost response), returns that one: the call is
   * idempotent. Without support for drafts, it is opened as ready for review.
   */
  openChangeRequest(call: CodeHostCall, repo: HostedName, draft: ChangeRequestDraft): Promise<ChangeRequest>;
  /** Replaces the text of a pull request. */
  describeChangeRequest(call: CodeHostCall, repo: HostedName, change: { number: number; body: string }): Promise<void>;
  /**
   * Writes a comment, or replaces the account's own comment that starts with the same `marker`: the call is idempotent. An
   * identical comment is left alone.
   */
  putComment(
    call: CodeHostCall,
    repo: HostedName,
    comment: { number: number; marker: string; body: string },
  ): Promise<{ readonly id: string; readonly url: string }>;
  /**
   * Answers in the thread of a comment on a line (`line-77`), or replaces the account's own answer there that starts with
   * the same `marker`: the call is idempotent.
   */
  replyToComment(
    call: CodeHostCall,
    repo: HostedName,
    reply: { number: number; commentId: string; marker: string; body: string },
  ): Promise<{ readonly id: string; readonly url: string }>;
  /** The threads on lines of a pull request, the oldest first: at most five hundred, of a hundred comments each. */
  reviewThreads(call: CodeHostCall, repo: HostedName, number: number): Promise<readonly ReviewThread[]>;
  /** Resolves a thread; one that is resolved is left alone. */
  resolveThread(call: CodeHostCall, threadId: string): Promise<void>;
  /** Makes a draft ready for review; anything but an open draft is left alone. */
  markReady(call: CodeHostCall, repo: HostedName, number: number): Promise<void>;

  /** The tip of a branch; null when there is no such branch. */
  branchHead(call: CodeHostCall, repo: HostedName, branch: string): Promise<string | null>;
  /**
   * The accounts with access to the repository, directly, through a team or an organization: at most a thousand. The
   * caller's account needs to be able to push. Costs no quota when nothing has changed.
   */
  collaborators(call: CodeHostCall, repo: HostedName): Promise<HostedCollaborators>;
  /** The account with that login. */
  accountNamed(call: CodeHostCall, login: string): Promise<CodeHostAccount>;
  /** Compares two branches or commits of the repository. */
  compare(call: CodeHostCall, repo: HostedName, ends: { base: string; head: string }): Promise<HostedComparison>;
  /** The commits of a pull request, the oldest first; the host gives at most 250. */
  changeRequestCommits(call: CodeHostCall, repo: HostedName, number: number): Promise<readonly HostedCommit[]>;
  /**
   * The commit that took a merged change back, unless that was taken back too; or null. Looks for commits that say so, among
   * the newest five hundred of the base since the merge.
   */
  findRevert(
    call: CodeHostCall,
    repo: HostedName,
    merged: { number: number; baseBranch: string; mergeCommit: string; mergedAt: Date },
  ): Promise<HostedRevert | null>;
  /**
   * The build of a commit, and what its base branch requires. Costs no quota when nothing has changed. At most a thousand
   * checks, and as many statuses and runs of workflows.
   */
  build(call: CodeHostCall, repo: HostedName, of: { commit: string; baseBranch: string }): Promise<HostedBuild>;
  /** Why checks failed: of the first ten, with the ends of the first five logs. */
  failedJobs(call: CodeHostCall, repo: HostedName, checks: readonly BuildCheck[]): Promise<readonly FailedJob[]>;

  /** Issues and pull requests that changed since `cursor` (null: from now on). Costs no quota when nothing has changed. */
  changedSince(call: CodeHostCall, repo: HostedName, cursor: string | null): Promise<ChangedSubjects>;
}

/** Reads signed webhook deliveries. */
export interface CodeHostWebhooks {
  /**
   * The change that a delivery is about; null for a ping or an irrelevant event.
   *
   * @param body the unmodified bytes, which the signature covers
   * @returns null when the signature is wrong or missing; compared in constant time
   */
  read(delivery: {
    headers: Readonly<Record<string, string | undefined>>;
    body: Uint8Array;
  }): { readonly id: string; readonly changed: ChangedSubject | ChangedBranches | null } | null;
}

/** An issue or a pull request that changed at the host, or those who have access to a repository. */
export interface ChangedSubject {
  /** The host's id of the repository. */
  readonly codehostRepoId: string;
  readonly kind: SubjectKind | 'members';
  /** 0 for `members`. */
  readonly number: number;
}

/**
 * Branches that moved, or whose build did. Such news names no pull requests, or not all of them: it concerns every open one
 * of ours from or into one of the branches, and with a revert those that were merged lately.
 */
export interface ChangedBranches {
  /** The host's id of the repository. */
  readonly codehostRepoId: string;
  readonly branches: readonly string[];
  /** Whether a commit that was pushed says that it takes another one back. */
  readonly reverts?: boolean;
}
