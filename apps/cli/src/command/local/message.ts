import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { repeatedCall } from '../add-command.ts';
import { issueAndText, type LocalOptions, localCommand, withLocalIssue } from './local-command.ts';

/** `message`: a note to the agent that works on a local issue. */
export function addLocalMessageCommand(program: Command, finish: Finish): void {
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
