import type { AccountState } from '@sluice/core/account';
import { type Command, Option } from 'commander';
import { nameOf, renderAccounts, renderDisabled, renderSessionsEnded } from '../../render/render-accounts.ts';
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

interface ListOptions extends AccountPageOptions {
  readonly search?: string;
  readonly state?: AccountState;
}

const states: readonly AccountState[] = ['active', 'disabled', 'operator'];

interface DisableOptions extends InstallationOptions {
  readonly keepIssues?: true;
  readonly evenLastOperator?: true;
}

export function addAdminUsersCommands(admin: Command, finish: Finish): void {
  const users = addCommand(admin, 'users', {
    description:
      'list, disable and enable users, say who is an operator, end sessions, reset passwords, remove second factors',
    examples: ['sluice admin users list', 'sluice admin users disable eve@example.com'],
  });

  accountPageCommand(users, 'list', {
    description: 'list the users, newest first',
    examples: [
      'sluice admin users list --limit 100 --json',
      'sluice admin users list --search @example.com --state operator',
    ],
  })
    .option('--search <text>', 'only those whose e-mail, name or login at the code host contains it')
    .addOption(
      new Option('--state <state>', 'only those who can log in, are disabled, or are operators').choices(states),
    )
    .action(async ({ search, state, ...options }: ListOptions) => {
      const page = await withAccounts(options, (accounts, request) => accounts.users(request, { search, state }));
      printPage(options, page, (style, sheet) => renderAccounts(page.items, { style, page: sheet }));
      finish(exitCode.done);
    });

  accountCommand(users, 'disable <user>', {
    description: 'disable a user: end their sessions, block logins, and cancel the issues that have not ended',
    examples: [
      'sluice admin users disable eve@example.com',
      'sluice admin users disable eve@example.com --keep-issues    running issues continue to the next gate',
    ],
  })
    .option('--keep-issues', 'do not cancel issues')
    .option('--even-last-operator', 'disable the last operator too')
    .action(async (user: string, options: DisableOptions) => {
      const { keepIssues = false, evenLastOperator = false } = options;
      const report = orNotFound(
        user,
        await withAccounts(options, (accounts) => accounts.disable(user, { keepIssues, evenLastOperator })),
      );
      if (report === 'last_operator') throw lastOperator(user, 'or repeat this with --even-last-operator');
      createOutput(options).data(report, () => renderDisabled(report));
      finish(exitCode.done);
    });

  accountCommand(users, 'enable <user>', {
    description: 'allow a disabled user to log in again',
    examples: ['sluice admin users enable eve@example.com'],
  }).action(async (user: string, options: InstallationOptions) => {
    const report = orNotFound(user, await withAccounts(options, (accounts) => accounts.enable(user)));
    createOutput(options).data(report, () => `${nameOf(report)} can log in again.`);
    finish(exitCode.done);
  });

  accountCommand(users, 'grant-operator <user>', {
    description: 'make a user an operator: they see the whole server, and may register folders of its host',
    examples: ['sluice admin users grant-operator ann@example.com'],
  }).action(async (user: string, options: InstallationOptions) => {
    const report = orNotFound(user, await withAccounts(options, (accounts) => accounts.grantOperator(user)));
    createOutput(options).data(report, () => `${nameOf(report)} is an operator.`);
    finish(exitCode.done);
  });

  accountCommand(users, 'revoke-operator <user>', {
    description: 'make an operator an ordinary user again; the last one stays an operator',
    examples: ['sluice admin users revoke-operator ann@example.com'],
  }).action(async (user: string, options: InstallationOptions) => {
    const report = orNotFound(user, await withAccounts(options, (accounts) => accounts.revokeOperator(user)));
    if (report === 'last_operator') throw lastOperator(user);
    createOutput(options).data(report, () => `${nameOf(report)} is not an operator.`);
    finish(exitCode.done);
  });

  accountCommand(users, 'end-sessions <user>', {
    description: 'end all sessions of a user, who can log in again',
    examples: ['sluice admin users end-sessions eve@example.com'],
  }).action(async (user: string, options: InstallationOptions) => {
    const report = orNotFound(user, await withAccounts(options, (accounts) => accounts.endSessions(user)));
    createOutput(options).data(report, () => renderSessionsEnded('is logged out', report));
    finish(exitCode.done);
  });

  accountCommand(users, 'remove-second-factors <user>', {
    description: 'remove all second factors and recovery codes of a user, and end all their sessions',
    examples: ['sluice admin users remove-second-factors eve@example.com    who has lost phone and recovery codes'],
  }).action(async (user: string, options: InstallationOptions) => {
    const report = orNotFound(user, await withAccounts(options, (accounts) => accounts.removeSecondFactors(user)));
    createOutput(options).data(report, () => renderSessionsEnded('has no second factor any more', report));
    finish(exitCode.done);
  });

  accountCommand(users, 'reset-password <user>', {
    description: 'set a new password, print it once, and end all sessions of the user',
    examples: ['sluice admin users reset-password eve@example.com'],
  }).action(async (user: string, options: InstallationOptions) => {
    const report = orNotFound(user, await withAccounts(options, (accounts) => accounts.resetPassword(user)));
    if (report === 'no_email') {
      throw new CommandError(
        exitCode.conflict,
        `${user} has no e-mail address, so they cannot log in with a password. They log in at the code host or by single sign-on.`,
      );
    }
    createOutput(options).data(
      report,
      () => `${renderSessionsEnded('has a new password', report)}\n${report.password}`,
    );
    finish(exitCode.done);
  });
}

function lastOperator(user: string, otherwise?: string): CommandError {
  const grant = `${ownCommand()} admin users grant-operator USER`;
  const next = otherwise === undefined ? grant : `${grant}, ${otherwise}`;
  return new CommandError(
    exitCode.conflict,
    `Without ${user}, no operator could log in. Make somebody else one first: ${next}`,
  );
}
