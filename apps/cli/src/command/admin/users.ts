import type { Command } from 'commander';
import { nameOf, renderAccounts, renderDisabled, renderEnd } from '../../render/render-accounts.ts';
import { CommandError, exitCode } from '../../terminal/exit-code.ts';
import { createOutput } from '../../terminal/output.ts';
import { examplesText, type Finish } from '../remote-command.ts';
import {
  type AccountOptions,
  type AccountPageOptions,
  accountCommand,
  accountPageCommand,
  found,
  showPage,
  withAccounts,
} from './account-command.ts';

/** What the operator does with accounts, on the machine itself. */
export function addAdminUsersCommands(admin: Command, finish: Finish): void {
  const users = admin
    .command('users')
    .description('list users, lock one out or let him in again, end his sessions')
    .addHelpText('before', examplesText(['sluice admin users list', 'sluice admin users disable eve@example.com']));

  accountPageCommand(users, 'list', {
    description: 'the users, newest first',
    examples: ['sluice admin users list --limit 100 --json'],
  }).action(async (options: AccountPageOptions) => {
    const page = await withAccounts(options, (accounts, request) => accounts.users(request));
    showPage(options, page, (style) => renderAccounts(page.items, style));
    finish(exitCode.done);
  });

  accountCommand(users, 'disable <user>', {
    description: 'end his sessions, let none begin, and cancel his issues that have not ended',
    examples: [
      'sluice admin users disable eve@example.com',
      'sluice admin users disable eve@example.com --keep-issues    what runs goes on, up to a decision',
    ],
  })
    .option('--keep-issues', 'cancel nothing')
    .action(async (user: string, options: AccountOptions & { readonly keepIssues?: true }) => {
      const keepIssues = options.keepIssues === true;
      const report = found(user, await withAccounts(options, (accounts) => accounts.disable(user, { keepIssues })));
      createOutput({ json: options.json === true }).data(report, () => renderDisabled(report));
      finish(exitCode.done);
    });

  accountCommand(users, 'enable <user>', {
    description: 'let him log in again',
    examples: ['sluice admin users enable eve@example.com'],
  }).action(async (user: string, options: AccountOptions) => {
    const report = found(user, await withAccounts(options, (accounts) => accounts.enable(user)));
    createOutput({ json: options.json === true }).data(report, () => `${nameOf(report)} can log in again.`);
    finish(exitCode.done);
  });

  accountCommand(users, 'end-sessions <user>', {
    description: 'end every session of his; he can log in again',
    examples: ['sluice admin users end-sessions eve@example.com'],
  }).action(async (user: string, options: AccountOptions) => {
    const report = found(user, await withAccounts(options, (accounts) => accounts.endSessions(user)));
    createOutput({ json: options.json === true }).data(report, () => renderEnd('is logged out', report));
    finish(exitCode.done);
  });

  accountCommand(users, 'reset-password <user>', {
    description: 'give him a new password, shown once, and end his sessions',
    examples: ['sluice admin users reset-password eve@example.com'],
  }).action(async (user: string, options: AccountOptions) => {
    const report = found(user, await withAccounts(options, (accounts) => accounts.resetPassword(user)));
    if (report === 'no_email') {
      throw new CommandError(exitCode.conflict, `${user} has no e-mail to log in with: he signs in at the code host.`);
    }
    const { password } = report;
    const told = () => `${renderEnd('has a new password', report)}\n${password}`;
    createOutput({ json: options.json === true }).data(report, told);
    finish(exitCode.done);
  });
}
