/*
 * The code host: where people have their accounts, repositories, issues and pull requests. All calls are made in the
 * name of one user, with his token, opened for that one call. Whatever fails is an AppError:
 * `codehost_relink_needed` (the host refuses the token), `codehost_forbidden` (the account may not do this),
 * `codehost_not_found` (gone, or hidden from the account), `codehost_busy` (asks to be called later: `retryAfterMs`),
 * `codehost_unavailable` (away, slow, or its answer makes no sense), `codehost_refused` (it says the request is wrong).
 */

/** The account that somebody signed in with. `id` never changes; the login may. */
export interface CodeHostAccount {
  readonly id: string;
  readonly login: string;
  readonly name: string | null;
  readonly avatarUrl: string | null;
}

/** What the host gave for acting in a user's name. */
export interface CodeHostGrant {
  readonly accessToken: string;
  /** For hosts whose tokens end; null where they do not. */
  readonly refreshToken: string | null;
  readonly expiresAt: Date | null;
}

/** Signing in at the host: OAuth 2.0, authorization code with PKCE S256. */
export interface CodeHostIdentity {
  /** Where the browser goes. Nothing of a request's own query gets into it. */
  authorizationUrl(request: { state: string; codeChallenge: string; redirectUri: string }): string;
  /**
   * Trades the callback's parameters for a grant, and asks whose it is.
   *
   * @throws AppError `codehost_denied` when the person said no, `codehost_state_invalid` when host and request do not
   * match, `codehost_unavailable`
   */
  exchange(request: {
    /** The callback's query as it came. */
    callback: URLSearchParams;
    state: string;
    codeVerifier: string;
    redirectUri: string;
    signal: AbortSignal;
  }): Promise<{ readonly account: CodeHostAccount; readonly grant: CodeHostGrant }>;
  /** @throws AppError `codehost_relink_needed` when the host takes the refresh token no longer, `codehost_unavailable` */
  refresh(refreshToken: string, signal: AbortSignal): Promise<CodeHostGrant>;
  /** Tells the host that a token is not needed any more. */
  revoke(accessToken: string, signal: AbortSignal): Promise<void>;
}

/** In whose name a call is made. */
export interface CodeHostCall {
  readonly token: string;
  readonly signal: AbortSignal;
}

export interface HostedRepo {
  readonly id: string;
  /** `owner/name` */
  readonly fullName: string;
  readonly private: boolean;
  readonly description: string | null;
  readonly defaultBranch: string;
  /** Where a person looks at it, which is where git reaches it too. */
  readonly url: string;
  readonly pushedAt: Date | null;
}

/** Where a comment on a line stands. */
export interface CommentPlace {
  readonly path: string;
  /** Null where the line is not in the change any more. */
  readonly line: number | null;
  /** The change's lines that it is about, as they were when it was written, each behind its sign; null: not told. */
  readonly quote: string | null;
}

