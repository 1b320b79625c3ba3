import type { ChangedSubject, CodeHost, CodeHostTokens } from '@sluice/core/code-host';
import type { AppError } from '@sluice/core/error';
import type { RepoId } from '@sluice/core/id';
import type { Signals } from '@sluice/core/issue';
import { currentRepo, type Repo } from '@sluice/core/repo';
import type { WorkerDeps } from '../execution/worker-deps.ts';

/** What a sync needs to read the code host and to act on its state. */
export interface SyncContext {
  readonly deps: Pick<
    WorkerDeps,
    | 'issues'
    | 'attachments'
    | 'pictures'
    | 'repos'
    | 'members'
    | 'codehostIndex'
    | 'codehostInbox'
    | 'outcomes'
    | 'standings'
    | 'cipher'
    | 'publicUrl'
    | 'clock'
    | 'timers'
    | 'ids'
    | 'log'
  > & { readonly signals: Pick<Signals, 'accessChanged'> };
  readonly host: CodeHost;
  readonly tokens: CodeHostTokens;
  /** How many follow-ups the builds of one pull request may have. */
  readonly buildRounds: number;
  /** How many follow-ups of reviews one pull request may have by themselves; those of bots are counted apart. */
  readonly followUpRounds: number;
  /** Returns while this process still holds the changed subject. Called right before each write at the host. @throws otherwise */
  readonly confirmClaim: () => Promise<void>;
}

/** The same for what claims no subject. */
export type SyncPorts = Omit<SyncContext, 'confirmClaim'>;

/** A changed subject for one registration: its issue or pull request of that number. */
export interface RegisteredSubject {
  readonly repo: Repo;
  readonly number: number;
}

/** The result for one registration: `blocked` when an issue waits for its repository to be free. */
export type SyncEnd = 'done' | 'blocked';

/** The result for all registrations of a repository. */
export type SyncOutcome =
  | { readonly kind: 'done' }
  /** Issues of these registrations wait for their repository to be free. */
  | { readonly kind: 'blocked'; readonly repoIds: readonly RepoId[] }
  /** To be repeated: steps that are done already are found done. */
  | { readonly kind: 'failed'; readonly error: AppError };

/** Identifies a subject among all. */
export function subjectKey({ codehostRepoId, kind, number }: ChangedSubject): string {
  return `${codehostRepoId} ${kind} ${number}`;
}

/** A registration with its current address: another repository may be at the old one. */
export async function currentRegistration(
  { deps, host, tokens }: SyncPorts,
  repo: Repo,
  signal: AbortSignal,
): Promise<Repo> {
  return await currentRepo({ repos: deps.repos, codehost: { host }, codehostTokens: tokens }, repo, signal);
}
