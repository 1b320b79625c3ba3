import type { Issue } from '@sluice/core/issue';
import type { Plan } from '@sluice/core/pipeline';
import { neutralCode, neutralProse, neutralQuote, splitUntrusted } from '@sluice/core/text';

const MOST_STEPS = 30; // a longer plan can be read in Sluice, where it was approved
const LINE = 1_000;
const PATH = 300;

/**
 * The request. Only the number of the imported issue may close it. Comments by people without write access are left out:
 * they are not instructions.
 */
export function askedSection(issue: Issue, defaultBranch: string): string[] {
  const { codehostNumber: number, baseBranch } = issue;
  if (number !== null) {
    return [
      baseBranch === defaultBranch ? `Closes #${number}` : `For #${number}`,
      '',
      ...neutralQuote(issue.title, LINE),
      '',
    ];
  }
  return ['## Request', '', ...neutralQuote(`${issue.title}\n\n${splitUntrusted(issue.body).trusted}`, 4_000), ''];
}

export function planSection(plan: Plan): string[] {
  const steps = plan.steps.slice(0, MOST_STEPS).flatMap((step, at) => [
    `${at + 1}. ${neutralProse(step.title, LINE)}: ${neutralProse(step.detail, LINE)}`,
    ...(step.files.length === 0
      ? []
      : [
          `   ${step.files
            .slice(0, MOST_STEPS)
            .map((path) => neutralCode(path, PATH))
            .join(', ')}`,
        ]),
  ]);
  const more = plan.steps.length - MOST_STEPS;
  return [
    `## Approved plan (revision ${plan.revision})`,
    '',
    ...neutralQuote(plan.summary, 2 * LINE),
    '',
    ...steps,
    ...(more > 0 ? [`${MOST_STEPS + 1}. and ${more} more`] : []),
    '',
    ...list('Acceptance criteria:', plan.acceptance_criteria),
    ...list('Risks:', plan.risks),
    `Test strategy: ${neutralProse(plan.test_strategy, LINE)}`,
    '',
  ];
}

function list(title: string, items: readonly string[]): string[] {
  if (items.length === 0) return [];
  return [title, '', ...items.slice(0, MOST_STEPS).map((item) => `- ${neutralProse(item, LINE)}`), ''];
}
