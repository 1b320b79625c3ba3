import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { callerFolder } from '../terminal/environment.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';

const TITLE_LENGTH = 200; // the contract's limit
const LONGEST_BYTES = 64 * 1024 + 1024; // the contract's limit of a body, and a title

/**
 * An issue from a file, or from standard input with `-`: the first line that is not blank (a Markdown heading or not)
 * is its title unless one is given, the rest its body. A first line that is a whole paragraph is kept in the body,
 * and shortened for the title. Line ends become line feeds.
 *
 * @throws CommandError when it cannot be read, is too long, or has no title
 */
export async function readIssueFile(file: string, givenTitle?: string): Promise<{ title: string; body: string }> {
  const content = (await readContent(file)).replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  if (givenTitle !== undefined) return { title: givenTitle, body: content.trim() };
  const [first = '', ...rest] = content.trimStart().split('\n');
  if (/^(```|~~~)/.test(first)) {
    throw new CommandError(exitCode.usage, `${file} begins with a code block: put a title above it, or give --title.`);
  }
  const title = first.replace(/^#{1,6}(\s+|$)/, '').trim();
  if (title === '') throw new CommandError(exitCode.usage, `${file} is empty: its first line is the issue's title.`);
  if (title.length <= TITLE_LENGTH) return { title, body: rest.join('\n').trim() };
  // Never half of a character that takes two units.
  const start = title.slice(0, TITLE_LENGTH - 1).replace(/[\ud800-\udbff]$/, '');
  return { title: `${start}…`, body: content.trim() };
}

async function readContent(file: string): Promise<string> {
  const stream = file === '-' ? process.stdin : createReadStream(resolve(callerFolder(), file));
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(Buffer.from(chunk as Uint8Array));
      bytes += (chunk as Uint8Array).byteLength;
      if (bytes > LONGEST_BYTES) break;
    }
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new CommandError(exitCode.usage, `There is no issue file ${file}.`);
    throw new CommandError(exitCode.usage, `The issue file ${file} cannot be read (${code}).`);
  }
  if (bytes > LONGEST_BYTES) {
    throw new CommandError(exitCode.usage, `The issue file ${file} is longer than the 64 KiB that an issue can hold.`);
  }
  return Buffer.concat(chunks).toString('utf8');
}
