import type { AppError, CodeHost, CodeHostTokens, Repo, RepoId } from '@sluice/core';
import type { WorkerDeps } from '../execution/worker-deps.ts';

/** What is needed to look at the code host and to act on what is seen there. */
export interface CodeHostWork {
  readonly deps: Pick<WorkerDeps, 'issues' | 'repos' | 'codehostIndex' | 'codehostInbox' | 'clock' | 'ids' | 'log'>;
  readonly host: CodeHost;
  readonly tokens: CodeHostTokens;
}

/** One registration's part of a changed subject: the issue or pull request of that number. */
export interface RegisteredSubject {
  readonly repo: Repo;
  readonly number: number;
}

/** What a look came to for one registration: `held` when an issue waits for its repository to be free. */
export type LookEnd = 'seen' | 'held';

/** What a look at a changed subject came to, for all who have registered its repository. */
export type Look =
  | { readonly kind: 'seen' }
  /** Issues of these registrations wait for their repository to be free. */
  | { readonly kind: 'held'; readonly repoIds: readonly RepoId[] }
  /** To be looked at again: what was done already is found done then. */
  | { readonly kind: 'failed'; readonly error: AppError };
