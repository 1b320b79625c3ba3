import { issueWire, listedFieldsWire, type SummarizedIssue, toListedFields } from '@sluice/core/issue';
import * as z from 'zod';

const { branch, change_request_url, tests } = issueWire.shape.result.unwrap().shape;

/** An issue in a list without its texts: a body and a plan can have 64 KiB each. */
export const issueSummaryWire = listedFieldsWire.extend({
  branch: branch.describe('The pushed branch; null before that, and for an answered question.'),
  change_request_url: change_request_url.describe('The pull request; null without one.'),
  verdict: tests.unwrap().shape.verdict.nullable().describe('The verdict of the tests; null before or without them.'),
  form: z.literal('summary').describe('`summary`: the texts of the issue are left out. A whole issue says `full`.'),
});

/** An issue as a list has it with `fields=summary`. */
type IssueSummary = z.infer<typeof issueSummaryWire>;

export function toIssueSummaryWire(issue: SummarizedIssue): IssueSummary {
  const { result } = issue;
  return {
    ...toListedFields(issue),
    branch: result?.branch ?? null,
    change_request_url: result?.change_request_url ?? null,
    verdict: result?.tests?.verdict ?? null,
    form: 'summary',
  };
}
