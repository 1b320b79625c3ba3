import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { addCommand } from '../add-command.ts';
import { REPO_OPTION, remoteCommand, withRemote } from '../remote-command.ts';
import { type LimitOptions, limitsOf, tokensOption, usdOption } from './limit-options.ts';

const NOTES = `Months are calendar months in UTC. Operators set the budgets of users and of the server: "sluice admin budgets".`;

export function addBudgetsCommands(program: Command, finish: Finish): void {
  const budgets = addCommand(program, 'budgets', {
    description: 'read your monthly budgets, and set those of your repositories',
    examples: ['sluice budgets list', 'sluice budgets set --repo acme/shop --usd 200', 'sluice budgets set --help'],
  });
  remoteCommand(budgets, 'list', {
    description: 'show what was spent this month of your budgets and of those of your repositories',
    examples: ['sluice budgets list', 'sluice budgets list --json'],
    notes: NOTES,
  }).action(async (options: RemoteOptions) => {
    const { renderBudgets } = await import('../../render/render-budgets.ts');
    await withRemote(options, async ({ client, output }) => {
      const list = await client.budgets.mine.query();
      await output.longData(list, (style, page) => renderBudgets(list, { style, page }));
    });
    finish(exitCode.done);
  });
  remoteCommand(budgets, 'set', {
    description: 'set the monthly budget of a repository',
    examples: ['sluice budgets set --usd 200', 'sluice budgets set --repo acme/shop --tokens none --usd 50'],
    notes: NOTES,
  })
    .option(...REPO_OPTION)
    .addOption(usdOption())
    .addOption(tokensOption())
    .action(async (options: RemoteOptions & LimitOptions & { readonly repo?: string }) => {
      const { chosenRepo } = await import('../../local/current-repo.ts');
      const { renderLimit } = await import('../../render/render-budgets.ts');
      await withRemote(options, async ({ client, output }) => {
        const id = await chosenRepo(client, options.repo);
        const budget = await client.repos.updateBudget.mutate({ id, ...limitsOf(options) });
        output.data(budget, () => `The monthly budget of ${budget.name}: ${renderLimit(budget.limit)}.`);
      });
      finish(exitCode.done);
    });
}
