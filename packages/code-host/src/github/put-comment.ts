import { AppError, type CodeHostAccount } from '@sluice/core';
import { z } from 'zod';
import { PER_PAGE } from '../client/filled-page.ts';
import { repoName, subjectNumber } from '../client/host-address.ts';
import type { HostSession } from '../client/host-session.ts';
import { hostAuthor, hostId, hostText } from './wire-values.ts';

const ownCommentSchema = z.object({ id: hostId, user: hostAuthor, body: hostText, html_url: z.string() });
type Comment = z.output<typeof ownCommentSchema>;

export interface PutComment {
  readonly number: number;
  readonly marker: string;
  readonly body: string;
}

const PAGES = 30; // three thousand comments; with more, the own comment is not searched for and none is written

/** @param to.account the author: a copy of the marker in another author's comment does not count */
export async function putComment(
  host: HostSession,
  to: { readonly fullName: string; readonly account: CodeHostAccount },
  comment: PutComment,
): Promise<{ readonly id: string; readonly url: string }> {
  const repo = repoName(to.fullName);
  const number = subjectNumber(comment.number);
  const body = comment.body.startsWith(comment.marker) ? comment.body : `${comment.marker}\n${comment.body}`;
  const page = `${host.address.web}/${to.fullName}/issues/${number}`;
  const written = ({ id, html_url }: Comment) => ({
    id: `issue-${id}`,
    url: html_url.startsWith(`${host.address.web}/`) ? html_url : page,
  });

  const own = await find();
  if (own !== null) return written(sameText(own.body, body) ? own : await replace(own));
  try {
    const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments';
    return written(
      (await host.send({ route, parameters: { ...repo, issue_number: number, body }, schema: ownCommentSchema })).data,
    );
  } catch (error) {
    // The comment may have been written although the response was lost.
    const made =
      error instanceof AppError && error.code === 'codehost_unavailable' ? await find().catch(() => null) : null;
    if (made === null) throw error;
    return written(made);
  }

  async function find(): Promise<Comment | null> {
    for (let at: number | null = 1; at !== null; ) {
      if (at > PAGES)
        throw new AppError('codehost_refused', {
          detail: 'There are too many comments to search for the one that Sluice wrote.',
        });
      const { data, next }: { data: Comment[]; next: number | null } = await host.send({
        route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
        parameters: { ...repo, issue_number: number, per_page: PER_PAGE, page: at },
        schema: z.array(ownCommentSchema),
      });
      const found = data.find(({ user, body }) => user?.id === to.account.id && body.startsWith(comment.marker));
      if (found !== undefined) return found;
      at = next === null ? null : at + 1;
    }
    return null;
  }

  async function replace(own: Comment): Promise<Comment> {
    const route = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}';
    return (
      await host.send({ route, parameters: { ...repo, comment_id: Number(own.id), body }, schema: ownCommentSchema })
    ).data;
  }
}

/** The host normalizes line endings and removes white space at the end. */
function sameText(one: string, other: string): boolean {
  const plain = (text: string) => text.replaceAll('\r\n', '\n').trimEnd();
  return plain(one) === plain(other);
}
