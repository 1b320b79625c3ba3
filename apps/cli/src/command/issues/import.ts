import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import type { Finish } from '../../terminal/exit-code.ts';
import { positiveInteger } from '../add-command.ts';
import { REPO_ARGUMENT, remoteCommand, withRemote } from '../remote-command.ts';
import { printOrWatch, type WatchOptions, watchOptions } from './watch-options.ts';

interface ImportOptions extends RemoteOptions, WatchOptions {
  readonly run?: true;
}

export function addIssuesImportCommand(issues: Command, finish: Finish): void {
  const command = remoteCommand(issues, 'import', {
    description: 'import an issue from the code host; start it with `issues run`',
    examples: [
      'sluice issues list --codehost --repo acme/shop    the issues to choose from',
      'sluice issues import acme/shop 7',
      'sluice issues import acme/shop 7 --run --watch    start it and follow its progress',
    ],
  })
    .argument(...REPO_ARGUMENT)
    .argument('<number>', 'number of the issue at the code host', positiveInteger)
    .option('--run', 'start the issue immediately');
  watchOptions(command).action(async (given: string, number: number, options: ImportOptions) => {
    const { findRepo } = await import('../../session/find-by-suffix.ts');
    const code = await withRemote(options, async (remote) => {
      const { issues: calls } = remote.client;
      const imported = await calls.import.mutate({ repo_id: await findRepo(remote.client, given), number });
      const issue = options.run === true ? await calls.run.mutate({ id: imported.id }) : imported;
      return await printOrWatch(remote, issue, options);
    });
    finish(code);
  });
}
