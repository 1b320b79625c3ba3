import type { HostedComment, SubjectKind } from '@sluice/core/code-host';
import { z } from 'zod';
import { repoName, subjectNumber } from '../client/host-address.ts';
import type { HostSession } from '../client/host-session.ts';
import { newestPages } from '../client/newest-pages.ts';
import { commentSchema } from './comment-schema.ts';
import { quoteOf, readReviews } from './read-reviews.ts';
import { hostDate, loginOf } from './wire-values.ts';
import { type IsWriter, writersOf } from './writers.ts';

const issueCommentSchema = commentSchema.extend({ created_at: hostDate });

/**
 * The comments on a subject, oldest first, at most the newest five hundred of each kind. Reviews without a text are left
 * out, but their comments on lines are included.
 */
export async function readComments(
  host: HostSession,
  fullName: string,
  subject: { kind: SubjectKind; number: number },
): Promise<readonly HostedComment[]> {
  const repo = repoName(fullName);
  const number = subjectNumber(subject.number);
  const change = subject.kind === 'change_request';
  const page = `${host.address.web}/${fullName}/${change ? 'pull' : 'issues'}/${number}`;
  const hosted = hostedComments({ web: host.address.web, page, isWriter: writersOf(host, repo) });

  const general = await newestPages(
    host,
    {
      route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
      parameters: { ...repo, issue_number: number },
    },
    z.array(issueCommentSchema),
  );
  const found = general.map((comment) => hosted('issue', comment.created_at, comment));
  if (change) {
    const { reviews, lines } = await readReviews(host, repo, number);
    const stateOf = new Map(reviews.map(({ id, state }) => [id, state]));
    for (const one of reviews) {
      const review = { reviewId: `review-${one.id}`, reviewState: one.state };
      if (one.body.trim() !== '') found.push(hosted('review', one.submitted_at, one).then(within(review)));
    }
    for (const one of lines) {
      const place = { path: one.path, line: one.line ?? null, quote: quoteOf(one) };
      const review = one.pull_request_review_id ?? null;
      const reviewId = review === null ? null : `review-${review}`;
      const reviewState = review === null ? null : (stateOf.get(review) ?? null);
      const inReplyTo = one.in_reply_to_id == null ? null : `line-${one.in_reply_to_id}`;
      found.push(hosted('line', one.created_at, one).then(within({ reviewId, reviewState, place, inReplyTo })));
    }
  }
  return (await Promise.all(found)).sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
}

function hostedComments({ web, page, isWriter }: { web: string; page: string; isWriter: IsWriter }) {
  return async (kind: string, createdAt: Date, comment: z.output<typeof commentSchema>): Promise<HostedComment> => ({
    id: `${kind}-${comment.id}`,
    author: loginOf(comment.user),
    byWriter: await isWriter(comment.user, comment.author_association),
    byBot: comment.user?.type === 'Bot',
    body: comment.body,
    // A link to another site would be shown as the host's.
    url: comment.html_url.startsWith(`${web}/`) ? comment.html_url : page,
    createdAt,
    place: null,
    reviewId: null,
    reviewState: null,
    inReplyTo: null,
  });
}

type Within = Pick<HostedComment, 'reviewId' | 'reviewState'> & Partial<Pick<HostedComment, 'place' | 'inReplyTo'>>;

function within(review: Within) {
  return (comment: HostedComment): HostedComment => ({ ...comment, ...review });
}
