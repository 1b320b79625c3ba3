import type { IssueWire } from '@sluice/core';
import type { Command } from 'commander';
import type { Remote } from '../../session/remote.ts';
import { type ExitCode, exitCode } from '../../terminal/exit-code.ts';

/** What is said of watching by commands after which an issue goes on. */
export interface WatchFlags {
  readonly watch?: true;
  readonly wait: boolean;
}

export function watchOptions(command: Command): Command {
  return command
    .option('--watch', 'watch it until it ends')
    .option('--no-wait', 'with --watch: end with exit code 9 when it waits for approval');
}

/** Watches the issue where that was asked for, and shows it as it is otherwise. */
export async function shownOrWatched(remote: Remote, issue: IssueWire, flags: WatchFlags): Promise<ExitCode> {
  if (flags.watch === true) {
    const { watchRemotely } = await import('../../follow/follow-on-server.ts');
    return await watchRemotely(remote, { issueId: issue.id, wait: flags.wait });
  }
  const { output } = remote;
  const { renderIssues } = await import('../../render/render-issues.ts');
  output.data(issue, (style) => renderIssues([issue], style));
  return exitCode.done;
}
