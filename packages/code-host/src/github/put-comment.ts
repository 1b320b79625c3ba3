import { AppError, type CodeHostAccount } from '@sluice/core';
import { z } from 'zod';
import { PER_PAGE } from './filled-page.ts';
import { repoName, subjectNumber } from './host-address.ts';
import type { HostSession } from './host-session.ts';
import { hostAuthor, hostId, hostText } from './wire-values.ts';

const commentShape = z.object({ id: hostId, user: hostAuthor, body: hostText, html_url: z.string() });
type Comment = z.output<typeof commentShape>;

export interface PutComment {
  readonly number: number;
  readonly marker: string;
  readonly body: string;
  readonly beforeNew?: () => Promise<void>;
}

const PAGES = 30; // three thousand comments; among more than that ours is not looked for, and none is written

/** @param account whose comment it is: a marker that somebody else has copied is not ours */
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
  // Whoever has slept since he looked may have been taken for dead, and another one have written it.
  await comment.beforeNew?.();
  try {
    const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments';
    return written(
      (await host.ask({ route, parameters: { ...repo, issue_number: number, body }, shape: commentShape })).data,
    );
  } catch (error) {
    // The answer may be lost and the comment written.
    const made =
      error instanceof AppError && error.code === 'codehost_unavailable' ? await find().catch(() => null) : null;
    if (made === null) throw error;
    return written(made);
  }

  async function find(): Promise<Comment | null> {
    for (let at: number | null = 1; at !== null; ) {
      if (at > PAGES)
        throw new AppError('codehost_refused', { detail: 'There are too many comments to find ours among.' });
      const { data, next }: { data: Comment[]; next: number | null } = await host.ask({
        route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
        parameters: { ...repo, issue_number: number, per_page: PER_PAGE, page: at },
        shape: z.array(commentShape),
      });
      const ours = data.find(({ user, body }) => user?.id === to.account.id && body.startsWith(comment.marker));
      if (ours !== undefined) return ours;
      at = next === null ? null : at + 1;
    }
    return null;
  }

  async function replace(own: Comment): Promise<Comment> {
    const route = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}';
    return (await host.ask({ route, parameters: { ...repo, comment_id: Number(own.id), body }, shape: commentShape }))
      .data;
  }
}

/** The host keeps the line ends of a form, and leaves out white space at the end. */
function sameText(one: string, other: string): boolean {
  const plain = (text: string) => text.replaceAll('\r\n', '\n').trimEnd();
  return plain(one) === plain(other);
}
