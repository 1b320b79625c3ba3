import type { Issue } from '@sluice/core/issue';
import { namedTests } from './verdict/named-tests.ts';

type Asking = Pick<Issue, 'title' | 'body' | 'plan'>;

/** The texts by which people and the planner say which failing tests are to be fixed. */
function fixTexts({ title, body, plan }: Asking): string[] {
  if (plan === null) return [title, body];
  return [
    title,
    body,
    plan.summary,
    ...plan.steps.flatMap((step) => [step.title, step.detail]),
    ...plan.acceptance_criteria,
    plan.test_strategy,
    plan.guidance ?? '',
  ];
}

/** The tests that failed at the base and that the issue, its plan or the guidance of a person wants fixed. */
export function failuresToFix(asking: Asking, atBase: readonly string[]): string[] {
  return namedTests(atBase, fixTexts(asking), [asking.title, asking.body, asking.plan?.guidance ?? '']);
}

/** The failing tests that the issue, its plan, the guidance of a person or a review names as what is to be fixed. */
export function testsToFix(issue: Issue, failing: readonly string[]): string[] {
  const { prepared, testing } = issue.pipeline;
  // Whoever asks for all tests means those that fail already.
  const mustPass = [...failuresToFix(issue, prepared?.base_test?.failing ?? []), ...testing.must_pass];
  const named = namedTests(failing, fixTexts(issue), []);
  return failing.filter((name) => named.includes(name) || mustPass.includes(name));
}
