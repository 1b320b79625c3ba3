import type { Command } from 'commander';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { type LocalOptions, localCommand, withLocalIssue } from './local-command.ts';

export function addLocalCancelCommand(program: Command, finish: Finish): void {
  localCommand(program, 'cancel', {
    description: 'give up a local issue, whatever stage it is in; it stays in the list as cancelled',
    examples: ['sluice cancel 0c2d3e4f', 'sluice cancel --yes       the one in progress in the repository here'],
  })
    .option('-y, --yes', 'skip the confirmation')
    .action(async (given: string | undefined, options: LocalOptions & { yes?: true }) => {
      const { confirm } = await import('../../terminal/confirm.ts');
      const { plainLine } = await import('../../terminal/plain-text.ts');
      await withLocalIssue({ given, options, needsActive: true }, async ({ client, output, folder, id }) => {
        const { title } = await client.issues.get.query({ id });
        await folder.release();
        await confirm(`Cancel "${plainLine(title)}"?`, options.yes === true);
        const issue = await client.issues.cancel.mutate({ id });
        if (output.json) output.data(issue, () => '');
        output.message(`Cancelled "${plainLine(title)}".`);
      });
      finish(exitCode.done);
    });
}
