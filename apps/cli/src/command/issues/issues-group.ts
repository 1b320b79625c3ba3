import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { addCommand, positiveInteger, repeatedCall } from '../add-command.ts';
import { ISSUE_ARGUMENT, remoteCommand, withRemote } from '../remote-command.ts';
import { addCloseReasonCommand } from './close-reason.ts';
import { addIssuesCreateCommand } from './create.ts';
import { addDecisionCommands } from './decide.ts';
import { addIssuesEditCommand } from './edit.ts';
import { addEndCommands } from './end.ts';
import { addIssuesImportCommand } from './import.ts';
import { addIssuesListCommand } from './list.ts';
import { addHistoryCommands, addShowCommands } from './show.ts';
import { addStartCommands } from './start.ts';

export function addIssuesCommands(program: Command, finish: Finish): void {
  const issues = addCommand(program, 'issues', {
    description: 'manage your issues on a server',
    examples: [
      'sluice issues create --repo acme/shop --issue bug.md --watch',
      'sluice issues list --status awaiting_approval',
      'sluice issues approve 0c2d3e4f --watch',
    ],
  });
  addIssuesCreateCommand(issues, finish);
  addIssuesImportCommand(issues, finish);
  addIssuesListCommand(issues, finish);
  addStartCommands(issues, finish);
  addDecisionCommands(issues, finish);
  addEndCommands(issues, finish);
  addIssuesWatchCommand(issues, finish);
  addShowCommands(issues, finish);
  addHistoryCommands(issues, finish);
  addIssuesEditCommand(issues, finish);
  addIssuesMessageCommand(issues, finish);
  addCloseReasonCommand(issues, finish);
}

function addIssuesMessageCommand(issues: Command, finish: Finish): void {
  const command = remoteCommand(issues, 'message', {
    description: 'send a note to the agent that works on an issue; it reads it before its next turn',
    examples: [
      'sluice issues message 0c2d3e4f                    write it in your editor',
      "sluice issues message 0c2d3e4f 'Use the helper in src/money.ts.'",
      'sluice issues message 0c2d3e4f - < note.txt',
    ],
  });
  command
    .alias('note')
    .argument(...ISSUE_ARGUMENT)
    .argument('[text]', 'the note, or - for standard input (default: write it in your editor)')
    .action(async (given: string, words: string | undefined, options: RemoteOptions) => {
      const { findIssue } = await import('../../session/find-by-suffix.ts');
      const { textOrEditor } = await import('../../terminal/given-text.ts');
      const known = await textOrEditor(words);
      await withRemote(options, async ({ client, output: { message } }) => {
        const id = await findIssue(client, given);
        const idempotencyKey = randomUUID(); // the client may repeat a request whose answer was lost
        const send = (text: string) => client.issues.message.mutate({ id, text }, { idempotencyKey });
        if (known === null) {
          const { sendEdited } = await import('../../terminal/edit-text.ts');
          await client.issues.get.query({ id }); // a wrong id is refused before the user writes
          const again = (file: string) => repeatedCall(command, `- < ${file}`);
          await sendEdited({ hint: 'Write the note to the agent.', again, message }, send);
        } else await send(known);
        message('Sent.');
      });
      finish(exitCode.done);
    });
}

interface WatchOptions extends RemoteOptions {
  readonly wait: boolean;
  readonly verbose?: true;
  readonly ask: boolean;
  readonly after?: number;
}

function addIssuesWatchCommand(issues: Command, finish: Finish): void {
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
