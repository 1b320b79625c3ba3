import type { ClaimedSubject, RepoId, RepoStore } from '@sluice/core';
import { subjectKey } from './sync-context.ts';

const REMEMBERED = 1_000; // more can hardly wait at a time; one that is forgotten costs a look at the host

interface Held {
  readonly mark: number;
  readonly repoIds: readonly RepoId[];
}

/**
 * Remembers for which repositories a subject waits, so that the host is not asked about it again as long as they are
 * busy and nothing has changed there: a pipeline may wait a week for a person. In this process alone: another one asks
 * once and knows too.
 */
export function createBlockedSubjects(repos: Pick<RepoStore, 'get'>) {
  const held = new Map<string, Held>();

  return {
    remember(subject: ClaimedSubject, repoIds: readonly RepoId[]): void {
      held.delete(subjectKey(subject));
      held.set(subjectKey(subject), { mark: subject.mark, repoIds });
      const oldest = held.keys().next().value;
      if (held.size > REMEMBERED && oldest !== undefined) held.delete(oldest);
    },
    forget(subject: ClaimedSubject): void {
      held.delete(subjectKey(subject));
    },
    /** Whether all that the subject waits for is busy still, and nothing was marked since. */
    async isStillBlocked(subject: ClaimedSubject): Promise<boolean> {
      const known = held.get(subjectKey(subject));
      if (known === undefined || known.mark !== subject.mark) return false;
      for (const repoId of known.repoIds) {
        // Another user's pipeline holds it without showing here: then the attempt itself has to tell.
        if (((await repos.get(repoId))?.activeIssueId ?? null) === null) return false;
      }
      return true;
    },
  };
}
