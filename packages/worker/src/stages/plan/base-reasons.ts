import { BUILTIN_LABEL, listed, type Plan } from '@sluice/core/pipeline';
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
