import type { Command } from 'commander';
import { renderAdminTokens } from '../../render/render-tokens.ts';
import { ownCommand } from '../../terminal/environment.ts';
import { CommandError, exitCode, type Finish } from '../../terminal/exit-code.ts';
import { createOutput } from '../../terminal/output.ts';
import { addCommand } from '../add-command.ts';
import type { InstallationOptions } from '../installation-command.ts';
import {
  type AccountPageOptions,
  accountCommand,
  accountPageCommand,
  orNotFound,
  printPage,
  withAccounts,
} from './account-command.ts';

/** `admin tokens list` and `admin tokens revoke`. */
export function addAdminTokensCommands(admin: Command, finish: Finish): void {
  const tokens = addCommand(admin, 'tokens', {
    description: 'list and revoke the API tokens of users',
    examples: ['sluice admin tokens list', 'sluice admin tokens list --user eve@example.com'],
  });

  accountPageCommand(tokens, 'list', {
    description: 'list the API tokens of all users, newest first',
    examples: ['sluice admin tokens list --limit 100 --json', 'sluice admin tokens list --user eve@example.com'],
  })
    .option('--user <user>', 'only of this user')
    .action(async ({ user, ...options }: AccountPageOptions & { readonly user?: string }) => {
      const found = await withAccounts(options, (accounts, request) => accounts.tokens(user ?? null, request));
      const page = orNotFound(user ?? '', found);
      printPage(options, page, (style, sheet) => renderAdminTokens(page.items, { style, page: sheet }));
      finish(exitCode.done);
    });

  accountCommand(tokens, 'revoke <token>', {
    description: 'revoke an API token, named by its whole id',
    examples: ['sluice admin tokens revoke 0193a5c4-2f6b-7a10-8d3e-4c5b6a798801'],
  }).action(async (id: string, options: InstallationOptions) => {
    const report = await withAccounts(options, (accounts) => accounts.revokeToken(id));
    if (report === null) {
      throw new CommandError(
        exitCode.notFound,
        `There is no API token with the id ${JSON.stringify(id)}. List them with: ${ownCommand()} admin tokens list --json`,
      );
    }
    createOutput(options).data(report, () => `Revoked the API token of ${report.user}.`);
    finish(exitCode.done);
  });
}
