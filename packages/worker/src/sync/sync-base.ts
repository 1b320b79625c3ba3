import {
  accessTo,
  type ChangeRequest,
  canBeFollowedUp,
  createCausedFollowUp,
  filesMoved,
  type Issue,
  isBaseConcern,
  type MovedBase,
  mergeFollowUp,
  type Repo,
} from '@sluice/core';
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
  const { codehostIndex, standings, repos, cipher } = work.deps;
  const { repo, first, change } = published;
  const { follow_base } = repo.settings;
  if (follow_base === 'off' || !canBeFollowedUp(change.state)) return 'done';
  const standing = await standings.of({
    repo: accessTo({ cipher, codehostTokens: work.tokens }, repo),
    branch: change.headBranch,
    baseBranch: change.baseBranch,
    signal,
  });
  if (standing === null) return 'done';
  const moved: MovedBase = { ...published, standing };
  if (!isBaseConcern(moved)) return 'done';
  await codehostIndex.noteBaseMoved(first.id, {
    base_branch: change.baseBranch,
    base_commit: standing.baseCommit,
    conflicts: standing.conflicts.map(({ path }) => path).slice(0, MOST_FILES),
    files: filesMoved(moved).slice(0, MOST_FILES),
  });
  if (follow_base !== 'merge') return 'done';
  const followUps = await codehostIndex.followUpsOf(first.id);
  const waiting = followUps.find((issue) => issue.pipeline.follow_up?.kind === 'base' && waitsToRun(issue));
  if (waiting !== undefined) return await runWhenFree(work, waiting);
  const wanted = mergeFollowUp(moved, followUps);
  if (wanted === null || (await codehostIndex.wasRemoved(repo.id, { commentId: wanted.key }))) return 'done';
  // It is made when it can start, so that it merges what the base is then.
  if (((await repos.get(repo.id))?.activeIssueId ?? null) !== null) return 'blocked';
  return (await createCausedFollowUp(work.deps, { ...wanted, queue: true })) === 'waits' ? 'blocked' : 'done';
}

const MOST_FILES = 100; // nobody reads more, and the event is kept
