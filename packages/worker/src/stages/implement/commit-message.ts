import { type Issue, neutralPlain, type Plan } from '@sluice/core';

/**
 * The commit message: title, summary of the plan, and a trailer with the issue's id; always the same for one issue. Control
 * characters are removed, because `git log` passes them to the reader's terminal. At a code host the text mentions no user,
 * closes no issue and links to none.
 */
export function commitMessage(issue: Issue, plan: Plan): string {
  const title = issue.title.replace(/\s+/g, ' ');
  const parts = [title, plan.summary].map((text) => neutralPlain(text.replaceAll(/[^\P{Cc}\n\t]/gu, '').trim()));
  return [...parts, `Sluice-Issue: ${issue.id}`].filter((part) => part !== '').join('\n\n');
}
