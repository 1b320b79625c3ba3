import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import type { Finish } from '../../terminal/exit-code.ts';
import { positiveInteger } from '../add-command.ts';
import { ISSUE_ARGUMENT, remoteCommand, withRemote } from '../remote-command.ts';

interface WatchOptions extends RemoteOptions {
  readonly wait: boolean;
  readonly verbose?: true;
  readonly ask: boolean;
  readonly after?: number;
}

/**
 * Adds `issues watch`, which follows an issue and asks at its gates. It exits with the code of the end that it saw, or with 9
 * where it does not wait at a gate.
 */
export function addIssuesWatchCommand(issues: Command, finish: Finish): void {
  remoteCommand(issues, 'watch', {
    description: 'follow the progress of an issue until it ends, and decide at its gates; Ctrl-C leaves it running',
    examples: [
      'sluice issues watch 0c2d3e4f',
      'sluice issues watch 0c2d3e4f --no-wait           exit with 9 when it is waiting for approval',
      'sluice issues watch 0c2d3e4f --json | jq .type   one event a line',
    ],
  })
    .argument(...ISSUE_ARGUMENT)
    .option('-v, --verbose', 'print the whole output of every command')
    .option('--no-wait', 'exit with code 9 when the issue is waiting for approval')
    .option('--no-ask', 'do not ask for a decision at a gate: decide in another terminal')
    .option('--after <seq>', 'skip the events up to this sequence number', positiveInteger)
    .action(async (given: string, { wait, ask, after, verbose, ...options }: WatchOptions) => {
      const { findIssue } = await import('../../session/find-by-suffix.ts');
      const { followOnServer } = await import('../../follow/follow-on-server.ts');
      const code = await withRemote(options, async (remote) => {
        const issueId = await findIssue(remote.client, given);
        return await followOnServer(remote, { issueId, wait, ask, after, verbose });
      });
      finish(code);
    });
}
