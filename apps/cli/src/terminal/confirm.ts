import { isAtTerminal } from './at-terminal.ts';
import { CommandError, exitCode } from './exit-code.ts';

/**
 * Asks before something is destroyed, unless `yes` was said.
 *
 * @throws CommandError when the person says no, or when nobody is there to be asked
 */
export async function confirmed(question: string, yes: boolean): Promise<void> {
  if (yes) return;
  if (!isAtTerminal()) {
    throw new CommandError(exitCode.usage, `${question} Nobody is there to be asked: say --yes.`);
  }
  const { confirm } = await import('@inquirer/prompts');
  if (await confirm({ message: question, default: false }, { output: process.stderr })) return;
  throw new CommandError(exitCode.declined, 'Nothing was changed.');
}
