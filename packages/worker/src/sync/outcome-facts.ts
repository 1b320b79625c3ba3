import type { ChangeRequestDetails, CodeHost, CodeHostCall, HostedName } from '@sluice/core/code-host';
import type { Issue } from '@sluice/core/issue';
import type { OutcomeFacts } from '@sluice/core/outcome';
import { isRefusal } from './host-error.ts';
import { peopleCommits } from './people-commits.ts';

/**
 * The facts from which the outcome of a pull request is folded, read at the code host. A fact that it refuses to tell,
 * such as of a deleted base branch, stays as it was: the rest of the sync must not depend on it.
 */
export async function outcomeFacts(
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
