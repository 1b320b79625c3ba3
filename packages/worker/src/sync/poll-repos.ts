import type { ChangedSubject } from '@sluice/core/code-host';
import { hostedName } from '@sluice/core/repo';
import { isSkipped, toHostError } from './host-error.ts';
import { currentRegistration, type SyncPorts } from './sync-context.ts';

const AT_ONCE = 5;
const POLL_MS = 60_000; // one response of the host, with room for a page or two

/**
 * Polls the code host for every repository that is due, and marks what has changed. The first poll of a repository only sets
 * the cursor. The cursor is saved after the marks, so changes that a dead process had not marked are found again.
 */
export async function pollRepos(
  work: SyncPorts,
  poll: { readonly owner: string; readonly everyMs: number },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const due = await work.deps.codehostInbox.claimPolls(poll.owner, { everyMs: poll.everyMs, limit: AT_ONCE });
    if (due.length === 0) return;
    await Promise.all(
      due.map((repo) => pollRepo(work, repo, AbortSignal.any([signal, work.deps.timers.timeout(POLL_MS)]))),
    );
  }
}

/** In the name of the first user whose account has access. A failed poll is repeated when the repository is next due. */
async function pollRepo(
  work: SyncPorts,
  { codehostRepoId, cursor }: { codehostRepoId: string; cursor: string | null },
  signal: AbortSignal,
): Promise<void> {
  const { deps, host, tokens } = work;
  for (const repo of await deps.codehostIndex.registrations(codehostRepoId)) {
    try {
      const name = hostedName(host, await currentRegistration(work, repo, signal));
      const changed = await tokens.callAsUser(repo.userId, signal, (call) => host.changedSince(call, name, cursor));
      const subjects = changed.subjects.map((subject) => ({ codehostRepoId, ...subject }));
      const all = [...subjects, ...(await openChanges(work, codehostRepoId))];
      if (all.length > 0) await deps.codehostInbox.mark(all);
      if (changed.cursor !== cursor) await deps.codehostInbox.savePoll(codehostRepoId, changed.cursor);
      return;
    } catch (thrown) {
      const error = toHostError(thrown);
      deps.log.warn({ repoId: repo.id, reason: error.message }, 'could not poll the code host for changes');
      if (!isSkipped(error)) return;
    }
  }
}

/** A push to a base branch and a build change no pull request, so those that are followed are looked at with each poll. */
async function openChanges({ deps }: SyncPorts, codehostRepoId: string): Promise<ChangedSubject[]> {
  const numbers = new Set<number>();
  for (const repo of await deps.codehostIndex.registrations(codehostRepoId)) {
    const { follow_base, follow_build } = repo.settings;
    if (follow_base === 'off' && follow_build === 'off') continue;
    for (const { number } of await deps.codehostIndex.openChanges(repo.id)) numbers.add(number);
  }
  return [...numbers].map((number) => ({ codehostRepoId, kind: 'change_request', number }));
}
