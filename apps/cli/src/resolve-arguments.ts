import type { Command } from 'commander';
import { findCommand } from './command/find-command.ts';
import { helpTopics } from './command/help-topics.ts';
import { ownCommand } from './terminal/environment.ts';
import { CommandError, exitCode } from './terminal/exit-code.ts';

/**
 * The arguments that the parser gets: `help COMMAND…` as a call of that command with `--help`, and an alias as what it
 * stands for. Null when everything is printed already: a page of help, or what the completion script of a shell asks for.
 */
export async function resolveArguments(program: Command, args: readonly string[]): Promise<readonly string[] | null> {
  const [first, ...rest] = args;
  if (first === 'help') return resolveHelp(program, rest);
  if (first === '__complete') {
    const { printCompletions } = await import('./command/print-completions.ts');
    await printCompletions(program, rest[0] === '--' ? rest.slice(1) : rest);
    return null;
  }
  if (first === undefined || first.startsWith('-') || findCommand(program, [first]) !== null) return args;
  const { expandAlias, readAliases } = await import('./terminal/aliases.ts');
  const words = (await readAliases()).get(first);
  return words === undefined ? args : expandAlias(words, rest);
}

function resolveHelp(program: Command, rest: readonly string[]): readonly string[] | null {
  const path = rest.filter((word) => !word.startsWith('-'));
  const [topic] = path;
  if (topic === undefined) return ['--help'];
  if (path.length === 1 && Object.hasOwn(helpTopics, topic)) {
    process.stdout.write(helpTopics[topic]?.() ?? '');
    return null;
  }
  if (findCommand(program, path) !== null) return [...path, '--help'];
  const topics = Object.keys(helpTopics).join(' and ');
  throw new CommandError(
    exitCode.usage,
    `There is no command "${path.join(' ')}". "${ownCommand()} --help" lists them; further pages are ${topics}.`,
  );
}
