import { z } from 'zod';
import type { RepoName } from './host-address.ts';
import type { HostSession } from './host-session.ts';
import { newestPages } from './newest-pages.ts';
import { saidShape } from './said-shape.ts';
import { hostDate, hostId } from './wire-values.ts';

/** One that is not submitted yet has no time, and is shown to its author alone. */
const reviewShape = saidShape.extend({ submitted_at: hostDate.nullish() });
const lineShape = saidShape.extend({
  created_at: hostDate,
  path: z.string(),
  // Null where the line is not in the change any more: the old one would point at something else.
  line: z.number().int().nullish(),
  diff_hunk: z.string().nullish(),
  pull_request_review_id: hostId.nullish(),
});

type LineComment = z.output<typeof lineShape>;
type SubmittedReview = z.output<typeof reviewShape> & { readonly submitted_at: Date };

export interface ReadReviews {
  readonly reviews: readonly SubmittedReview[];
  readonly lines: readonly LineComment[];
}

/**
 * The submitted reviews of a pull request and what they say on lines. The host gives them in two lists, and a review may
 * be submitted between the two: then its text is read once more, so that none comes with its comments and without its
 * text. One that was submitted after its comments could be read is left to the next look.
 */
export async function readReviews(host: HostSession, repo: RepoName, number: number): Promise<ReadReviews> {
  const parameters = { ...repo, pull_number: number };
  const route = (list: 'reviews' | 'comments') => `GET /repos/{owner}/{repo}/pulls/{pull_number}/${list}`;
  const readTexts = () => newestPages(host, { route: route('reviews'), parameters }, z.array(reviewShape));

  const before = await readTexts();
  const read = await newestPages(host, { route: route('comments'), parameters }, z.array(lineShape));
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

/** The lines of the change up to the one that a comment stands at, each behind its sign; null where none are told. */
export function quoteOf({ diff_hunk: hunk }: LineComment): string | null {
  const lines = (hunk ?? '').replace(HUNK_HEAD, '').trimEnd();
  return lines === '' ? null : lines;
}
