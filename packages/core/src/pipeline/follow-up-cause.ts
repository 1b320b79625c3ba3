import * as z from 'zod';

const commit = z.string().describe('The commit of the branch that it was found at.');
const round = z.int().min(1).describe('How many follow-ups of this kind the pull request has had, with this one.');

/**
 * Why a follow-up exists: what happened to the pull request that it continues. `comment`: a person wrote one. `review`: a
 * person, or a review bot that the repository names, submitted a review. `build`: the build at the code host failed.
 * `base`: the base branch has moved.
 */
export const followUpCauseSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('comment') }),
  z.object({
    kind: z.literal('review'),
    review_id: z.string().describe('The id of the review at the code host.'),
    round,
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
