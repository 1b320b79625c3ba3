import type { AccountAdmin } from '@sluice/server';
import type { Command } from 'commander';
import { CommandError, exitCode } from '../../terminal/exit-code.ts';
import { createOutput } from '../../terminal/output.ts';
import type { Style } from '../../terminal/style.ts';
import { examplesText } from '../remote-command.ts';
import { wholeNumber } from '../whole-number.ts';

const NOTES = `
A user is named by his e-mail or his id. Works on the installation's own database: servers on Postgres go on serving, and
close the streams of sessions that end here within a second; with SQLite, stop the server first. What is done here stands
in the user's audit log.
`;

const DEFAULT_LIMIT = 50;

export interface AccountOptions {
  readonly dataDir?: string;
  readonly json?: true;
}

export interface AccountPageOptions extends AccountOptions {
  readonly limit?: number;
  readonly cursor?: string;
}

interface Told {
  readonly description: string;
  readonly examples: readonly string[];
}

/** A command over the accounts of the installation on this machine. */
export function accountCommand(parent: Command, usage: string, told: Told): Command {
  return parent
    .command(usage)
    .description(told.description)
    .option('--data-dir <folder>', 'the data folder (DATA_DIR)')
    .option('--json', 'print the result as JSON')
    .addHelpText('before', examplesText(told.examples))
    .addHelpText('after', NOTES);
}

/** One that lists. */
export function accountPageCommand(parent: Command, usage: string, told: Told): Command {
  return accountCommand(parent, usage, told)
    .option('--limit <number>', `how many; ${DEFAULT_LIMIT} unless told otherwise`, wholeNumber)
    .option('--cursor <cursor>', 'go on where the last list ended');
}

/** Opens the accounts for `work` alone. Nothing of the server is loaded before. */
export async function withAccounts<T>(
  options: AccountPageOptions,
  work: (accounts: AccountAdmin, page: { limit: number; cursor: string | null }) => Promise<T>,
): Promise<T> {
  const { openAccountAdmin } = await import('@sluice/server');
  const { dataDir, limit = DEFAULT_LIMIT, cursor = null } = options;
  await using accounts = await openAccountAdmin({ overrides: dataDir === undefined ? {} : { DATA_DIR: dataDir } });
  return await work(accounts, { limit, cursor });
}

/** @throws CommandError when nobody is called so */
export function found<T>(user: string, report: T | null): T {
  if (report !== null) return report;
  throw new CommandError(exitCode.notFound, `There is no user ${JSON.stringify(user)}: sluice admin users list.`);
}

export function showPage(
  options: AccountOptions,
  page: { readonly next_cursor: string | null },
  render: (style: Style) => string,
): void {
  const output = createOutput({ json: options.json === true });
  output.data(page, render);
  if (page.next_cursor !== null) output.talk(`There are more: --cursor ${page.next_cursor}`);
}
