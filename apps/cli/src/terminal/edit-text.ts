import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { callerFolder, stateFolder } from './environment.ts';
import { CommandError, exitCode } from './exit-code.ts';
import { shellWord } from './shell-word.ts';

const run = promisify(execFile);

/** What the user writes, and what they are told when it could not be sent. */
export interface Edit {
  /** The text to begin with. */
  readonly initial?: string;
  /** One line about what to write; it is shown below the text and is not part of the result. */
  readonly hint: string;
  /** The command that sends the text from `file`, a word of a shell. */
  readonly again: (file: string) => string;
  /** Prints a line for the user. */
  readonly message: (line: string) => void;
}

/**
 * Passes to `send` what the user writes in their editor: the one that git uses, from `GIT_EDITOR`, `core.editor`, `VISUAL` or
 * `EDITOR`. The text stays in a file of the state folder until it is sent: neither a refusal nor a lost connection costs it.
 *
 * @throws CommandError when the editor fails, or leaves the text empty; what `send` throws
 */
export async function sendEdited<T>(edit: Edit, send: (text: string) => Promise<T>): Promise<T> {
  const { initial = '', hint, again, message } = edit;
  const note = `<!-- ${hint} This line is removed; an empty text cancels. -->`;
  const folder = join(stateFolder(), 'texts');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Editors choose their mode by the ending.
  const file = join(folder, `${new Date().toISOString().replaceAll(':', '-')}.md`);
  let text = '';
  try {
    await writeFile(file, `${initial}\n\n${note}\n`, { mode: 0o600, flag: 'wx' });
    await openEditor(file);
    text = (await readFile(file, 'utf8')).replace(note, '').trim();
    if (text === '') throw new CommandError(exitCode.declined, 'The text is empty: nothing was sent.');
    await writeFile(file, `${text}\n`);
    const sent = await send(text);
    text = '';
    return sent;
  } catch (error) {
    if (text !== '') message(`Your text is kept. Send it again with: ${again(shellWord(file))}`);
    throw error;
  } finally {
    if (text === '') await rm(file, { force: true });
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
