import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { type Finish, remoteCommand, withRemote } from '../remote-command.ts';
import { shownOrWatched, type WatchFlags, watchOptions } from './watched.ts';

const commands = {
  run: {
    description: 'start an imported issue',
    examples: ['sluice issues run 0c2d3e4f', 'sluice issues run 0c2d3e4f --watch'],
  },
  retry: {
    description: 'try a failed issue again, from the stage that failed',
    examples: ['sluice issues retry 0c2d3e4f', 'sluice issues retry 0c2d3e4f --watch'],
  },
} as const;

/** `run` and `retry`: both put the issue in the queue. */
export function addStartCommands(issues: Command, finish: Finish): void {
  for (const name of ['run', 'retry'] as const) {
    const command = remoteCommand(issues, name, commands[name]).argument('<issue>', 'the end of its id');
    watchOptions(command).action(async (given: string, options: RemoteOptions & WatchFlags) => {
      const { findIssue } = await import('../../session/find-by-suffix.ts');
      const code = await withRemote(options, async (remote) => {
        const { issues: calls } = remote.client;
        const issue = await calls[name].mutate({ id: await findIssue(remote.client, given) });
        return await shownOrWatched(remote, issue, options);
      });
      finish(code);
    });
  }
}
