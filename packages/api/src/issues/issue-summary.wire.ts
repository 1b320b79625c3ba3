import { issueWire, type ListedIssue, toIssueWire } from '@sluice/core/issue';
import * as z from 'zod';

const { result } = issueWire.shape;
const { branch, change_request_url, tests } = result.unwrap().shape;

/** An issue in a list without its texts: a body and a plan can have 64 KiB each. */
export const issueSummaryWire = issueWire
  .omit({
    body: true,
    plan: true,
    gate: true,
    result: true,
    error: true,
    triage: true,
    commands: true,
    budget: true,
    follow_up: true,
  })
  .extend({
    branch: branch.describe('The pushed branch; null before that, and for an answered question.'),
    change_request_url: change_request_url.describe('The pull request; null without one.'),
    verdict: tests.unwrap().shape.verdict.nullable().describe('The verdict of the tests; null before or without them.'),
    form: z.literal('summary').describe('`summary`: the texts of the issue are left out. A whole issue says `full`.'),
  });

/** An issue as a list has it with `fields=summary`. */
type IssueSummary = z.infer<typeof issueSummaryWire>;

export function toIssueSummaryWire(issue: Omit<ListedIssue, 'body' | 'plan'>): IssueSummary {
  const whole = toIssueWire({ ...issue, body: '', plan: null });
  const { body, plan, gate, error, triage, commands, budget, follow_up, result: found, ...rest } = whole;
  return {
    ...rest,
    branch: found?.branch ?? null,
    change_request_url: found?.change_request_url ?? null,
    verdict: found?.tests?.verdict ?? null,
    form: 'summary',
  };
}
