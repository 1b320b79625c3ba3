import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { callerFolder } from './environment.ts';
import { CommandError, exitCode } from './exit-code.ts';

const run = promisify(execFile);

/**
 * Lets the user edit a text in their editor: the one that git uses, from `GIT_EDITOR`, `core.editor`, `VISUAL` or `EDITOR`.
 *
 * @param hint one line about what to write; it is shown below the text and is not part of the result
 * @returns the text without the hint, trimmed
 * @throws CommandError when the editor fails, or leaves the text empty
 */
export async function editText(initial: string, hint: string): Promise<string> {
  const note = `<!-- ${hint} This line is removed; an empty text cancels. -->`;
  const folder = await mkdtemp(join(tmpdir(), 'sluice-edit-'));
  const file = join(folder, 'EDIT.md'); // editors choose their mode by the name
  try {
    await writeFile(file, `${initial}\n\n${note}\n`, { mode: 0o600 });
    await openEditor(file);
    const text = (await readFile(file, 'utf8')).replace(note, '').trim();
    if (text === '') throw new CommandError(exitCode.declined, 'The text is empty: nothing was sent.');
    return text;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function openEditor(file: string): Promise<void> {
  const editor = await editorCommand();
  // As git does: the value is a shell command, such as `code --wait`. stdout stays free for data.
  const child = spawn('sh', ['-c', `${editor} "$@"`, editor, file], { stdio: ['inherit', 2, 2], cwd: callerFolder() });
  const [code] = await once(child, 'exit');
  if (code === 0) return;
  const how = 'Set another one: export EDITOR=…';
  throw new CommandError(exitCode.declined, `The editor "${editor}" failed (${code}), and nothing was sent. ${how}`);
}

async function editorCommand(): Promise<string> {
  try {
    return (await run('git', ['var', 'GIT_EDITOR'], { cwd: callerFolder() })).stdout.trim();
  } catch {
    return 'vi'; // as git, where it has no other
  }
}
