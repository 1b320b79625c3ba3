import { listed, type Plan, plannedFiles } from '@sluice/core/pipeline';
import { visiblePath } from '@sluice/core/text';
import type { StageContext } from '../../stage/stage-context.ts';

const MOST_COMPARED = 50; // each is a patch that is read; who has more open pull requests knows that they overlap

/**
 * A sentence for each open pull request of ours in the same repository that changes files of the plan: whichever is merged
 * later has to be merged with the other. A hint, not an obstacle.
 */
export async function overlapReasons(
  { deps, execution }: StageContext<'codehostIndex' | 'runs'>,
  plan: Plan,
): Promise<string[]> {
  const { id, repoId, parentIssueId } = execution.issue();
  const planned = new Set(plannedFiles(plan));
  const changes = await deps.codehostIndex.openChanges(repoId);
  // A follow-up continues the pull request of its first issue.
  const own = changes.find(({ issueId }) => issueId === (parentIssueId ?? id))?.number;
  const overlaps = new Map<number, Set<string>>();
  for (const { issueId, number } of changes.slice(0, MOST_COMPARED)) {
    if (number === own) continue;
    const files = (await deps.runs.diff(issueId))?.files ?? [];
    const found = files.map(({ path }) => path).filter((path) => planned.has(path));
    if (found.length > 0) overlaps.set(number, new Set([...(overlaps.get(number) ?? []), ...found]));
  }
  return [...overlaps].map(
    ([number, paths]) => `Overlaps pull request #${number} (open): ${listed([...paths].map(visiblePath))}.`,
  );
}
