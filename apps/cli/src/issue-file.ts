import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { callerFolder } from './config.ts';
import { CommandError, exitCode } from './exit-code.ts';

const TITLE_LENGTH = 200; // the contract's limit

/**
 * An issue from a file, or from standard input with `-`: the first line (a Markdown heading or not) is its title
 * unless one is given, the rest its body.
 */
export async function readIssueFile(file: string, givenTitle?: string): Promise<{ title: string; body: string }> {
  const content = await readContent(file);
  if (givenTitle !== undefined) return { title: givenTitle, body: content };
  const lines = content.split('\n');
  const first = lines.findIndex((line) => line.trim() !== '');
  const title = (lines[first] ?? '').replace(/^#+\s*/, '').trim();
  if (title === '') throw new CommandError(exitCode.usage, `${file} is empty: its first line is the issue's title.`);
  if (title.length <= TITLE_LENGTH)
    return {
      title,
      body: lines
        .slice(first + 1)
        .join('\n')
        .trim(),
    };
  // A first line that is a paragraph is kept whole in the body, and shortened for the title.
  return { title: `${title.slice(0, TITLE_LENGTH - 1)}…`, body: content.trim() };
}

async function readContent(file: string): Promise<string> {
  if (file === '-') return await text(process.stdin);
  try {
    return await readFile(resolve(callerFolder(), file), 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new CommandError(exitCode.usage, `The issue file ${file} cannot be read (${code ?? 'unknown reason'}).`);
  }
}
