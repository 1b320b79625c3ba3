import type { CodeHostAccount } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import { z } from 'zod';
import { PER_PAGE } from '../client/filled-page.ts';
import { repoName, subjectNumber } from '../client/host-address.ts';
import type { HostSession } from '../client/host-session.ts';
import { hostAuthor, hostId, hostText } from './wire-values.ts';

const textSchema = z.object({
  id: hostId,
  user: hostAuthor,
  body: hostText,
  html_url: z.string(),
  in_reply_to_id: hostId.nullish(),
});
type Text = z.output<typeof textSchema>;

/** The place and author of a text: a copy of the marker in another author's text does not count. */
export interface TextTarget {
  readonly fullName: string;
  readonly account: CodeHostAccount;
}

export interface PutComment {
  readonly number: number;
  readonly marker: string;
  readonly body: string;
}

export interface WrittenText {
  readonly id: string;
  readonly url: string;
}

/** A comment in the conversation. */
export async function putComment(host: HostSession, to: TextTarget, comment: PutComment): Promise<WrittenText> {
  const parameters = { ...repoName(to.fullName), issue_number: subjectNumber(comment.number) };
  return await putText(
    host,
    { ...to, ...comment },
    {
      parameters,
      list: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
      create: 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
      edit: 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
      isHere: () => true,
      kind: 'issue',
      page: `${host.address.web}/${to.fullName}/issues/${comment.number}`,
    },
  );
}

/** An answer in the thread of a comment on a line. Answers all refer to the first comment of their thread. */
export async function replyToComment(
  host: HostSession,
  to: TextTarget,
  reply: PutComment & { readonly commentId: string },
): Promise<WrittenText> {
  const repo = repoName(to.fullName);
  const [, id] = /^line-([1-9]\d{0,18})$/.exec(reply.commentId) ?? [];
  if (id === undefined) throw new AppError('codehost_not_found');
  const { data: answered } = await host.send({
    route: 'GET /repos/{owner}/{repo}/pulls/comments/{comment_id}',
    parameters: { ...repo, comment_id: Number(id) },
    schema: textSchema,
  });
  const first = answered.in_reply_to_id ?? answered.id;
  return await putText(
    host,
    { ...to, ...reply },
    {
      parameters: { ...repo, pull_number: subjectNumber(reply.number), comment_id: Number(first) },
      list: 'GET /repos/{owner}/{repo}/pulls/{pull_number}/comments',
      create: 'POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies',
      edit: 'PATCH /repos/{owner}/{repo}/pulls/comments/{comment_id}',
      isHere: ({ in_reply_to_id: within }) => within === first,
      kind: 'line',
      page: `${host.address.web}/${to.fullName}/pull/${reply.number}`,
    },
  );
}

const PAGES = 30; // three thousand comments; with more, the own one is not searched for and none is written

/** The routes of one kind of text. */
interface TextPlace {
  readonly parameters: Readonly<Record<string, string | number>>;
  readonly list: string;
  readonly create: string;
  readonly edit: string;
  readonly isHere: (text: Text) => boolean;
  readonly kind: 'issue' | 'line';
  /** The page to show when the host's link leads elsewhere. */
  readonly page: string;
}

async function putText(
  host: HostSession,
  text: Pick<TextTarget, 'account'> & Pick<PutComment, 'marker' | 'body'>,
  { parameters, ...place }: TextPlace,
): Promise<WrittenText> {
  const { account, marker } = text;
  const body = text.body.startsWith(marker) ? text.body : `${marker}\n${text.body}`;
  const written = ({ id, html_url }: Text): WrittenText => ({
    id: `${place.kind}-${id}`,
    url: html_url.startsWith(`${host.address.web}/`) ? html_url : place.page,
  });

  const own = await find();
  if (own !== null) return written(sameText(own.body, body) ? own : await replace(own));
  try {
    const made = await host.send({ route: place.create, parameters: { ...parameters, body }, schema: textSchema });
    return written(made.data);
  } catch (error) {
    // The text may have been written although the response was lost.
    const made =
      error instanceof AppError && error.code === 'codehost_unavailable' ? await find().catch(() => null) : null;
    if (made === null) throw error;
    return written(made);
  }

  async function find(): Promise<Text | null> {
    const { comment_id: _, ...listed } = parameters;
    for (let at: number | null = 1; at !== null; ) {
      if (at > PAGES)
        throw new AppError('codehost_refused', {
          detail: 'There are too many comments to search for the one that Sluice wrote.',
        });
      const { data, next }: { data: Text[]; next: number | null } = await host.send({
        route: place.list,
        parameters: { ...listed, per_page: PER_PAGE, page: at },
        schema: z.array(textSchema),
      });
      const found = data.find((one) => one.user?.id === account.id && one.body.startsWith(marker) && place.isHere(one));
      if (found !== undefined) return found;
      at = next === null ? null : at + 1;
    }
    return null;
  }

  async function replace(own: Text): Promise<Text> {
    const { owner, repo } = parameters;
    const comment = { owner, repo, comment_id: Number(own.id) };
    return (await host.send({ route: place.edit, parameters: { ...comment, body }, schema: textSchema })).data;
  }
}

/** The host normalizes line endings and removes white space at the end. */
function sameText(one: string, other: string): boolean {
  const plain = (text: string) => text.replaceAll('\r\n', '\n').trimEnd();
  return plain(one) === plain(other);
}
