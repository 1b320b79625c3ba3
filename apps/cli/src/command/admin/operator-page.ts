import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { type CommandHelp, positiveInteger } from '../add-command.ts';
import { remoteCommand } from '../remote-command.ts';

export const OPERATOR_NOTES = `This command asks the server, and needs the session of an operator, or an API token of one with the scope admin.
`;

const DEFAULT_LIMIT = 50;

export interface OperatorPageOptions extends RemoteOptions {
  readonly limit?: number;
  readonly cursor?: string;
}

/** Adds a command that prints a page of what an operator sees on a server. */
export function operatorPageCommand(parent: Command, usage: string, help: CommandHelp): Command {
  return remoteCommand(parent, usage, { ...help, notes: OPERATOR_NOTES })
    .option('--limit <number>', `maximum number of results (default: ${DEFAULT_LIMIT})`, positiveInteger)
    .option('--cursor <cursor>', 'continue from the end of the previous page');
}

export function pageOf({ limit = DEFAULT_LIMIT, cursor }: OperatorPageOptions) {
  return { limit, ...(cursor !== undefined && { cursor }) };
}
