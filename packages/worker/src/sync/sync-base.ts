import type { ChangeRequest } from '@sluice/core/code-host';
import { canBeFollowedUp, createCausedFollowUp } from '@sluice/core/follow-up';
import type { Issue } from '@sluice/core/issue';
import { accessTo, type Repo } from '@sluice/core/repo';
import type { BranchStanding } from '@sluice/core/workspace';
import { toHostError } from './host-error.ts';
import { filesMoved, isBaseConcern, type MovedBase, mergeFollowUp } from './merge-follow-up.ts';
import { runWhenFree, waitsToRun } from './run-when-free.ts';
import type { SyncContext, SyncEnd } from './sync-context.ts';

interface PublishedChange {
  readonly repo: Repo;
  readonly first: Issue;
  readonly change: ChangeRequest;
  readonly mustBeUpToDate: boolean;
}

/**
 * Compares the branch of a pull request with its base branch, by git alone. Where the base has moved in files that matter, or
 * the code host wants its newest commit, the first issue says so, once for each commit of the base; and where the repository
 * has it merged, one follow-up does that. It continues whatever is on the branch: commits of people are merged onto, never
 * replaced.
 */
export async function syncBase(work: SyncContext, published: PublishedChange, signal: AbortSignal): Promise<SyncEnd> {
  const { codehostIndex, repos } = work.deps;
  const { repo, first, change } = published;
  const { follow_base } = repo.settings;
  const followUps = await codehostIndex.followUpsOf(first.id);
  // Also when there is nothing left to merge: it ends by itself when it starts, and other work waits for its end.
  const waiting = followUps.find((issue) => issue.pipeline.follow_up?.kind === 'base' && waitsToRun(issue));
  if (waiting !== undefined) return await runWhenFree(work, waiting);
  if (follow_base === 'off' || !canBeFollowedUp(change.state)) return 'done';
  const standing = await standingOf(work, published, signal);
  if (standing === null) return 'done';
  const moved: MovedBase = { ...published, standing };
  if (!isBaseConcern(moved)) return 'done';
  await codehostIndex.noteBaseMoved(first.id, {
    base_branch: change.baseBranch,
    base_commit: standing.baseCommit,
    conflicts: standing.conflicts.map(({ path }) => path).slice(0, MAX_FILES),
    files: filesMoved(moved).slice(0, MAX_FILES),
  });
  if (follow_base !== 'merge') return 'done';
  const draft = mergeFollowUp(moved, followUps);
  if (draft === null || (await codehostIndex.wasRemoved(repo.id, { commentId: draft.key }))) return 'done';
  // It is made when it can start, so that it merges what the base is then.
  if (((await repos.get(repo.id))?.activeIssueId ?? null) !== null) return 'blocked';
  return (await createCausedFollowUp(work.deps, { ...draft, queue: true })) === 'waits' ? 'blocked' : 'done';
}

const MAX_FILES = 100; // people read no more, and the event is kept

const COMPARE_MS = 40_000; // of the minute that a sync has; a clone that takes longer is made by the next issue

/**
 * Null also where the remote cannot be compared now, which the log says: the rest of the sync is done by then, and must not
 * be repeated for it. The next change or poll tries again.
 */
async function standingOf(
  { deps, tokens }: SyncContext,
  { repo, change }: PublishedChange,
  signal: AbortSignal,
): Promise<BranchStanding | null> {
  try {
    return await deps.standings.of({
      repo: accessTo({ cipher: deps.cipher, codehostTokens: tokens }, repo),
      branch: change.headBranch,
      baseBranch: change.baseBranch,
      signal: AbortSignal.any([signal, deps.timers.timeout(COMPARE_MS)]),
    });
  } catch (thrown) {
    signal.throwIfAborted();
    const error = toHostError(thrown);
    if (error.kind === 'bug') throw error;
    const fields = { repoId: repo.id, number: change.number, reason: error.message };
    deps.log.warn(fields, 'could not compare a pull request with its base branch');
    return null;
  }
}
