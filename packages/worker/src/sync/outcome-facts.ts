import {
  type ChangeRequestDetails,
  type CodeHost,
  type CodeHostCall,
  type Issue,
  type OutcomeFacts,
  peopleCommits,
} from '@sluice/core';

/** What the outcome of a pull request is folded from, as the code host has it now. */
export async function outcomeFacts(
  host: CodeHost,
  call: CodeHostCall,
  { name, change, issues }: { name: string; change: ChangeRequestDetails; issues: readonly Issue[] },
): Promise<OutcomeFacts> {
  const { number, state, mergedAt, mergeCommit, baseBranch, closedAt } = change;
  const isMerged = state === 'merged' && mergedAt !== null && mergeCommit !== null;
  const revert = isMerged ? await host.findRevert(call, name, { number, baseBranch, mergeCommit, mergedAt }) : null;
  const commits = await host.changeRequestCommits(call, name, number);
  return {
    state,
    peopleCommits: peopleCommits(commits, issues),
    ...(state === 'merged' && { mergedAt }),
    ...(state === 'closed' && { closedAt }),
    ...(revert !== null && { revertedAt: revert.at }),
  };
}
