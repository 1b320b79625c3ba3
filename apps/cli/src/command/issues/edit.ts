import type { Issue } from '@sluice/client';
import type { Command } from 'commander';
import type { IssueDraft } from '../../local/issue-file.ts';
import type { RemoteOptions } from '../../session/remote.ts';
import { CommandError, exitCode, type Finish } from '../../terminal/exit-code.ts';
import { ISSUE_ARGUMENT, remoteCommand, withRemote } from '../remote-command.ts';

interface EditOptions extends RemoteOptions {
  readonly title?: string;
  readonly body?: string;
}

export function addIssuesEditCommand(issues: Command, finish: Finish): void {
  remoteCommand(issues, 'edit', {
    description: 'change the title or the text of an issue that has not started',
    examples: [
      'sluice issues edit 0c2d3e4f                       in your editor',
      "sluice issues edit 0c2d3e4f --title 'The sum of an empty list is NaN'",
    ],
  })
    .argument(...ISSUE_ARGUMENT)
    .option('-t, --title <title>', 'new title')
    .option('-b, --body <text>', 'new text')
    .action(async (given: string, options: EditOptions) => {
      const { findIssue } = await import('../../session/find-by-suffix.ts');
      const { printIssueLine } = await import('../../follow/print-issue.ts');
      await withRemote(options, async (remote) => {
        const { client } = remote;
        const id = await findIssue(client, given);
        const { title, body } = options;
        const draft =
          title === undefined && body === undefined
            ? await editDraft(await client.issues.get.query({ id }))
            : { ...(title === undefined ? {} : { title }), ...(body === undefined ? {} : { body }) };
        await printIssueLine(remote, await client.issues.update.mutate({ id, ...draft }));
      });
      finish(exitCode.done);
    });
}

async function editDraft({ title, body }: Pick<Issue, 'title' | 'body'>): Promise<IssueDraft> {
  const { isAtTerminal } = await import('../../terminal/at-terminal.ts');
  if (!isAtTerminal()) {
    throw new CommandError(exitCode.usage, 'Pass --title or --body. There is no terminal to edit them at.');
  }
  const { editText } = await import('../../terminal/edit-text.ts');
  const { parseIssue } = await import('../../local/issue-file.ts');
  const text = await editText(`${title}\n\n${body}`.trim(), 'The first line is the title, the rest the text.');
  return parseIssue(text, 'The text');
}
