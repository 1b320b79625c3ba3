import { z } from 'zod';
import { hostAuthor, hostDate, hostNumber, hostText } from './wire-values.ts';

const label = z.union([z.string(), z.object({ name: hostText }).transform(({ name }) => name)]);

export const issueSchema = z.object({
  number: hostNumber,
  title: z.string(),
  body: hostText,
  labels: z.array(label),
  user: hostAuthor,
  author_association: z.string().optional(),
  state: z.string(),
  updated_at: hostDate,
  /** Present only for pull requests. */
  pull_request: z.unknown().optional(),
});
export type Issue = z.output<typeof issueSchema>;

export const isIssue = (issue: Issue) => issue.pull_request === undefined || issue.pull_request === null;
