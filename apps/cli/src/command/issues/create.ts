import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { CommandError, exitCode, type Finish } from '../../terminal/exit-code.ts';
import { REPO_ARGUMENT, remoteCommand, withRemote } from '../remote-command.ts';
import { printOrWatch, type WatchOptions, watchOptions } from './watch-options.ts';

interface CreateOptions extends RemoteOptions, WatchOptions {
  readonly repo: string;
  readonly issue?: string;
  readonly title?: string;
  readonly base?: string;
  readonly label?: string[];
}

export function addIssuesCreateCommand(issues: Command, finish: Finish): void {
  const command = remoteCommand(issues, 'create', {
    description: 'create an issue; it starts as soon as a slot is free',
    examples: [
      'sluice issues create --repo acme/shop --issue bug.md           the first line of the file is the title',
      "sluice issues create --repo shop --title 'Fix the sum' < bug.md",
      'sluice issues create --repo shop --issue bug.md --watch        and follow its progress',
    ],
  })
    .requiredOption('--repo <repository>', REPO_ARGUMENT[1])
    .option('--issue <file>', 'file with the issue, or - for standard input (default with --title)')
    .option('--title <title>', 'title of the issue (default: the first line of the file)')
    .option('--base <branch>', "branch to start from (default: the repository's default branch)")
    .option('--label <label...>', 'labels of the issue');
  watchOptions(command).action(async (options: CreateOptions) => {
    if (options.issue === undefined && options.title === undefined) {
      throw new CommandError(exitCode.usage, 'Pass --issue FILE, --title TITLE, or both.');
    }
    const { findRepo } = await import('../../session/find-by-suffix.ts');
    const { readIssueFile } = await import('../../local/issue-file.ts');
    const fromTerminal = options.issue === undefined && process.stdin.isTTY === true;
    const draft = fromTerminal
      ? { title: options.title ?? '', body: '' }
      : await readIssueFile(options.issue ?? '-', options.title);
    const { base, label } = options;
    const code = await withRemote(options, async (remote) => {
      const issue = await remote.client.issues.create.mutate({
        repo_id: await findRepo(remote.client, options.repo),
        ...draft,
        ...(base === undefined ? {} : { base_branch: base }),
        ...(label === undefined ? {} : { labels: label }),
      });
      return await printOrWatch(remote, issue, options);
    });
    finish(code);
  });
}
