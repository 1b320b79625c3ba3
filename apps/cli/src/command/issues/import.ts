import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { type Finish, remoteCommand, withRemote } from '../remote-command.ts';
import { wholeNumber } from '../whole-number.ts';
import { shownOrWatched, type WatchFlags, watchOptions } from './watched.ts';

interface ImportOptions extends RemoteOptions, WatchFlags {
  readonly run?: true;
}

export function addIssuesImportCommand(issues: Command, finish: Finish): void {
  const command = remoteCommand(issues, 'import', {
    description: 'import an issue of a repository at the code host; it starts with `issues run`',
    examples: [
      'sluice issues list --codehost --repo acme/shop    which there are',
      'sluice issues import acme/shop 7',
      'sluice issues import acme/shop 7 --run --watch    and start it, and watch it',
    ],
  })
    .argument('<repository>', 'its name, or the end of its id')
    .argument('<number>', 'the number that the issue has there', wholeNumber)
    .option('--run', 'start it at once');
  watchOptions(command).action(async (given: string, number: number, options: ImportOptions) => {
    const { findRepo } = await import('../../session/find-by-suffix.ts');
    const code = await withRemote(options, async (remote) => {
      const { issues: calls } = remote.client;
      const imported = await calls.import.mutate({ repo_id: await findRepo(remote.client, given), number });
      const issue = options.run === true ? await calls.run.mutate({ id: imported.id }) : imported;
      return await shownOrWatched(remote, issue, options);
    });
    finish(code);
  });
}
