import type { IssueWire } from '@sluice/core/issue';
import type { Command } from 'commander';
import type { Remote } from '../../session/remote.ts';
import { type ExitCode, exitCode } from '../../terminal/exit-code.ts';

export interface WatchOptions {
  readonly watch?: true;
  readonly verbose?: true;
  readonly wait: boolean;
  readonly ask: boolean;
}

/** Adds the options of commands after which an issue continues. */
export function watchOptions(command: Command): Command {
  return command
    .option('--watch', 'watch the issue until it ends')
    .option('-v, --verbose', 'with --watch: print the whole output of every command')
    .option('--no-wait', 'with --watch: exit with code 9 when the issue is waiting for approval')
    .option('--no-ask', 'with --watch: do not ask for a decision at a gate');
}

/** Follows the issue with `--watch`, else prints it. */
export async function printOrWatch(remote: Remote, issue: IssueWire, options: WatchOptions): Promise<ExitCode> {
  if (options.watch === true) {
    const { followOnServer } = await import('../../follow/follow-on-server.ts');
    return await followOnServer(remote, { ...options, issueId: issue.id });
  }
  const { printIssueLine } = await import('../../follow/print-issue.ts');
  await printIssueLine(remote, issue);
  return exitCode.done;
}
