import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { type Edit, sendEdited } from '../terminal/edit-text.ts';
import { callerFolder } from '../terminal/environment.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';

const MAX_TITLE_LENGTH = 200; // the API's limit
const MAX_BYTES = 64 * 1024 + 1024; // the API's limit for a body, plus the title

export interface IssueDraft {
  readonly title: string;
  readonly body: string;
}

/** An issue to send as it is, or what the user's editor begins with. */
export type IssueText = { readonly draft: IssueDraft } | { readonly initial: IssueDraft };

/**
 * Reads an issue from a file, or from standard input for `-`. The first non-blank line (with or without a Markdown
 * heading mark) is the title unless one is given, and the rest is the body. If that line is too long for a title, it is
 * shortened there and kept in the body. Line endings become line feeds.
 *
 * @throws CommandError when the file cannot be read, is too long, or has no title
 */
export async function readIssueFile(file: string, givenTitle?: string): Promise<IssueDraft> {
  return parseIssue(await readContent(file), file, givenTitle);
}

/** Reads an issue from the text of `file`, which is only named in errors. */
export function parseIssue(text: string, file: string, givenTitle?: string): IssueDraft {
  const content = text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  if (givenTitle !== undefined) return { title: givenTitle, body: content.trim() };
  const [first = '', ...rest] = content.trimStart().split('\n');
  if (/^(```|~~~)/.test(first)) {
    throw new CommandError(exitCode.usage, `${file} begins with a code block: put a title above it, or pass --title.`);
  }
  const title = first.replace(/^#{1,6}(\s+|$)/, '').trim();
  if (title === '')
    throw new CommandError(exitCode.usage, `${file} is empty: its first line must be the issue's title.`);
  if (title.length <= MAX_TITLE_LENGTH) return { title, body: rest.join('\n').trim() };
  // Do not split a surrogate pair.
  const start = title.slice(0, MAX_TITLE_LENGTH - 1).replace(/[\ud800-\udbff]$/, '');
  return { title: `${start}…`, body: content.trim() };
}

/** Passes to `send` the issue that the user writes in their editor, beginning with `initial`. */
export async function sendEditedIssue<T>(
  edit: Pick<Edit, 'again' | 'message'> & { readonly initial: IssueDraft },
  send: (draft: IssueDraft) => Promise<T>,
): Promise<T> {
  const { initial, ...rest } = edit;
  const text = `${initial.title}\n\n${initial.body}`.trimEnd(); // without a title, its line is there to be filled in
  const hint = 'The first line is the title, the rest describes the issue.';
  return await sendEdited({ ...rest, initial: text, hint }, (written) => {
    // Else the first line of a template would become the title of the issue.
    if (initial.title === '' && initial.body !== '' && firstLine(written) === firstLine(initial.body))
      throw new CommandError(exitCode.usage, "The text has no title: write the issue's title above it.");
    return send(parseIssue(written, 'The text'));
  });
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}

async function readContent(file: string): Promise<string> {
  const stream = file === '-' ? process.stdin : createReadStream(resolve(callerFolder(), file));
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(Buffer.from(chunk as Uint8Array));
      bytes += (chunk as Uint8Array).byteLength;
      if (bytes > MAX_BYTES) break;
    }
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new CommandError(exitCode.usage, `There is no issue file ${file}.`);
    throw new CommandError(exitCode.usage, `The issue file ${file} cannot be read (${code}).`);
  }
  if (bytes > MAX_BYTES) {
    throw new CommandError(
      exitCode.usage,
      `The issue file ${file} is longer than 64 KiB, the limit for an issue. Shorten it.`,
    );
  }
  return Buffer.concat(chunks).toString('utf8');
}
