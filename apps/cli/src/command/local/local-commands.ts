import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import type { OutputOptions } from '../../terminal/output.ts';
import { addCommand, repeatedCall } from '../add-command.ts';
import { addLocalDecisionCommands } from './decide.ts';
import {
  issueAndText,
  type LocalIssue,
  type LocalOptions,
  localCommand,
  unreadableReporter,
  withLocalIssue,
} from './local-command.ts';

/** The commands for issues of `sluice run` on this machine. Those for a server's issues are in the group `issues`. */
export function addLocalCommands(program: Command, finish: Finish): void {
  addLocalListCommand(program, finish);
  addLocalShowCommands(program, finish);
  addLocalDecisionCommands(program, finish);
  addLocalMessageCommand(program, finish);
  addLocalCancelCommand(program, finish);
}

function addLocalListCommand(program: Command, finish: Finish): void {
  addCommand(program, 'list', {
    description: 'list the issues of `sluice run` on this machine, newest first',
    examples: ['sluice list', 'sluice list --json | jq -r .items[0].id'],
    notes: 'Issues on a server: sluice issues list',
  })
    .option('--json', 'print the issues as JSON')
    .action(async (options: OutputOptions) => {
      const { localIssues } = await import('../../local/find-local-issue.ts');
      const { renderIssues } = await import('../../render/render-issues.ts');
      const { ownCommand } = await import('../../terminal/environment.ts');
      const { createOutput } = await import('../../terminal/output.ts');
      const output = createOutput(options);
      const reportUnreadable = unreadableReporter(output);
      let isWhole = true;
      const folders = await localIssues((dataDir, error) => {
        isWhole = false;
        reportUnreadable(dataDir, error);
      });
      const urls = new Map(folders.flatMap(({ repos }) => repos.map(({ id, url }) => [id, url])));
      const items = folders
        .flatMap(({ issues }) => issues.map((issue) => ({ ...issue, repo_url: urls.get(issue.repo_id) ?? null })))
        .toSorted((a, b) => b.created_at.localeCompare(a.created_at));
      const names = new Map([...urls].map(([id, url]) => [id, basename(url)]));
      const [own, none] = [ownCommand(), 'No issue was run on this machine.'];
      const hint = `${none} Start one with: ${own} run --repo PATH --issue FILE\nIssues on a server: ${own} issues list`;
      await output.longData({ items, next_cursor: null }, (style, page) =>
        items.length === 0 && page.isTerminal && isWhole ? hint : renderIssues(items, names, { style, page }),
      );
      finish(isWhole ? exitCode.done : exitCode.unexpected);
    });
}

/** `show`, `diff` and `log`: what is known of one local issue. */
function addLocalShowCommands(program: Command, finish: Finish): void {
  localCommand(program, 'show', {
    description: 'show a local issue with its plan and its result',
    examples: ['sluice show 0c2d3e4f', 'sluice show              the current issue of the repository here'],
  }).action(async (given: string | undefined, options: LocalOptions) => {
    const { printIssue } = await import('../../follow/print-issue.ts');
    await withLocalIssue({ given, options, needsActive: false }, (issue) => printIssue(released(issue)));
    finish(exitCode.done);
  });

  localCommand(program, 'diff', {
    description: 'show the change of a local issue so far as a unified diff',
    examples: ['sluice diff 0c2d3e4f', 'sluice diff 0c2d3e4f | git apply --check'],
  }).action(async (given: string | undefined, options: LocalOptions) => {
    const { printDiff } = await import('../../follow/print-issue.ts');
    await withLocalIssue({ given, options, needsActive: false }, (issue) => printDiff(released(issue)));
    finish(exitCode.done);
  });

  localCommand(program, 'log', {
    description: 'print the whole output of the commands that ran for a local issue',
    examples: ['sluice log 0c2d3e4f', 'sluice log               of the current issue of the repository here'],
  }).action(async (given: string | undefined, options: LocalOptions) => {
    const { printLog } = await import('../../follow/print-issue.ts');
    await withLocalIssue({ given, options, needsActive: false }, (issue) => printLog(released(issue)));
    finish(exitCode.done);
  });
}

/** The issue, whose folder is free for other commands while the user reads. */
function released(issue: LocalIssue) {
  return { ...issue, onRead: issue.folder.release };
}

/** `message`: a note to the agent that works on a local issue. */
function addLocalMessageCommand(program: Command, finish: Finish): void {
  const command = localCommand(program, 'message', {
    description: 'send a note to the agent that works on a local issue; it reads it before its next turn',
    examples: [
      "sluice message 0c2d3e4f 'Use the helper in src/money.ts.'",
      "sluice message 'Use the helper in src/money.ts.'    the issue of the repository here",
      'sluice message 0c2d3e4f - < note.txt',
    ],
    notes: 'From another terminal than that of the run. Without a run, the agent reads it when the issue is continued.',
  });
  command
    .alias('note')
    .argument('[text]', 'the note, or - for standard input (default: write it in your editor)')
    .action(async (first: string | undefined, second: string | undefined, options: LocalOptions) => {
      const { textOrEditor } = await import('../../terminal/given-text.ts');
      const { given, text } = issueAndText(first, second);
      const known = await textOrEditor(text);
      await withLocalIssue({ given, options, needsActive: true }, async ({ client, output, folder, id }) => {
        const idempotencyKey = randomUUID(); // the client may repeat a request whose answer was lost
        const send = (words: string) => client.issues.message.mutate({ id, text: words }, { idempotencyKey });
        if (known === null) {
          const { sendEdited } = await import('../../terminal/edit-text.ts');
          await folder.release(); // the user may take their time
          const again = (file: string) => repeatedCall(command, `- < ${file}`);
          await sendEdited({ hint: 'Write the note to the agent.', again, message: output.message }, send);
        } else await send(known);
        output.message('Sent.');
      });
      finish(exitCode.done);
    });
}

function addLocalCancelCommand(program: Command, finish: Finish): void {
  localCommand(program, 'cancel', {
    description: 'give up a local issue, whatever stage it is in; it stays in the list as cancelled',
    examples: ['sluice cancel 0c2d3e4f', 'sluice cancel --yes       the one in progress in the repository here'],
  })
    .option('-y, --yes', 'skip the confirmation')
    .action(async (given: string | undefined, options: LocalOptions & { yes?: true }) => {
      const { confirm } = await import('../../terminal/confirm.ts');
      const { plainLine } = await import('../../terminal/plain-text.ts');
      await withLocalIssue({ given, options, needsActive: true }, async ({ client, output, folder, id }) => {
        const { title } = await client.issues.get.query({ id });
        await folder.release();
        await confirm(`Cancel "${plainLine(title)}"?`, options.yes === true);
        const issue = await client.issues.cancel.mutate({ id });
        if (output.json) output.data(issue, () => '');
        output.message(`Cancelled "${plainLine(title)}".`);
      });
      finish(exitCode.done);
    });
}
