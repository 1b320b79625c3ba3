import { isAtTerminal } from './at-terminal.ts';
import { CommandError, exitCode } from './exit-code.ts';

/**
 * Asks for confirmation, unless `yes` was passed.
 *
 * @throws CommandError when the user answers no, or there is no terminal to ask at
 */
export async function confirm(question: string, yes: boolean): Promise<void> {
  if (yes) return;
  if (!isAtTerminal()) {
    throw new CommandError(exitCode.usage, `${question} There is no terminal to ask at: pass --yes to confirm.`);
  }
  const prompts = await import('@inquirer/prompts');
  if (await prompts.confirm({ message: question, default: false }, { output: process.stderr })) return;
  throw new CommandError(exitCode.declined, 'Nothing was changed.');
}
