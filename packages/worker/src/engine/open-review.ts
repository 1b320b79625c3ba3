import type { IssueRun } from '../execution/issue-execution.ts';

/**
 * The second of the two writes that open the review: the plan is stored, now a person may decide it. A worker that
 * dies between the two leaves the issue in `human_review`, and the next one that claims it does only this.
 */
export async function openReview(run: IssueRun): Promise<void> {
  await run.apply({ trigger: 'review_opened', events: [] });
}
