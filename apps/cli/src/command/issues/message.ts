import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { ISSUE_ARGUMENT, remoteCommand, withRemote } from '../remote-command.ts';

export function addIssuesMessageCommand(issues: Command, finish: Finish): void {
  remoteCommand(issues, 'message', {
    description: 'send a note to the agent that works on an issue; it reads it before its next step',
    examples: [
      'sluice issues message 0c2d3e4f                    write it in your editor',
      "sluice issues message 0c2d3e4f 'Use the helper in src/money.ts.'",
      'sluice issues message 0c2d3e4f - < note.txt',
    ],
  })
    .argument(...ISSUE_ARGUMENT)
    .argument('[text]', 'the note, or - for standard input (default: write it in your editor)')
    .action(async (given: string, words: string | undefined, options: RemoteOptions) => {
      const { findIssue } = await import('../../session/find-by-suffix.ts');
      const { givenText } = await import('../../terminal/given-text.ts');
      const text = await givenText(words, 'Write the note to the agent.');
      await withRemote(options, async ({ client, output }) => {
        await client.issues.message.mutate({ id: await findIssue(client, given), text });
        output.message('Sent.');
      });
      finish(exitCode.done);
    });
}
