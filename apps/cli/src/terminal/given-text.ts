import { text as readAll } from 'node:stream/consumers';
import { isAtTerminal } from './at-terminal.ts';
import { CommandError, exitCode } from './exit-code.ts';

/** The text of an argument or an option: the words themselves, or standard input for `-`. */
export async function givenText(given: string): Promise<string> {
  return given === '-' ? (await readAll(process.stdin)).trim() : given;
}

/**
 * The text of an argument that may be left out; null: the user writes it in their editor.
 *
 * @throws CommandError when there is neither a text nor a terminal
 */
export async function textOrEditor(given: string | undefined): Promise<string | null> {
  if (given !== undefined) return await givenText(given);
  if (isAtTerminal()) return null;
  throw new CommandError(
    exitCode.usage,
    'Pass the text, or - for standard input. There is no terminal to write it at.',
  );
}
