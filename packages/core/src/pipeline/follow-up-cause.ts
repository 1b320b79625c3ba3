import * as z from 'zod';
import { type ReviewRemark, reviewRemarkSchema } from './review-remark.ts';

const commit = z.string().describe('The commit of the branch that it was found at.');
const round = z.int().min(1).describe('How many follow-ups of this kind the pull request has had, with this one.');

const remarks = z.array(reviewRemarkSchema).describe('What was said; each remark gets one answer.');

/**
 * Why a follow-up exists: what happened to the pull request that it continues. `comment`: a person wrote one. `review`: a
 * person, or a review bot that the repository names, submitted a review. `build`: the build at the code host failed.
 * `base`: the base branch has moved.
 */
export const followUpCauseSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('comment'),
    round: round.optional(),
    remarks: remarks.optional(),
  }),
  z.object({
    kind: z.literal('review'),
    review_id: z.string().describe('The id of the review at the code host.'),
    round,
    by_bot: z
      .boolean()
      .describe('Whether a review bot submitted it. Its rounds are counted apart from those of people.'),
    remarks,
  }),
  z.object({
    kind: z.literal('build'),
    head_commit: commit,
    round,
    jobs: z.array(z.string()).describe('The names of the failed jobs.'),
  }),
  z.object({
    kind: z.literal('base'),
    head_commit: commit,
    base_branch: z.string().describe('The branch that is merged into the branch of the pull request.'),
    base_commit: z.string().describe('The commit of the base branch that is merged.'),
  }),
]);
export type FollowUpCause = z.infer<typeof followUpCauseSchema>;

/**
 * The key of a cause in its repository, by which one cause makes one issue: of a build one for each head commit, whichever round it is. Null for a comment and a review: theirs are the
 * ids that the code host gave them.
 */
export function followUpKey(cause: FollowUpCause): string | null {
  if (cause.kind === 'build') return buildFollowUpKey(cause.head_commit);
  if (cause.kind === 'base') return `base-${cause.head_commit}-${cause.base_commit}`;
  return null;
}

/** The key of the follow-up of a build of that commit. */
export function buildFollowUpKey(headCommit: string): string {
  return `build-${headCommit}`;
}

/** The remarks that a follow-up is about, each of which gets an answer; none where it has another cause. */
export function remarksOf(cause: FollowUpCause | null): readonly ReviewRemark[] {
  return cause?.kind === 'comment' || cause?.kind === 'review' ? (cause.remarks ?? []) : [];
}
