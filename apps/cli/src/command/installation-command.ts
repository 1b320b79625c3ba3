import type { Command } from 'commander';
import type { GivenConfiguration } from '../local/local-server.ts';
import type { OutputOptions } from '../terminal/output.ts';
import { addCommand, type CommandHelp } from './add-command.ts';
import { type ConfigurationOptions, configurationOf, withEnvFile } from './configuration-options.ts';

export interface InstallationOptions extends OutputOptions, Pick<ConfigurationOptions, 'envFile'> {
  readonly dataDir?: string;
}

/** Adds a command that works on the installation on this machine, without a running server. */
export function installationCommand(parent: Command, usage: string, help: CommandHelp): Command {
  return withEnvFile(addCommand(parent, usage, help))
    .option('--data-dir <folder>', 'data folder (DATA_DIR)')
    .option('--json', 'print the result as JSON');
}

/** The options as the loader of the configuration takes them. */
export function installationOf(options: InstallationOptions): GivenConfiguration {
  const { overrides, ...file } = configurationOf(options);
  return {
    ...file,
    overrides: options.dataDir === undefined ? overrides : { ...overrides, DATA_DIR: options.dataDir },
  };
}
