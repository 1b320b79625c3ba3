import type { Issue, IssueStore } from '@sluice/core';

const WINDOW = 200;

/**
 * How often the stage that the issue is in has failed since it was last entered. Attempts are not failures: one that
 * a restart or a killed process cut off says nothing about the stage, and must not use up its retries. Read from the
 * newest event backwards, to where the stage was entered.
 */
export async function failuresSoFar(issues: IssueStore, issue: Issue): Promise<number> {
  const now = await issues.get(issue.id);
  let failures = 0;
  for (let end = now?.lastSeq ?? 0; end > 0; end -= WINDOW) {
    const after = Math.max(end - WINDOW, 0);
    const events = await issues.events(issue.id, { after, limit: end - after });
    for (const event of events.toReversed()) {
      if (event.type === 'stage.completed' || event.type === 'issue.status') return failures;
      if (event.type === 'stage.failed') failures += 1;
    }
  }
  return failures;
}
