import type { Command } from 'commander';
import { ownCommand } from '../terminal/environment.ts';
import { CommandError, exitCode, type Finish } from '../terminal/exit-code.ts';
import { createOutput, type OutputOptions } from '../terminal/output.ts';
import { plainLine } from '../terminal/plain-text.ts';
import { addCommand } from './add-command.ts';
import { findCommand } from './find-command.ts';

/** `alias set`, `alias list` and `alias delete`: names that a user gives to their own calls. */
export function addAliasCommands(program: Command, finish: Finish): void {
  const alias = addCommand(program, 'alias', {
    description: 'name your own calls of commands',
    examples: ["sluice alias set waiting 'issues list --all --status awaiting_approval'", 'sluice alias list'],
  });

  addCommand(alias, 'set', {
    description: 'set an alias; a command of Sluice always goes before an alias',
    examples: [
      "sluice alias set waiting 'issues list --all --status awaiting_approval'",
      "sluice alias set why 'issues show $1 --jq .error.detail'    $1 is the first argument of the alias",
    ],
  })
    .argument('<name>', 'name of the alias')
    .argument('<words>', 'the call that it stands for, without "sluice"')
    .action(async (name: string, words: string) => {
      const { checkedAliasName, expandAlias, readAliases, writeAliases } = await import('../terminal/aliases.ts');
      if (findCommand(program, [checkedAliasName(name)]) !== null || name === 'help') {
        throw new CommandError(exitCode.usage, `"${name}" is a command, and an alias cannot replace it.`);
      }
      const [first = ''] = expandAlias(
        words,
        Array.from({ length: 9 }, (_, at) => `$${at + 1}`),
      );
      if (findCommand(program, [first]) === null) {
        throw new CommandError(exitCode.usage, `"${first}" is not a command, so "${name}" cannot stand for it.`);
      }
      await writeAliases(new Map([...(await readAliases()), [name, words.replaceAll(/\s+/g, ' ')]]));
      finish(exitCode.done);
    });

  addCommand(alias, 'list', {
    description: 'list your aliases',
    examples: ['sluice alias list', 'sluice alias list --json'],
  })
    .option('--json', 'print the aliases as JSON')
    .action(async (options: OutputOptions) => {
      const { readAliases } = await import('../terminal/aliases.ts');
      const aliases = await readAliases();
      createOutput(options).data(Object.fromEntries(aliases), () =>
        aliases.size === 0
          ? 'No aliases.'
          : [...aliases].map(([name, words]) => `${plainLine(name)}=${plainLine(words)}`).join('\n'),
      );
      finish(exitCode.done);
    });

  addCommand(alias, 'delete', { description: 'delete an alias', examples: ['sluice alias delete waiting'] })
    .argument('<name>', 'name of the alias')
    .action(async (name: string) => {
      const { readAliases, writeAliases } = await import('../terminal/aliases.ts');
      const aliases = new Map(await readAliases());
      if (!aliases.delete(name)) {
        throw new CommandError(
          exitCode.notFound,
          `There is no alias "${name}". List them with: ${ownCommand()} alias list`,
        );
      }
      await writeAliases(aliases);
      finish(exitCode.done);
    });
}
