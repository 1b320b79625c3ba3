import * as z from 'zod';

/** A remark of a person, or of a review bot that the repository names, on a pull request: each gets one answer. */
export const reviewRemarkSchema = z.object({
  id: z.string().describe('The id of the comment or the review at the code host.'),
  thread: z
    .string()
    .nullable()
    .describe('The first comment of its thread on a line; null for the text of a review and in the conversation.'),
  path: z.string().nullable().describe('The file that it is about; null where it is about none.'),
  line: z.int().nullable().describe('The line; null where there is none, or it is no longer in the change.'),
  author: z.string().describe('Their login at the code host.'),
  url: z.string().describe('Where it stands at the code host.'),
  text: z.string().describe('The beginning of what it says.'),
});
export type ReviewRemark = z.infer<typeof reviewRemarkSchema>;

/** What an agent says became of a remark. */
const remarkOutcomes = ['done', 'declined', 'question'] as const;

export const remarkAnswerSchema = z.object({
  id: z.string().describe('The id of the remark.'),
  outcome: z.enum(remarkOutcomes),
  answer: z.string().describe('For its author: what was done, why it was not, or what you must know first.'),
});
export type RemarkAnswer = z.infer<typeof remarkAnswerSchema>;

/** The end of a remark: an agent's outcome, or the failure of the work on it. */
export const remarkEnds = [...remarkOutcomes, 'failed'] as const;
export type RemarkEnd = (typeof remarkEnds)[number];
