import type { Issue, Plan } from '@sluice/core';

/** The commit's message: title, the plan's summary, and a trailer that names the issue. The same every time. */
export function commitMessage(issue: Issue, plan: Plan): string {
  const title = issue.title.replace(/\s+/g, ' ').trim();
  return [title, plan.summary.trim(), `Sluice-Issue: ${issue.id}`].filter((part) => part !== '').join('\n\n');
}
