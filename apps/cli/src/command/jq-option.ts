import type { Command } from 'commander';

/** Gives every command that prints JSON the option `--jq`, and compiles its expression before the command runs. */
export function addJqOption(program: Command): void {
  for (const command of commandsWithJson(program)) {
    command.option('-q, --jq <expression>', 'print what this jq expression selects from the JSON');
  }
  program.hook('preAction', async (_program, command) => {
    const { jq } = command.opts<{ jq?: string }>();
    if (jq === undefined) return;
    const { jsonFilter } = await import('../terminal/json-filter.ts');
    command.setOptionValue('jq', await jsonFilter(jq));
    command.setOptionValue('json', true);
  });
}

function commandsWithJson(command: Command): Command[] {
  const own = command.options.some(({ long }) => long === '--json') ? [command] : [];
  return [...own, ...command.commands.flatMap(commandsWithJson)];
}
