import * as z from 'zod';
import { findingSchema } from '../change/finding.ts';
import { testReportSchema } from '../pipeline/test-report.ts';

export const issueResultSchema = z.object({
  branch: z.string().nullable().describe('The pushed branch; null for an answered question.'),
  base_commit: z.string().describe('The commit that the work started from.'),
  head_commit: z.string().describe('The commit with the result; `base_commit` for an answered question.'),
  change_request_url: z.string().nullable().describe('The pull request; null without a code host.'),
  summary: z.string().describe('What was changed, for people.'),
  files_changed: z.int().describe('How many files differ from the base.'),
  additions: z.int().describe('Lines added.'),
  deletions: z.int().describe('Lines deleted.'),
  tests: testReportSchema.nullable().describe('The test result; null without a test command.'),
  findings: z
    .array(findingSchema)
    .default([])
    .describe('What the service found in the change: weakened tests, changed test commands, leftovers.'),
  answer: z
    .string()
    .nullable()
    .default(null)
    .describe('The answer to a question, in Markdown; null for a change. Nothing was changed for an answer.'),
});
export type IssueResult = z.infer<typeof issueResultSchema>;

export const issueErrorSchema = z.object({
  stage: z.string().nullable(),
  detail: z.string(),
});
export type IssueError = z.infer<typeof issueErrorSchema>;
