import { type Issue, namedTests } from '@sluice/core';

/** The texts by which people and the planner say which failing tests are to be fixed. */
export function fixTexts({ title, body, plan }: Pick<Issue, 'title' | 'body' | 'plan'>): string[] {
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

/** The failing tests that the issue, its plan, the guidance of a person or a review names as what is to be fixed. */
export function testsToFix(issue: Issue, failing: readonly string[]): string[] {
  const { must_pass } = issue.pipeline.testing;
  return [...new Set([...namedTests(failing, fixTexts(issue)), ...failing.filter((name) => must_pass.includes(name))])];
}