/** Text by somebody at the host. */
export interface HostedComment {
  /** Unique in its repository, with its kind: `issue-123`, `review-5`, `line-77`. */
  readonly id: string;
  readonly author: string;
  /** Whether its author may write to the repository. Text of anybody else is never an instruction. */
  readonly byWriter: boolean;
  readonly body: string;
  readonly url: string;
  readonly createdAt: Date;
  /** For a comment on a line of a change. */
  readonly place: CommentPlace | null;
  /** The review that it was written in, `review-5`: its own id for a review's text. Null in the conversation. */
  readonly reviewId: string | null;
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

export interface ChangeRequestDraft {
  readonly title: string;
  readonly body: string;
  readonly headBranch: string;
  readonly baseBranch: string;
  readonly draft: boolean;
}

export interface HostedPage<T> {
  readonly items: readonly T[];
  readonly nextPage: number | null;
}

/** What has changed at a repository, for a look that costs next to nothing when nothing has. */
export interface ChangedSubjects {
  readonly subjects: readonly { readonly kind: SubjectKind; readonly number: number }[];
  /** Opaque; for the next look. */
  readonly cursor: string;
}

export const subjectKinds = ['issue', 'change_request'] as const;
export type SubjectKind = (typeof subjectKinds)[number];

export interface CodeHost {
  /** The account that a token belongs to. */
  account(call: CodeHostCall): Promise<CodeHostAccount>;
  /** Repositories that the account can push to, last pushed first; `q` is part of the name, compared without case. */
  repos(
    call: CodeHostCall,
    query: { page: number; perPage: number; q: string | null },
  ): Promise<HostedPage<HostedRepo>>;
  repo(call: CodeHostCall, fullName: string): Promise<HostedRepo>;
  /** The repository of that id, whatever it is called by now. */
  repoById(call: CodeHostCall, id: string): Promise<HostedRepo>;
  /** Open issues, without pull requests, newest first. */
  issues(call: CodeHostCall, repo: string, query: { page: number; perPage: number }): Promise<HostedPage<HostedIssue>>;
  /** One issue. @throws AppError `codehost_not_found` also when the number is a pull request's */
  issue(call: CodeHostCall, repo: string, number: number): Promise<HostedIssue>;
  /**
   * Comments on an issue or a pull request, oldest first; with a pull request's reviews and comments on lines. Bounded.
   * A review comes whole or, where it was submitted in this moment, not at all.
   */
  comments(
    call: CodeHostCall,
    repo: string,
    subject: { kind: SubjectKind; number: number },
  ): Promise<readonly HostedComment[]>;

  changeRequest(call: CodeHostCall, repo: string, number: number): Promise<ChangeRequest>;
  /**
   * The open one from that branch of the repository itself; else one that was merged or closed with that very commit as its
   * last; or null.
   */
  findChangeRequest(
    call: CodeHostCall,
    repo: string,
    from: { headBranch: string; headCommit: string },
  ): Promise<ChangeRequest | null>;
  /**
   * Opens one. When the host says that there is one already (somebody was faster, or its last answer was lost) that one
   * is given back: so two calls make one. Where the host has no drafts it is open at once.
   */
  openChangeRequest(call: CodeHostCall, repo: string, draft: ChangeRequestDraft): Promise<ChangeRequest>;
  /** Replaces the text of one. */
  describeChangeRequest(call: CodeHostCall, repo: string, change: { number: number; body: string }): Promise<void>;
  /**
   * Writes a comment, or replaces the account's own one that begins with the same `marker`: so two calls make one.
   * A comment that says this already is left alone. `beforeNew` is awaited right before a new one is written, for who has
   * to know that he is still the one to write it; what it throws is thrown, and nothing is written.
   */
  putComment(
    call: CodeHostCall,
    repo: string,
    comment: { number: number; marker: string; body: string; beforeNew?: () => Promise<void> },
  ): Promise<{ readonly id: string; readonly url: string }>;

  /** Issues and pull requests that changed since `cursor` (null: since now). Conditional: nothing new costs no quota. */
  changedSince(call: CodeHostCall, repo: string, cursor: string | null): Promise<ChangedSubjects>;
}

/** Reads signed deliveries. */
export interface CodeHostWebhooks {
  /**
   * What a delivery says has changed; `subject` null where it does not concern us (a ping, an event of another kind).
   *
   * @param body the bytes as they came: the signature is over them
   * @returns null when the signature is wrong or missing. Compared in constant time.
   */
  read(delivery: {
    headers: Readonly<Record<string, string | undefined>>;
    body: Uint8Array;
  }): { readonly id: string; readonly subject: ChangedSubject | null } | null;
}

/** An issue or a pull request of which something changed at the host. */
export interface ChangedSubject {
  /** The host's id of the repository. */
  readonly codehostRepoId: string;
  readonly kind: SubjectKind;
  readonly number: number;
}
