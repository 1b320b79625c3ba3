import { AppError, type ChangedSubject, type RepoId, type SubjectKind } from '@sluice/core';
import { isSkipped, toHostError } from './host-error.ts';
import { syncChangeRequest } from './sync-change-request.ts';
import type { RegisteredSubject, SyncContext, SyncEnd, SyncOutcome } from './sync-context.ts';
import { syncIssue } from './sync-issue.ts';

type Syncer = (work: SyncContext, subject: RegisteredSubject, signal: AbortSignal) => Promise<SyncEnd>;

const syncers: Readonly<Record<SubjectKind, Syncer>> = {
  issue: syncIssue,
  change_request: syncChangeRequest,
};

/**
 * Looks at what a changed subject is now, and does what follows from that for each registration of its repository, in
 * its user's name and by its own settings. Says nothing of what has changed: so it may be called too often, too late and
 * by several processes, and what was done is not done again.
 *
 * One registration's failure keeps no other from its look.
 *
 * @throws the signal's reason
 */
export async function syncSubject(
  work: SyncContext,
  subject: ChangedSubject,
  signal: AbortSignal,
): Promise<SyncOutcome> {
  const { codehostIndex, log } = work.deps;
  const { kind, number, codehostRepoId } = subject;
  const repoIds: RepoId[] = [];
  const failures: AppError[] = [];
  for (const repo of await codehostIndex.registrations(codehostRepoId)) {
    signal.throwIfAborted();
    try {
      if ((await syncers[kind](work, { repo, number }, signal)) === 'held') repoIds.push(repo.id);
    } catch (thrown) {
      signal.throwIfAborted();
      const error = toHostError(thrown);
      if (!isSkipped(error)) failures.push(error);
      else
        log.warn({ repoId: repo.id, kind, number, reason: error.message }, 'a change at the code host is passed over');
    }
  }
  if (failures.length > 0) return { kind: 'failed', error: worst(failures) };
  return repoIds.length > 0 ? { kind: 'held', repoIds } : { kind: 'seen' };
}

/** What needs a person's eye before what passes by itself, and of the latter what lasts longest. */
function worst(failures: readonly AppError[]): AppError {
  const other = failures.find(({ code }) => code !== 'codehost_busy');
  if (other !== undefined) return other;
  const waits = failures.map(({ details }) => details.retryAfterMs ?? 0);
  return new AppError('codehost_busy', { retryAfterMs: Math.max(...waits) });
}
