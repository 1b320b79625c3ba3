import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { type Finish, remoteCommand, withRemote } from '../remote-command.ts';
import { wholeNumber } from '../whole-number.ts';

interface WatchCommandOptions extends RemoteOptions {
  readonly wait: boolean;
  readonly after?: number;
}

export function addIssuesWatchCommand(issues: Command, finish: Finish): void {
  remoteCommand(issues, 'watch', {
    description: 'watch an issue until it ends; Ctrl-C leaves it running',
    examples: [
      'sluice issues watch 0c2d3e4f',
      'sluice issues watch 0c2d3e4f --no-wait           end with 9 when it waits for approval',
      'sluice issues watch 0c2d3e4f --json | jq .type   every event, one on a line',
    ],
  })
    .argument('<issue>', 'the end of its id')
    .option('--no-wait', 'end with exit code 9 when it waits for approval')
    .option('--after <seq>', 'leave out the events up to this one', wholeNumber)
    .action(async (given: string, { wait, after, ...options }: WatchCommandOptions) => {
      const { findIssue } = await import('../../session/find-by-suffix.ts');
      const { watchRemotely } = await import('../../follow/follow-on-server.ts');
      const code = await withRemote(options, async (remote) => {
        const issueId = await findIssue(remote.client, given);
        return await watchRemotely(remote, { issueId, wait, after });
      });
      finish(code);
    });
}
