import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import type { Finish } from '../../terminal/exit-code.ts';
import { ISSUE_ARGUMENT, remoteCommand, withRemote } from '../remote-command.ts';
import { NO_QUEUE, reportWait } from './wait-for-repo.ts';
import { printOrWatch, type WatchOptions, watchOptions } from './watch-options.ts';

const commands = {
  run: {
    description: 'start an imported issue',
    examples: ['sluice issues run 0c2d3e4f', 'sluice issues run 0c2d3e4f --watch'],
  },
  retry: {
    description: 'retry a failed issue from the stage that failed',
    examples: ['sluice issues retry 0c2d3e4f', 'sluice issues retry 0c2d3e4f --watch'],
  },
} as const;

interface StartOptions extends RemoteOptions, WatchOptions {
  readonly queue?: boolean;
}

/** `run` and `retry`, which both queue the issue. */
export function addStartCommands(issues: Command, finish: Finish): void {
  for (const name of ['run', 'retry'] as const) {
    const command = remoteCommand(issues, name, commands[name]).argument(...ISSUE_ARGUMENT);
    if (name === 'run') command.option(...NO_QUEUE);
    watchOptions(command).action(async (given: string, options: StartOptions) => {
      const { findIssue } = await import('../../session/find-by-suffix.ts');
      const code = await withRemote(options, async (remote) => {
        const { issues: calls } = remote.client;
        const id = await findIssue(remote.client, given);
        const waits = name === 'run' && options.queue !== false;
        const issue = waits ? await calls.run.mutate({ id, queue: true }) : await calls[name].mutate({ id });
        await reportWait(remote, issue);
        return await printOrWatch(remote, issue, options);
      });
      finish(code);
    });
  }
}
