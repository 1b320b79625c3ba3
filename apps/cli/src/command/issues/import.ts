import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { CommandError, exitCode, type Finish } from '../../terminal/exit-code.ts';
import { REPO_OPTION, remoteCommand, withRemote } from '../remote-command.ts';
import { NO_QUEUE, reportWait } from './wait-for-repo.ts';
import { printOrWatch, type WatchOptions, watchOptions } from './watch-options.ts';

interface ImportOptions extends RemoteOptions, WatchOptions {
  readonly run?: true;
  readonly repo?: string;
  readonly queue: boolean;
}

export function addIssuesImportCommand(issues: Command, finish: Finish): void {
  const command = remoteCommand(issues, 'import', {
    description: 'import an issue from the code host; start it with `issues run`',
    examples: [
      'sluice issues list --codehost --repo acme/shop    the issues to choose from',
      'sluice issues import 7                            of the repository of the current folder',
      'sluice issues import acme/shop 7',
      'sluice issues import acme/shop 7 --run --watch    start it and follow its progress',
    ],
  })
    .argument('<repository-or-number>', 'repository (default: that of the current folder), or the number alone')
    .argument('[number]', 'number of the issue at the code host')
    .option(...REPO_OPTION)
    .option('--run', 'start the issue as soon as its repository and a slot are free')
    .option(...NO_QUEUE);
  watchOptions(command).action(async (first: string, second: string | undefined, options: ImportOptions) => {
    const { chosenRepo } = await import('../../local/current-repo.ts');
    const number = issueNumber(second ?? first);
    const repo = second === undefined ? options.repo : first;
    const code = await withRemote(options, async (remote) => {
      const { issues: calls } = remote.client;
      const imported = await calls.import.mutate({ repo_id: await chosenRepo(remote.client, repo), number });
      const waits = options.queue ? { queue: true } : {};
      const issue = options.run === true ? await calls.run.mutate({ id: imported.id, ...waits }) : imported;
      await reportWait(remote, issue);
      return await printOrWatch(remote, issue, options);
    });
    finish(code);
  });
}

function issueNumber(text: string): number {
  if (/^#?[1-9]\d{0,14}$/.test(text)) return Number(text.replace('#', ''));
  throw new CommandError(exitCode.usage, `${JSON.stringify(text)} is not the number of an issue.`);
}
