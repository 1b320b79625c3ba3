import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { CommandError, exitCode, type Finish } from '../../terminal/exit-code.ts';
import { repeatedCall } from '../add-command.ts';
import { ISSUE_ARGUMENT, remoteCommand, withRemote } from '../remote-command.ts';
import { addFieldOptions, editedFields, editOptions } from './field-options.ts';

interface EditOptions extends RemoteOptions {
  readonly issue?: string;
  readonly title?: string;
  readonly body?: string;
}

type Changes = ReturnType<typeof editedFields>;

export function addIssuesEditCommand(issues: Command, finish: Finish): void {
  const command = remoteCommand(issues, 'edit', {
    description: 'change the title or the text of an issue that has not started',
    examples: [
      'sluice issues edit 0c2d3e4f                       in your editor',
      "sluice issues edit 0c2d3e4f --title 'The sum of an empty list is NaN'",
      'sluice issues edit 0c2d3e4f --issue bug.md',
    ],
  });
  command
    .argument(...ISSUE_ARGUMENT)
    .option('-t, --title <title>', 'new title')
    .option('-b, --body <text>', 'new text')
    .option('--issue <file>', 'file with both, or - for standard input');
  addFieldOptions(command, editOptions).action(async (given: string, options: EditOptions) => {
    const { findIssue } = await import('../../session/find-by-suffix.ts');
    const { sendEditedIssue } = await import('../../local/issue-file.ts');
    const { printIssueLine } = await import('../../follow/print-issue.ts');
    const known = await changesOf(options);
    await withRemote(options, async (remote) => {
      const { client, output } = remote;
      const id = await findIssue(client, given);
      const update = (changes: Changes) => client.issues.update.mutate({ id, ...changes });
      const edit = async () => {
        const { title, body } = await client.issues.get.query({ id });
        const again = (file: string) => repeatedCall(command, `--issue ${file}`);
        return await sendEditedIssue({ initial: { title, body }, again, message: output.message }, update);
      };
      await printIssueLine(remote, await (known === null ? edit() : update(known)));
    });
    finish(exitCode.done);
  });
}

/** The changes from the options, a file or standard input; null without any: from the user's editor. */
async function changesOf(options: EditOptions): Promise<Changes | null> {
  const { issue, title, body } = options;
  const fields = editedFields(options);
  if (issue !== undefined) {
    if (body !== undefined) throw new CommandError(exitCode.usage, 'Pass either --body or --issue, not both.');
    const { readIssueFile } = await import('../../local/issue-file.ts');
    return { ...fields, ...(await readIssueFile(issue, title)) };
  }
  const changes = { ...fields, ...(title === undefined ? {} : { title }), ...(body === undefined ? {} : { body }) };
  if (Object.keys(changes).length > 0) return changes;
  const { isAtTerminal } = await import('../../terminal/at-terminal.ts');
  if (isAtTerminal()) return null;
  throw new CommandError(exitCode.usage, 'Pass --title, --body or --issue. There is no terminal to edit them at.');
}
