import { BUILTIN_LABEL, listed, type Plan, plannedFiles } from '@sluice/core/pipeline';
import { visiblePath } from '@sluice/core/text';
import type { StageContext } from '../../stage/stage-context.ts';
import { renderLimit } from '../test-base.ts';
import { failuresToFix } from '../tests-to-fix.ts';
import { hiddenFailures } from '../verdict/hidden-failures.ts';

const NAMED_TESTS = 5; // enough to recognize them; the log has the output

/**
 * The facts about the tests at the base that an approver should know: a change is judged by comparison with them.
 *
 * @param madeBy the models that made the plan: that of the built-in model is judged more strictly
 */
export function baseReasons(
  { execution, repo }: StageContext<never>,
  { plan, madeBy }: { readonly plan: Plan; readonly madeBy: readonly string[] },
): string[] {
  const issue = execution.issue();
  const base = issue.pipeline.prepared?.base_test ?? null;
  if (base === null || base.exit_code === 0) return [];
  const names = base.failing.length === 0 ? '' : `: ${listed(base.failing, NAMED_TESTS)}`;
  const what = `The tests fail at the base already, before any change${names}${renderLimit(base.ended_by)}.`;
  const hidden = hiddenFailures(base);
  const hides = hidden === null ? '' : ` ${hidden} No change passes until that is fixed.`;
  const isJudgedByName = base.failing.length > 0 && madeBy.some((label) => label !== BUILTIN_LABEL);
  if (isJudgedByName) {
    return [`${what} ${RULE}${named(failuresToFix({ ...issue, plan }, base.failing))}${hides}`];
  }
  if (repo.settings.allow_red_base) return [`${what}${hides}`];
  return [`${what} A change passes only if they all pass with it (\`settings.allow_red_base\` is off).`];
}

const RULE =
  'A change passes if no other test fails with it, unless the issue, the plan or a review names one of them as what is to be fixed: then that one must pass.';

function named(names: readonly string[]): string {
  return names.length === 0 ? '' : ` Named so far: ${listed(names, NAMED_TESTS)}.`;
}

const MAX_COMPARED = 50; // each is a patch that is read; who has more open pull requests knows that they overlap

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
  for (const { issueId, number } of changes.slice(0, MAX_COMPARED)) {
    if (number === own) continue;
    const files = (await deps.runs.diff(issueId))?.files ?? [];
    const found = files.map(({ path }) => path).filter((path) => planned.has(path));
    if (found.length > 0) overlaps.set(number, new Set([...(overlaps.get(number) ?? []), ...found]));
  }
  return [...overlaps].map(
    ([number, paths]) => `Overlaps pull request #${number} (open): ${listed([...paths].map(visiblePath))}.`,
  );
}
