import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { callerFolder, editorEnvironment, stateFolder } from './environment.ts';
import { CommandError, exitCode } from './exit-code.ts';
import { shellWord } from './shell-word.ts';

const run = promisify(execFile);
const DEFAULT_EDITOR = 'vi'; // that of git

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
  const file = join(folder, `${new Date().toISOString().replaceAll(':', '-')}-${process.pid}.md`);
  let text = '';
  try {
    await writeFile(file, `${initial}\n\n${note}\n`, { mode: 0o600, flag: 'wx' });
    const failure = await openEditor(file);
    const written = (await readIfThere(file)).replace(note, '').trim();
    // An editor that was killed may have saved something before.
    if (failure === null || written !== initial.trim()) text = written;
    if (text !== '') await writeFile(file, `${text}\n`);
    if (failure !== null) throw failure;
    if (text === '') throw new CommandError(exitCode.declined, 'The text is empty: nothing was sent.');
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

/** Waits until the user has left the editor. @returns what to say if it failed */
async function openEditor(file: string): Promise<CommandError | null> {
  const editor = await editorCommand();
  // The value is a shell command, such as `code --wait`, and git runs it the same way. stdout stays free for data.
  const child = spawn('sh', ['-c', `${editor} "$@"`, editor, file], { stdio: ['inherit', 2, 2], cwd: callerFolder() });
  const [code, signal] = await once(child, 'exit');
  if (code === 0) return null;
  const detail = `The editor "${editor}" failed (${code ?? signal}), and nothing was sent`;
  return new CommandError(exitCode.declined, `${detail}. Set another one: export EDITOR=…`);
}

async function readIfThere(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}

async function editorCommand(): Promise<string> {
  try {
    const editor = (await run('git', ['var', 'GIT_EDITOR'], { cwd: callerFolder(), env: editorEnvironment() })).stdout;
    return editor.trim() || DEFAULT_EDITOR;
  } catch {
    return DEFAULT_EDITOR;
  }
}
