import { withoutHeadings } from '../codehost/untrusted-part.ts';
import type { ChangeRequest, HostedComment } from '../port/code-host.ts';

const TITLE_CHARACTERS = 120; // read in lists; an issue's title may have 200
const MAX_COMMENT_BYTES = 60 * 1_024; // an issue's body may have 64 KiB, and the words around the comment need some

export interface FollowUpText {
  readonly title: string;
  readonly body: string;
}

/**
 * A follow-up issue's text, made from the comment that asks for it: whose it is, where it stands and what it says, word
 * for word. Nothing else of the pull request is in it, because anybody may have written there.
 */
export function followUpText(
  comment: HostedComment,
  change: Pick<ChangeRequest, 'number' | 'headBranch'>,
): FollowUpText {
  const said = withoutHeadings(storable(comment.body)).trim();
  const { place } = comment;
  const at = place === null ? '' : ` on \`${plain(place.path)}${place.line === null ? '' : `:${place.line}`}\``;
  const head = [
    `A comment on pull request #${change.number} asks for more. The work goes on from its branch \`${plain(change.headBranch)}\`.`,
    `By @${plain(comment.author)}${at}: ${plain(comment.url)}`,
  ];
  return {
    title: titleOf(said) ?? `Follow up on pull request #${change.number}`,
    body: [...head, '---', shortened(said, comment.url)].join('\n\n'),
  };
}

/** The first line that says something; null where that is code, a picture or nothing. */
function titleOf(said: string): string | null {
  const first = said.split(/\r?\n/).find((line) => line.trim() !== '') ?? '';
  if (/^\s*(```|~~~|<|!\[)/.test(first)) return null;
  const words = oneLine(first.replace(/^[\s>#*+-]+/, '')).trim();
  if (!/[\p{L}\p{N}]/u.test(words)) return null;
  const characters = [...words];
  if (characters.length <= TITLE_CHARACTERS) return words;
  return `${characters
    .slice(0, TITLE_CHARACTERS - 1)
    .join('')
    .trimEnd()}…`;
}

/** Text that every store can keep: Postgres takes no NUL, and half of a surrogate pair comes back as something else. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

function oneLine(text: string): string {
  return storable(text).replace(/[\s\p{Cc}]+/gu, ' ');
}

/** Of a name: on one line, and without what would end the code span around it. */
function plain(name: string): string {
  return oneLine(name).replaceAll('`', "'");
}

function shortened(said: string, url: string): string {
  const bytes = new TextEncoder().encode(said);
  if (bytes.length <= MAX_COMMENT_BYTES) return said;
  // A character that was cut through decodes to U+FFFD.
  const kept = new TextDecoder().decode(bytes.subarray(0, MAX_COMMENT_BYTES)).replace(/\uFFFD+$/, '');
  return `${kept}\n\n(The comment is longer; the rest is left out here: ${plain(url)})`;
}
