import { text as readAll } from 'node:stream/consumers';
import { isAtTerminal } from './at-terminal.ts';
import { CommandError, exitCode } from './exit-code.ts';

/**
 * The text of an argument: the words themselves, standard input for `-`, and without the argument the user's editor.
 *
 * @param hint what to write, shown in the editor
 * @throws CommandError when there is neither a text nor a terminal
 */
export async function givenText(given: string | undefined, hint: string): Promise<string> {
  if (given === '-') return (await readAll(process.stdin)).trim();
  if (given !== undefined) return given;
  if (!isAtTerminal()) {
    throw new CommandError(
      exitCode.usage,
      'Pass the text, or - for standard input. There is no terminal to write it at.',
    );
  }
  const { editText } = await import('./edit-text.ts');
  return await editText('', hint);
}
