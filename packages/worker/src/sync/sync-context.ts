import {
  type AppError,
  type ChangedSubject,
  type CodeHost,
  type CodeHostTokens,
  currentRepo,
  type Repo,
  type RepoId,
} from '@sluice/core';
import type { WorkerDeps } from '../execution/worker-deps.ts';

/** What is needed to look at the code host and to act on what is seen there. */
export interface SyncContext {
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
export type SyncEnd = 'seen' | 'held';

/** What a look at a changed subject came to, for all who have registered its repository. */
export type SyncOutcome =
  | { readonly kind: 'seen' }
  /** Issues of these registrations wait for their repository to be free. */
  | { readonly kind: 'held'; readonly repoIds: readonly RepoId[] }
  /** To be looked at again: what was done already is found done then. */
  | { readonly kind: 'failed'; readonly error: AppError };

/** Names a subject among all. */
export function subjectKey({ codehostRepoId, kind, number }: ChangedSubject): string {
  return `${codehostRepoId} ${kind} ${number}`;
}

/** A registration with its present address: what is at its address of before may be somebody else's. */
export async function currentRegistration(
  { deps, host, tokens }: SyncContext,
  repo: Repo,
  signal: AbortSignal,
): Promise<Repo> {
  return await currentRepo({ repos: deps.repos, codehost: { host }, codehostTokens: tokens }, repo, signal);
}
