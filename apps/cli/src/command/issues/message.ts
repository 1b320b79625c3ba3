import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { repeatedCall } from '../add-command.ts';
import { ISSUE_ARGUMENT, remoteCommand, withRemote } from '../remote-command.ts';

/** Adds `issues message`, which sends a note to a running agent; `issues note` is the same. */
export function addIssuesMessageCommand(issues: Command, finish: Finish): void {
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
