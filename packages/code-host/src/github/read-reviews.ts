import { reviewStates } from '@sluice/core/code-host';
import { z } from 'zod';
import type { RepoName } from '../client/host-address.ts';
import type { HostSession } from '../client/host-session.ts';
import { newestPages } from '../client/newest-pages.ts';
import { commentSchema } from './comment-schema.ts';
import { hostDate, hostId } from './wire-values.ts';

/** Null for a state that is not known. */
const reviewState = z
  .string()
  .transform((state) => reviewStates.find((known) => known === state.toLowerCase()) ?? null);
/** A pending review has no time, and is visible only to its author. */
const reviewSchema = commentSchema.extend({ submitted_at: hostDate.nullish(), state: reviewState });
const lineCommentSchema = commentSchema.extend({
  created_at: hostDate,
  path: z.string(),
  // Null when the line is no longer part of the change: the old number would point to another line.
  line: z.number().int().nullish(),
  diff_hunk: z.string().nullish(),
  pull_request_review_id: hostId.nullish(),
  in_reply_to_id: hostId.nullish(),
});

type LineComment = z.output<typeof lineCommentSchema>;
type SubmittedReview = z.output<typeof reviewSchema> & { readonly submitted_at: Date };

export interface ReadReviews {
  readonly reviews: readonly SubmittedReview[];
  readonly lines: readonly LineComment[];
}

/**
 * The submitted reviews of a pull request with their comments on lines. The host returns two lists, and a review may be
 * submitted between the two requests: then the texts are read again, so that no review has comments but no text. A review
 * submitted after the comments were read is left to the next sync.
 */
export async function readReviews(host: HostSession, repo: RepoName, number: number): Promise<ReadReviews> {
  const parameters = { ...repo, pull_number: number };
  const route = (list: 'reviews' | 'comments') => `GET /repos/{owner}/{repo}/pulls/{pull_number}/${list}`;
  const readTexts = () => newestPages(host, { route: route('reviews'), parameters }, z.array(reviewSchema));

  const before = await readTexts();
  const read = await newestPages(host, { route: route('comments'), parameters }, z.array(lineCommentSchema));
  const known = new Set(before.filter(isSubmitted).map(({ id }) => id));
  const late = new Set(read.flatMap(({ pull_request_review_id: id }) => (id == null || known.has(id) ? [] : [id])));
  const after = late.size === 0 ? [] : (await readTexts()).filter(({ id }) => late.has(id));
  const drafts = new Set([...before, ...after].filter((one) => !isSubmitted(one)).map(({ id }) => id));
  for (const { id } of after.filter(isSubmitted)) drafts.delete(id);
  return {
    reviews: [...before, ...after].filter(isSubmitted),
    lines: read.filter(({ pull_request_review_id: id }) => id == null || !drafts.has(id)),
  };
}

function isSubmitted<T extends { readonly submitted_at?: Date | null | undefined }>(
  review: T,
): review is T & { readonly submitted_at: Date } {
  return review.submitted_at != null;
}

const HUNK_HEAD = /^@@[^\n]*(\n|$)/;

/** The lines of the change up to the commented one, each with its sign; null if the host returns none. */
export function quoteOf({ diff_hunk: hunk }: LineComment): string | null {
  const lines = (hunk ?? '').replace(HUNK_HEAD, '').trimEnd();
  return lines === '' ? null : lines;
}
