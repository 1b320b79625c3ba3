import type { HostedCommit } from '@sluice/core/code-host';
import type { Issue } from '@sluice/core/issue';

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
