import * as z from 'zod';
import { testReportSchema } from '../pipeline/test-report.ts';

export const issueResultSchema = z.object({
  branch: z.string(),
  base_commit: z.string(),
  head_commit: z.string(),
  change_request_url: z.string().nullable(),
  summary: z.string(),
  files_changed: z.int(),
  additions: z.int(),
  deletions: z.int(),
  tests: testReportSchema.nullable(),
});
export type IssueResult = z.infer<typeof issueResultSchema>;

export const issueErrorSchema = z.object({
  stage: z.string().nullable(),
  detail: z.string(),
});
export type IssueError = z.infer<typeof issueErrorSchema>;
