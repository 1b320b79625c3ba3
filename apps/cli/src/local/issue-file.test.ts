import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CommandError, exitCode } from '../terminal/exit-code.ts';
import { readIssueFile } from './issue-file.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice issue '));
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(content: string): string {
  const file = join(folder, 'bug.md');
  writeFileSync(file, content);
  return file;
}

async function refusalOf(file: string): Promise<CommandError> {
  const error = await readIssueFile(file).catch((thrown: unknown) => thrown);
  if (error instanceof CommandError) return error;
  throw new Error('the file was accepted');
}

it.each([
  ['a plain first line', 'It breaks\n\nHere is how.\n', 'It breaks', 'Here is how.'],
  ['a heading', '# It breaks\nHere is how.', 'It breaks', 'Here is how.'],
  ['a deeper heading', '### It breaks\n', 'It breaks', ''],
  ['a number sign that is not a heading', '#12 is back\nx', '#12 is back', 'x'],
  ['blank lines before the title', '\n  \n\t\nIt breaks\n\n\nHere\n\nis how.', 'It breaks', 'Here\n\nis how.'],
  ['Windows line endings', '# It breaks\r\n\r\nHere\r\nis how.\r\n', 'It breaks', 'Here\nis how.'],
  ['a byte order mark', '\ufeff# It breaks\nx', 'It breaks', 'x'],
  ['no body', 'It breaks', 'It breaks', ''],
])('takes title and body from a file with %s', async (...[, content, title, body]) => {
  expect(await readIssueFile(write(content))).toEqual({ title, body });
});

it('keeps a body unchanged, including code blocks and indentation', async () => {
  const body = '```diff\n-a\n+b\n```\n\n    indented\n\tx';
  expect((await readIssueFile(write(`Title\n${body}\n`))).body).toBe(body);
});

it('uses a given title, and the whole file as the body', async () => {
  expect(await readIssueFile(write('# It breaks\nHow.\n'), 'Mine')).toEqual({
    title: 'Mine',
    body: '# It breaks\nHow.',
  });
  expect(await readIssueFile(write(''), 'Mine')).toEqual({ title: 'Mine', body: '' });
});

it('shortens a long first line for the title, and keeps it in the body', async () => {
  const line = 'word '.repeat(100).trim();
  const { title, body } = await readIssueFile(write(`${line}\nmore`));
  expect(title).toBe(`${line.slice(0, 199)}…`);
  expect(body).toBe(`${line}\nmore`);
  expect((await readIssueFile(write('x'.repeat(200)))).title).toBe('x'.repeat(200));
});

it('does not split a character', async () => {
  const { title } = await readIssueFile(write(`x${'😀'.repeat(150)}`));
  expect(title.length).toBeLessThanOrEqual(200);
  expect(title.isWellFormed()).toBe(true);
});

it.each(['', '\n \n', '#\n', '# \nbody'])('refuses a file without a title: %j', async (content) => {
  const { code, message } = await refusalOf(write(content));
  expect(code).toBe(exitCode.usage);
  expect(message).toContain("its first line must be the issue's title");
});

it('refuses a file that begins with a code block, whose fence would become the title', async () => {
  expect((await refusalOf(write('\n```diff\n-a\n+b\n```\n'))).message).toContain(
    'put a title above it, or pass --title',
  );
});

it('refuses a file that is missing, a folder, or too long', async () => {
  expect((await refusalOf(join(folder, 'none.md'))).message).toMatch(/^There is no issue file .*none\.md\.$/);
  expect((await refusalOf(folder)).message).toContain('cannot be read (EISDIR)');
  expect((await refusalOf(write(`t\n${'x'.repeat(70_000)}`))).message).toContain('longer than 64 KiB');
  expect((await refusalOf('/dev/zero')).message).toContain('longer than 64 KiB');
});

it('reads standard input for "-"', async () => {
  const program = `
    const { readIssueFile } = await import(${JSON.stringify(new URL('./issue-file.ts', import.meta.url).href)});
    process.stdout.write(JSON.stringify(await readIssueFile('-')));`;
  const read = new Promise<string>((resolve, reject) => {
    const child = execFile(process.execPath, ['--input-type=module', '-e', program], (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
    child.stdin?.end('# From a pipe\r\n\r\nä\n');
  });
  expect(JSON.parse(await read)).toEqual({ title: 'From a pipe', body: 'ä' });
});
