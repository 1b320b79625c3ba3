import { type Issue, neutralPlain, type Plan } from '@sluice/core';

/**
 * The commit's message: title, the plan's summary, and a trailer that names the issue. The same every time. Without
 * control characters: `git log` hands them to the terminal of whoever reads it. Pushed to a code host it calls nobody, and
 * closes and refers to nothing.
 */
export function commitMessage(issue: Issue, plan: Plan): string {
  const title = issue.title.replace(/\s+/g, ' ');
  const parts = [title, plan.summary].map((text) => neutralPlain(text.replaceAll(/[^\P{Cc}\n\t]/gu, '').trim()));
  return [...parts, `Sluice-Issue: ${issue.id}`].filter((part) => part !== '').join('\n\n');
}
