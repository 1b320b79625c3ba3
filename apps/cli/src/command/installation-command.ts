import type { Command } from 'commander';
import type { OutputOptions } from '../terminal/output.ts';
import { addCommand, type CommandHelp } from './add-command.ts';

export interface InstallationOptions extends OutputOptions {
  readonly dataDir?: string;
}

/** Adds a command that works on the installation on this machine, without a running server. */
export function installationCommand(parent: Command, usage: string, help: CommandHelp): Command {
  return addCommand(parent, usage, help)
    .option('--data-dir <folder>', 'data folder (DATA_DIR)')
    .option('--json', 'print the result as JSON');
}

/** The options as overrides of the configuration. */
export function overridesOf({ dataDir }: InstallationOptions): Record<string, string> {
  return dataDir === undefined ? {} : { DATA_DIR: dataDir };
}
