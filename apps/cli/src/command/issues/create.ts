import { randomUUID } from 'node:crypto';
import type { SluiceClient } from '@sluice/client';
import type { Command } from 'commander';
import type { IssueDraft, IssueText } from '../../local/issue-file.ts';
import type { RemoteOptions } from '../../session/remote.ts';
import { CommandError, exitCode, type Finish } from '../../terminal/exit-code.ts';
import { plainLine } from '../../terminal/plain-text.ts';
import { repeatedCall } from '../add-command.ts';
import { REPO_OPTION, remoteCommand, withRemote } from '../remote-command.ts';
import { addFieldOptions, createdFields, createOptions } from './field-options.ts';
import { NO_QUEUE, reportWait } from './wait-for-repo.ts';
import { printOrWatch, type WatchOptions, watchOptions } from './watch-options.ts';

interface CreateOptions extends RemoteOptions, WatchOptions {
  readonly repo?: string;
  readonly issue?: string;
  readonly template?: string;
  readonly title?: string;
  readonly body?: string;
  readonly attach?: string[];
  readonly queue: boolean;
  readonly idempotencyKey?: string;
}

export function addIssuesCreateCommand(issues: Command, finish: Finish): void {
  const command = remoteCommand(issues, 'create', {
    description: 'create an issue; it starts as soon as its repository and a slot are free',
    examples: [
      'sluice issues create                                       write it in your editor, for the current folder',
      'sluice issues create -R acme/shop --issue bug.md           the first line of the file is the title',
      "sluice issues create -t 'Fix the sum' -b 'sum([]) is NaN'",
      "sluice issues create --template Bug -t 'The sum is NaN'    the text is that of the repository's template",
      'sluice issues create --issue bug.md --attach screen.png server.log',
      'sluice issues create -R shop --issue bug.md --watch        follow its progress, and decide at the gate',
    ],
  })
    .option(...REPO_OPTION)
    .option('--issue <file>', 'file with the issue, or - for standard input (default with --title)')
    .option(
      '-T, --template <name>',
      'begin with a template of the repository: its title and text, unless others are given',
    )
    .option('-t, --title <title>', 'title of the issue (default: the first line of the file)')
    .option('-b, --body <text>', 'text of the issue, with --title or --template');
  addFieldOptions(command, createOptions)
    .option('--attach <file...>', 'pictures (PNG, JPEG, WebP, GIF) and texts (logs, CSV, JSON) of the issue')
    .option(...NO_QUEUE)
    .option('--idempotency-key <key>', 'create no second issue when repeated within a day with this key');
  watchOptions(command).action(async (options: CreateOptions) => {
    const given = await givenText(options);
    const { chosenRepo } = await import('../../local/current-repo.ts');
    const { sendEditedIssue } = await import('../../local/issue-file.ts');
    const { uploadAttachments } = await import('../../session/upload-attachments.ts');
    const { requireServerModel } = await import('../../session/require-server-model.ts');
    const code = await withRemote(options, async (remote) => {
      const { client, output } = remote;
      const repo_id = await chosenRepo(client, options.repo);
      const text = await textOf(client, { repoId: repo_id, given, options });
      // A text from the editor may be sent again when only the answer was lost.
      const idempotencyKey = options.idempotencyKey ?? ('initial' in text ? randomUUID() : undefined);
      let attachments: string[] | null = null;
      const create = async (draft: IssueDraft) => {
        await requireServerModel(client, draft);
        // Once: a text that was edited again is sent with the same files.
        attachments ??= await uploadAttachments(remote, options.attach ?? []);
        const issue = {
          repo_id,
          ...draft,
          ...(options.queue ? { queue: true } : {}),
          ...createdFields(options),
          ...(attachments.length > 0 && { attachments }),
        };
        return await client.issues.create.mutate(issue, { idempotencyKey });
      };
      const key = options.idempotencyKey === undefined ? `--idempotency-key ${idempotencyKey} ` : '';
      const again = (file: string) => repeatedCall(command, `${key}--issue ${file}`);
      const issue = await ('initial' in text
        ? sendEditedIssue({ ...text, again, message: output.message }, create)
        : create(text.draft));
      await reportWait(remote, issue);
      return await printOrWatch(remote, issue, options);
    });
    finish(code);
  });
}

/** The issue from the options, a file, standard input or the user's editor; null when it begins with a template. */
async function givenText({ issue, template, title, body }: CreateOptions): Promise<IssueText | null> {
  if (template !== undefined && issue === undefined) return null;
  if (body !== undefined) {
    if (title !== undefined && issue === undefined) return { draft: { title, body } };
    throw new CommandError(exitCode.usage, 'Pass --body together with --title or --template, and without --issue.');
  }
  const { readIssueFile } = await import('../../local/issue-file.ts');
  const { isAtTerminal } = await import('../../terminal/at-terminal.ts');
  if (issue !== undefined) return { draft: await readIssueFile(issue, title) };
  if (title !== undefined) {
    return { draft: process.stdin.isTTY === true ? { title, body: '' } : await readIssueFile('-', title) };
  }
  if (isAtTerminal()) return { initial: { title: '', body: '' } };
  throw new CommandError(
    exitCode.usage,
    'Pass --issue FILE, --title TITLE or --template NAME. There is no terminal to write it at.',
  );
}

interface TextParts {
  readonly repoId: string;
  readonly given: IssueText | null;
  readonly options: CreateOptions;
}

/**
 * The given text, or the template with the title and the text that were given instead of its own. Without any, it is for the
 * editor to fill in. A template has to exist, also where a file replaces all of it.
 */
async function textOf(client: SluiceClient, { repoId, given, options }: TextParts): Promise<IssueText> {
  const { template: name = '', title, body } = options;
  if (given !== null && options.template === undefined) return given;
  const { readIssueTemplate } = await import('../../local/issue-template.ts');
  const { isAtTerminal } = await import('../../terminal/at-terminal.ts');
  const template = await readIssueTemplate(client, { repoId, name });
  if (given !== null) return given;
  if (title === undefined && body === undefined && isAtTerminal()) return { initial: template };
  const draft = { title: title ?? template.title, body: body ?? ((await pipedText()) || template.body) };
  if (draft.title !== '') return { draft };
  throw new CommandError(exitCode.usage, `The issue template "${plainLine(name)}" has no title: pass --title TITLE.`);
}

/** What standard input has; empty at a terminal. */
async function pipedText(): Promise<string> {
  if (process.stdin.isTTY === true) return '';
  const { readIssueFile } = await import('../../local/issue-file.ts');
  return (await readIssueFile('-', '')).body;
}
