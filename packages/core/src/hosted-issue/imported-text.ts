import type { HostedComment, HostedIssue } from '../code-host/code-host.ts';
import { hasMarker } from '../code-host/issue-marker.ts';
import { issueBounds } from '../issue/issue-bounds.ts';
import { storableText } from '../text/storable-text.ts';
import { quotedLines, UNTRUSTED_HEADING, withoutHeadings, writersHeading } from '../text/untrusted-part.ts';

export interface ImportedText {
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
}

const CLOSING_BYTES = 400; // reserved for the closing sentence with its URL
const MISSING_SHOWN = 3; // the reason is mostly the same
const MIN_BYTES = 200; // a shorter piece of a comment is not worth its heading

/** A part of the body: our heading, and the author's text, which may be cut. */
interface Part {
  readonly head: string;
  readonly text: string;
  readonly isComment: boolean;
}

/**
 * Renders an issue of the code host as the text of a Sluice issue: its body, then comments by people with write access,
 * then all others, quoted line by line below a heading that marks them as untrusted. Text that looks like one of our
 * headings is escaped, so that no author can pass for another. Our own comments are left out. Pictures that could not be
 * fetched are named after the body. Text over the limit is cut
 * at the end, with a link to the rest.
 */
export function importedText(
  issue: HostedIssue,
  comments: readonly HostedComment[],
  missingPictures: readonly string[] = [],
): ImportedText {
  const others = comments.filter(({ body }) => body.trim() !== '' && !hasMarker(body));
  const untrusted = others.filter(({ byWriter }) => !byWriter);
  const title = titleOf(issue);
  return {
    title: title.short,
    body: bounded(
      [
        { head: opening(issue, title.left), text: withoutHeadings(storableText(issue.body)), isComment: false },
        ...(missingPictures.length === 0 ? [] : [missingPart(missingPictures)]),
        ...others.filter(({ byWriter }) => byWriter).map(writersPart),
        ...untrusted.map((comment, index) => untrustedPart(comment, index === 0)),
      ],
      issue.url,
    ),
    labels: issue.labels
      .map((label) => cut(inLine(label), issueBounds.labelCharacters))
      .filter((label) => label !== '')
      .slice(0, issueBounds.labels),
  };
}

function titleOf({ title, number }: HostedIssue): { short: string; left: string | null } {
  const line = inLine(title);
  if (line === '') return { short: `Issue #${number}`, left: null };
  const short = cut(line, issueBounds.titleCharacters);
  return { short, left: short === line ? null : line };
}

function opening({ author, byWriter }: HostedIssue, wholeTitle: string | null): string {
  return [
    ...(wholeTitle === null ? [] : [`Full title: ${wholeTitle}`]),
    ...(byWriter ? [] : [`Reported by @${inLine(author)}, who has no write access to the repository.`]),
  ].join('\n\n');
}

function missingPart(missing: readonly string[]): Part {
  const shown = missing.slice(0, MISSING_SHOWN).map(inLine);
  const others = missing.length - shown.length;
  const more = others === 0 ? [] : [`And ${others} more.`];
  return { head: `(Not fetched from the code host: ${[...shown, ...more].join(' ')})`, text: '', isComment: false };
}

function writersPart({ author, createdAt, body }: HostedComment): Part {
  return {
    head: writersHeading(inLine(author), createdAt),
    text: withoutHeadings(storableText(body).trim()),
    isComment: true,
  };
}

function untrustedPart({ author, createdAt, body }: HostedComment, isFirst: boolean): Part {
  const text = `@${inLine(author)} wrote on ${createdAt.toISOString().slice(0, 10)}:`;
  return { head: isFirst ? `${UNTRUSTED_HEADING}\n\n${text}` : text, text: quotedLines(body), isComment: true };
}

function bounded(parts: readonly Part[], url: string): string {
  const whole = joined(parts.flatMap(({ head, text }) => [head, text]));
  if (bytesOf(whole) <= issueBounds.bodyBytes) return whole;
  const kept: string[] = [];
  let room = issueBounds.bodyBytes - CLOSING_BYTES;
  let comments = 0;
  for (const { head, text, isComment } of parts) {
    const size = bytesOf(joined([head, text])) + 2;
    if (size > room) {
      if (room - bytesOf(head) - 2 >= MIN_BYTES) {
        kept.push(head, cutBytes(text, room - bytesOf(head) - 4));
        comments += isComment ? 1 : 0;
      }
      break;
    }
    kept.push(head, text);
    comments += isComment ? 1 : 0;
    room -= size;
  }
  const left = parts.filter(({ isComment }) => isComment).length - comments;
  const more = left === 0 ? '' : ` ${left} ${left === 1 ? 'comment is' : 'comments are'} left out.`;
  const limit = issueBounds.bodyBytes / 1_024;
  return joined([
    ...kept,
    `(Cut here, because an issue holds at most ${limit} KiB.${more} Full text: ${cut(inLine(url), 200)})`,
  ]);
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Cuts at a number of UTF-8 bytes, between two characters. */
function cutBytes(text: string, bytes: number): string {
  const kept = new Uint8Array(Math.max(0, bytes));
  const { read } = new TextEncoder().encodeInto(text, kept);
  return text.slice(0, read);
}

function inLine(text: string): string {
  return storableText(text)
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
}

function cut(text: string, characters: number): string {
  const all = [...text];
  return all.length <= characters ? text : `${all.slice(0, characters - 1).join('')}…`;
}
