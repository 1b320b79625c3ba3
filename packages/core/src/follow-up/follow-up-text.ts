import type { ChangeRequest } from '../code-host/change-request.ts';
import type { HostedComment } from '../code-host/code-host.ts';
import { storableText } from '../text/storable-text.ts';
import { withoutHeadings } from '../text/untrusted-part.ts';
import type { FollowUpTrigger } from './follow-up-triggers.ts';

const TITLE_CHARACTERS = 120; // titles are shown in lists; the limit is 200
const MAX_COMMENT_BYTES = 60 * 1_024; // of the 64 KiB of an issue's body; the rest is for our own text
const QUOTED_LINES = 6; // enough to find the place when the line has moved
const QUOTED_CHARACTERS = 200; // a line of generated code can have a million

export interface FollowUpText {
  readonly title: string;
  readonly body: string;
}

/**
 * The text of a follow-up issue: the comments that triggered it, word for word, with their authors, places and the lines
 * of the change that they are about. It contains nothing else of the pull request, because anyone can write there.
 */
export function followUpText(
  { comments }: Pick<FollowUpTrigger, 'comments'>,
  change: Pick<ChangeRequest, 'number' | 'headBranch'>,
): FollowUpText {
  const [first, ...more] = comments;
  const what = more.length === 0 ? 'comment on' : 'review of';
  const at = more.length === 0 ? placeOf(first) : '';
  const head = [
    `A ${what} pull request #${change.number} requests more work. It continues on the branch \`${plain(change.headBranch)}\`.`,
    `By @${plain(first.author)}${at}: ${plain(first.url)}`,
  ];
  const parts = comments.map((comment) => (more.length === 0 ? [] : partHeading(comment)).concat(saidIn(comment)));
  const title = comments.map(({ body }) => titleOf(clean(body))).find((found) => found !== null);
  return {
    title: title ?? `Follow up on pull request #${change.number}`,
    body: [...head, '---', shortened(parts.map((part) => part.join('\n\n')).join('\n\n---\n\n'), first.url)].join(
      '\n\n',
    ),
  };
}

function partHeading(comment: HostedComment): string[] {
  return comment.place === null ? [] : [`Comment${placeOf(comment)}: ${plain(comment.url)}`];
}

function placeOf({ place }: HostedComment): string {
  return place === null ? '' : ` on \`${plain(place.path)}${place.line === null ? '' : `:${place.line}`}\``;
}

function saidIn({ place, body }: HostedComment): string[] {
  const quote = place?.quote ?? null;
  return quote === null ? [clean(body)] : [quoted(quote), clean(body)];
}

/** The last lines that a comment is about, as indented code, which no content can end. */
function quoted(lines: string): string {
  const shown = clean(lines).split('\n').slice(-QUOTED_LINES);
  return shown.map((line) => `>     ${cut(oneLine(line), QUOTED_CHARACTERS)}`.trimEnd()).join('\n');
}

function clean(text: string): string {
  return withoutHeadings(storableText(text)).trim();
}

/** The first line with text; null where that is code or a picture. */
function titleOf(text: string): string | null {
  const first = text.split(/\r?\n/).find((line) => line.trim() !== '') ?? '';
  if (/^\s*(```|~~~|<|!\[)/.test(first)) return null;
  const words = oneLine(first.replace(/^[\s>#*+-]+/, '')).trim();
  if (!/[\p{L}\p{N}]/u.test(words)) return null;
  return cut(words, TITLE_CHARACTERS);
}

function cut(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  return `${characters
    .slice(0, most - 1)
    .join('')
    .trimEnd()}…`;
}

function oneLine(text: string): string {
  return storableText(text).replace(/[\s\p{Cc}]+/gu, ' ');
}

/** A name for a code span: on one line, without backticks. */
function plain(name: string): string {
  return oneLine(name).replaceAll('`', "'");
}

function shortened(text: string, url: string): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= MAX_COMMENT_BYTES) return text;
  // A partial character decodes to U+FFFD.
  const kept = new TextDecoder().decode(bytes.subarray(0, MAX_COMMENT_BYTES)).replace(/\uFFFD+$/, '');
  return `${kept}\n\n(The rest is left out. Full text: ${plain(url)})`;
}
