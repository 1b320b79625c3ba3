import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { CommandError, exitCode } from '../../terminal/exit-code.ts';
import { type Finish, remoteCommand, withRemote } from '../remote-command.ts';
import { shownOrWatched, type WatchFlags, watchOptions } from './watched.ts';

interface CreateOptions extends RemoteOptions, WatchFlags {
  readonly repo: string;
  readonly issue?: string;
  readonly title?: string;
  readonly base?: string;
  readonly label?: string[];
}

export function addIssuesCreateCommand(issues: Command, finish: Finish): void {
  const command = remoteCommand(issues, 'create', {
    description: 'create an issue; its pipeline starts as soon as there is a free slot',
    examples: [
      'sluice issues create --repo acme/shop --issue bug.md           an issue file: first line = title',
      "sluice issues create --repo shop --title 'Fix the sum' < bug.md",
      'sluice issues create --repo shop --issue bug.md --watch        and watch it',
    ],
  })
    .requiredOption('--repo <repository>', 'its name, or the end of its id')
    .option('--issue <file>', 'the issue: a file, or - for standard input (the default with --title)')
    .option('--title <title>', 'its title; default: the first line of the file')
    .option('--base <branch>', 'the branch to start from; default: the repository’s own')
    .option('--label <label...>', 'labels that it carries');
  watchOptions(command).action(async (options: CreateOptions) => {
    if (options.issue === undefined && options.title === undefined) {
      throw new CommandError(exitCode.usage, 'Give the issue by --issue FILE, or its title by --title.');
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
      return await shownOrWatched(remote, issue, options);
    });
    finish(code);
  });
}
