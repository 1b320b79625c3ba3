import type { HostedComment, SubjectKind } from '@sluice/core';
import { z } from 'zod';
import { repoName, subjectNumber } from './host-address.ts';
import type { HostSession } from './host-session.ts';
import { newestPages } from './newest-pages.ts';
import { hostAuthor, hostDate, hostId, hostText, loginOf } from './wire-values.ts';
import { type IsWriter, writersOf } from './writers.ts';

const said = z.object({
  id: hostId,
  user: hostAuthor,
  author_association: z.string().optional(),
  body: hostText,
  html_url: z.string(),
});
const issueComment = said.extend({ created_at: hostDate });
/** One that is not submitted yet has no time, and is shown to its author alone. */
const review = said.extend({ submitted_at: hostDate.nullish(), state: z.string() });
const lineComment = said.extend({
  created_at: hostDate,
  path: z.string(),
  // Null where the line is not in the change any more: the old one would point at something else.
  line: z.number().int().nullish(),
});

/**
 * What people have said about a subject, oldest first: of each kind at most the newest five hundred. Reviews without a
 * text of their own are left out; what they say on lines is there.
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
    z.array(issueComment),
  );
  const found = general.map((comment) => hosted('issue', comment.created_at, comment));
  if (change) {
    const parameters = { ...repo, pull_number: number };
    const reviews = await newestPages(
      host,
      { route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews', parameters },
      z.array(review),
    );
    for (const one of reviews) {
      if (one.submitted_at && one.body.trim() !== '') found.push(hosted('review', one.submitted_at, one));
    }
    const lines = await newestPages(
      host,
      { route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}/comments', parameters },
      z.array(lineComment),
    );
    for (const one of lines) {
      const place = { path: one.path, line: one.line ?? null };
      found.push(hosted('line', one.created_at, one).then((comment) => ({ ...comment, place })));
    }
  }
  return (await Promise.all(found)).sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
}

function hostedComments({ web, page, isWriter }: { web: string; page: string; isWriter: IsWriter }) {
  return async (kind: string, createdAt: Date, comment: z.output<typeof said>): Promise<HostedComment> => ({
    id: `${kind}-${comment.id}`,
    author: loginOf(comment.user),
    byWriter: await isWriter(comment.user, comment.author_association),
    body: comment.body,
    // A link to elsewhere would be shown as the host's.
    url: comment.html_url.startsWith(`${web}/`) ? comment.html_url : page,
    createdAt,
    place: null,
  });
}
