import type { ChangeRequestDetails, CodeHost, CodeHostCall, HostedCommit, HostedName } from '@sluice/core/code-host';
import { canBeFollowedUp } from '@sluice/core/follow-up';
import type { Issue } from '@sluice/core/issue';
import type { OutcomeFacts } from '@sluice/core/outcome';
import { hostedName } from '@sluice/core/repo';
import { findBuild } from './find-build.ts';
import { followBuild } from './follow-build.ts';
import { isRefusal } from './host-error.ts';
import { syncBase } from './sync-base.ts';
import { currentRegistration, type RegisteredSubject, type SyncContext, type SyncEnd } from './sync-context.ts';
import { syncReviews } from './sync-reviews.ts';

/**
 * Syncs a pull request that issues of this registration were published to: records its state on them and its outcome, and
 * turns each comment or review that requests more into one follow-up issue, whose remarks it answers. The host is not
 * asked about any other pull request.
 */
export async function syncChangeRequest(
  work: SyncContext,
  { repo, number }: RegisteredSubject,
  signal: AbortSignal,
): Promise<SyncEnd> {
  const { codehostIndex, outcomes } = work.deps;
  const issues = await codehostIndex.byChangeRequest(repo.id, number);
  const [first, ...others] = issues;
  if (first === undefined) return 'done';
  const current = await currentRegistration(work, repo, signal);
  const name = hostedName(work.host, current);
  const { change, facts, comments, found } = await work.tokens.callAsUser(repo.userId, signal, async (call) => {
    const change = await work.host.changeRequest(call, name, number);
    const facts = await outcomeFacts(work.host, call, { name, change, issues });
    if (!canBeFollowedUp(change.state)) return { change, facts, comments: [], found: null };
    const comments = await work.host.comments(call, name, { kind: 'change_request', number });
    return { change, facts, comments, found: await findBuild(work, { call, repo: current, first, change, comments }) };
  });
  for (const { id } of issues) await codehostIndex.setChangeRequestState(id, change.state);
  await outcomes.note({ repoId: repo.id, number }, found === null ? facts : { ...facts, build: found.news });
  const end = await syncReviews(work, { repo: current, first, issues, change, comments }, signal);
  // What people ask for goes first.
  if (end === 'blocked') return end;
  const ends = [
    await followBuild(work, { repo: current, issues: [first, ...others], change, found }, signal),
    await syncBase(work, { repo: current, first, change, mustBeUpToDate: change.mergeState === 'behind' }, signal),
  ];
  return ends.includes('blocked') ? 'blocked' : 'done';
}

/**
 * The facts from which the outcome of a pull request is folded, read at the code host. A fact that it refuses to tell,
 * such as of a deleted base branch, stays as it was: the rest of the sync must not depend on it.
 */
async function outcomeFacts(
  host: CodeHost,
  call: CodeHostCall,
  { name, change, issues }: { name: HostedName; change: ChangeRequestDetails; issues: readonly Issue[] },
): Promise<OutcomeFacts> {
  const { number, state, mergedAt, mergeCommit, baseBranch, closedAt } = change;
  const isMerged = state === 'merged' && mergedAt !== null && mergeCommit !== null;
  const revert = isMerged
    ? await ifTold(() => host.findRevert(call, name, { number, baseBranch, mergeCommit, mergedAt }))
    : null;
  const commits = await ifTold(() => host.changeRequestCommits(call, name, number));
  return {
    state,
    ...(commits !== null && { peopleCommits: peopleCommits(commits, issues) }),
    ...(state === 'merged' && { mergedAt }),
    ...(state === 'closed' && { closedAt }),
    ...(revert !== null && { revertedAt: revert.at }),
  };
}

async function ifTold<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

/**
 * How many commits of a pull request people have added. A merge, such as the one of *Update branch*, adds nothing of its own.
 * Each issue makes one commit; one that is under way has none at the code host yet.
 *
 * @param published the issues that were published to the pull request
 */
export function peopleCommits(
  commits: readonly HostedCommit[],
  published: readonly Pick<Issue, 'result' | 'pipeline'>[],
): number {
  const ours = new Set(
    published.flatMap(({ result, pipeline }) => [result?.head_commit, pipeline.publication?.head_commit]),
  );
  return commits.filter(({ commit, parents }) => parents.length < 2 && !ours.has(commit)).length;
}
