import type { Command } from 'commander';
import type { Finish } from '../terminal/exit-code.ts';
import type { OutputOptions } from '../terminal/output.ts';
import { addCommand } from './add-command.ts';
import { type ConfigurationOptions, configurationOf, withConfiguration } from './configuration-options.ts';

export function addDemoCommand(program: Command, finish: Finish): void {
  const command = addCommand(program, 'demo', {
    description: 'take a sample issue to a tested branch; needs no API key and no server',
    examples: ['sluice demo          asks you to approve the plan', 'sluice demo --yes    approves it without asking'],
  })
    .option('-y, --yes', 'approve the plan without asking')
    .option('-v, --verbose', 'print the whole output of every command')
    .option('--json', 'print the issue as JSON when it has ended');
  withConfiguration(command).action(
    async (options: ConfigurationOptions & OutputOptions & { yes?: true; verbose?: true }) => {
      const { runDemo } = await import('./run-demo.ts');
      finish(await runDemo({ ...options, yes: options.yes === true, configuration: configurationOf(options) }));
    },
  );
}
