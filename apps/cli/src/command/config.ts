import type { Command } from 'commander';
import { renderConfiguration } from '../render/render-configuration.ts';
import { isAtTerminal } from '../terminal/at-terminal.ts';
import { CommandError, exitCode, type Finish } from '../terminal/exit-code.ts';
import { givenText } from '../terminal/given-text.ts';
import { createOutput, type OutputOptions } from '../terminal/output.ts';
import { addCommand } from './add-command.ts';
import { type ConfigurationOptions, configurationOf, withConfiguration } from './configuration-options.ts';

/** `config` and `config set`, `unset` and `path`: the variables of the configuration, and the user's own file of them. */
export function addConfigCommands(program: Command, finish: Finish): void {
  const config = addCommand(program, 'config', {
    description: 'show what is configured, and where; set variables in your own file',
    examples: [
      'sluice config                                  the variables that are set, and what overrides what',
      'sluice config set MODEL anthropic/claude-sonnet-4-5',
      'sluice config set ANTHROPIC_API_KEY - < key    read a secret from standard input',
    ],
  }).option('--json', 'print it as JSON');
  withConfiguration(config).action(async (options: ConfigurationOptions & OutputOptions) => {
    const { describeConfiguration } = await import('@sluice/server');
    const report = describeConfiguration(configurationOf(options));
    createOutput(options).data(report, (style) => renderConfiguration(report, style));
    finish(exitCode.done);
  });

  addCommand(config, 'set', {
    description: 'set a variable in your own file',
    examples: [
      'sluice config set MODEL anthropic/claude-sonnet-4-5',
      'sluice config set ANTHROPIC_API_KEY            asks for the value, without showing it',
      'sluice config set ANTHROPIC_API_KEY - < key    reads it from standard input',
    ],
  })
    .argument('<name>', 'variable, see docs/configuration.md')
    .argument('[value]', 'its value, or - for standard input; without it, you are asked')
    .action(async (name: string, value: string | undefined) => {
      const { describeConfiguration, setUserVariable } = await import('@sluice/server');
      const path = setUserVariable(name, await givenValue(name, value));
      const { messageStyle, message } = createOutput({});
      message(`${messageStyle('green', '✓')} ${name} is set in ${path}`);
      const { problems } = describeConfiguration();
      for (const problem of problems) message(`${messageStyle('yellow', '!')} ${problem}`);
      finish(exitCode.done);
    });

  addCommand(config, 'unset', {
    description: 'remove a variable from your own file',
    examples: ['sluice config unset MODEL'],
  })
    .argument('<name>', 'variable')
    .action(async (name: string) => {
      const { unsetUserVariable } = await import('@sluice/server');
      const path = unsetUserVariable(name);
      const { messageStyle, message } = createOutput({});
      message(`${messageStyle('green', '✓')} ${name} is not set in ${path}`);
      finish(exitCode.done);
    });

  addCommand(config, 'path', {
    description: 'print the path of your own file',
    examples: ['$EDITOR "$(sluice config path)"'],
  }).action(async () => {
    const { userFile } = await import('@sluice/server');
    process.stdout.write(`${userFile() ?? ''}\n`);
    finish(exitCode.done);
  });
}

async function givenValue(name: string, value: string | undefined): Promise<string> {
  if (value !== undefined) return await givenText(value);
  if (!isAtTerminal()) {
    throw new CommandError(exitCode.usage, 'Pass the value, or - for standard input. There is no terminal to ask at.');
  }
  const { password } = await import('@inquirer/prompts');
  return await password({ message: name, mask: true }, { output: process.stderr });
}
