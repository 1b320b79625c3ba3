import type { AccountAdmin } from '@sluice/server';
import type { Command } from 'commander';
import { ownCommand } from '../../terminal/environment.ts';
import { CommandError, exitCode } from '../../terminal/exit-code.ts';
import { createOutput, type Page } from '../../terminal/output.ts';
import type { Style } from '../../terminal/style.ts';
import { type CommandHelp, positiveInteger } from '../add-command.ts';
import { type InstallationOptions, installationCommand, installationOf } from '../installation-command.ts';

const NOTES = `A user is named by e-mail address or id. The command works on the database of this installation, and servers can keep running.
They close the event streams of ended sessions within a second, with SQLite within 15 seconds. Each change is recorded in the
user's audit log.
`;

const DEFAULT_LIMIT = 50;

export interface AccountPageOptions extends InstallationOptions {
  readonly limit?: number;
  readonly cursor?: string;
}

/** Adds a command that works on the accounts of the installation on this machine. */
export function accountCommand(parent: Command, usage: string, help: CommandHelp): Command {
  return installationCommand(parent, usage, { ...help, notes: NOTES });
}

/** Adds one that prints a page of results. */
export function accountPageCommand(parent: Command, usage: string, help: CommandHelp): Command {
  return accountCommand(parent, usage, help)
    .option('--limit <number>', `maximum number of results (default: ${DEFAULT_LIMIT})`, positiveInteger)
    .option('--cursor <cursor>', 'continue from the end of the previous page');
}

/** Opens the accounts while `work` runs. Imports the server only now, so that `--help` stays fast. */
export async function withAccounts<T>(
  options: AccountPageOptions,
  work: (accounts: AccountAdmin, page: { limit: number; cursor: string | null }) => Promise<T>,
): Promise<T> {
  const { openAccountAdmin } = await import('@sluice/server');
  const { limit = DEFAULT_LIMIT, cursor = null } = options;
  await using accounts = await openAccountAdmin(installationOf(options));
  return await work(accounts, { limit, cursor });
}

/** Returns the report on a user. @throws CommandError when there is no such user */
export function orNotFound<T>(user: string, report: T | null): T {
  if (report !== null) return report;
  throw new CommandError(
    exitCode.notFound,
    `There is no user ${JSON.stringify(user)}. List the users with: ${ownCommand()} admin users list`,
  );
}

export function printPage(
  options: InstallationOptions,
  page: { readonly next_cursor: string | null },
  render: (style: Style, sheet: Page) => string,
): void {
  const output = createOutput(options);
  output.data(page, render);
  if (page.next_cursor !== null) output.message(`More results: --cursor ${page.next_cursor}`);
}
