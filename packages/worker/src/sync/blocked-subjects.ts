import type { ClaimedSubject } from '@sluice/core/code-host';
import type { RepoId } from '@sluice/core/id';
import type { RepoStore } from '@sluice/core/repo';
import { subjectKey } from './sync-context.ts';

const REMEMBERED = 1_000; // more hardly wait at once; a forgotten one costs a request to the host

interface Blocked {
  readonly mark: number;
  readonly repoIds: readonly RepoId[];
}

/**
 * Remembers for which busy repositories a subject waits, so that the host is not asked again until one is free or something
 * has changed there: a pipeline may wait a week for a person. Only in this process; another one asks once and then knows.
 */
export function createBlockedSubjects(repos: Pick<RepoStore, 'get'>) {
  const blocked = new Map<string, Blocked>();

  return {
    remember(subject: ClaimedSubject, repoIds: readonly RepoId[]): void {
      blocked.delete(subjectKey(subject));
      blocked.set(subjectKey(subject), { mark: subject.mark, repoIds });
      const oldest = blocked.keys().next().value;
      if (blocked.size > REMEMBERED && oldest !== undefined) blocked.delete(oldest);
    },
    forget(subject: ClaimedSubject): void {
      blocked.delete(subjectKey(subject));
    },
    /** Whether every repository that the subject waits for is still busy, and the subject was not marked since. */
    async isStillBlocked(subject: ClaimedSubject): Promise<boolean> {
      const known = blocked.get(subjectKey(subject));
      if (known === undefined || known.mark !== subject.mark) return false;
      for (const repoId of known.repoIds) {
        // Another user's pipeline may hold it, which does not show here; then only the attempt tells.
        if (((await repos.get(repoId))?.activeIssueId ?? null) === null) return false;
      }
      return true;
    },
  };
}
