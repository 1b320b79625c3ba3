import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { CommandError, exitCode, type Finish } from '../../terminal/exit-code.ts';
import { remoteCommand, withRemote } from '../remote-command.ts';
import { type LimitOptions, limitsOf, tokensOption, usdOption } from './limit-options.ts';

const NOTES = `This command asks the server, and needs the session of an operator. With --usd or --tokens it sets a limit, of the server unless
--user or --each-user is given; without, it shows them.
`;

interface OperatorOptions extends RemoteOptions, LimitOptions {
  readonly user?: string;
  readonly eachUser?: true;
}

export function addAdminBudgetsCommand(admin: Command, finish: Finish): void {
  remoteCommand(admin, 'budgets', {
    description: 'show or set the monthly budgets of a server and its users',
    examples: [
      'sluice admin budgets',
      'sluice admin budgets --usd 500',
      'sluice admin budgets --each-user --usd 50',
      'sluice admin budgets --user grace@example.com --tokens 20000000',
    ],
    notes: NOTES,
  })
    .option('--user <user>', 'of this user: e-mail or id')
    .option('--each-user', 'of each user who has no limit of their own')
    .addOption(usdOption())
    .addOption(tokensOption())
    .action(async (options: OperatorOptions) => {
      const { user, eachUser } = options;
      const limits = limitsOf(options);
      const isChange = Object.keys(limits).length > 0;
      if (user !== undefined && eachUser === true)
        throw new CommandError(exitCode.usage, 'Give --user or --each-user, not both.');
      if (!isChange && (user !== undefined || eachUser === true))
        throw new CommandError(exitCode.usage, 'Give a limit too: --usd or --tokens.');
      const { renderOperatorBudgets } = await import('../../render/render-budgets.ts');
      await withRemote(options, async ({ client, output }) => {
        const of = user !== undefined ? 'user' : eachUser === true ? 'each_user' : 'installation';
        const budgets = isChange
          ? await client.admin.updateBudgets.mutate({ of, ...(user !== undefined && { user }), ...limits })
          : await client.admin.budgets.query();
        await output.longData(budgets, (style, page) => renderOperatorBudgets(budgets, { style, page }));
      });
      finish(exitCode.done);
    });
}
