import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode } from '../../terminal/exit-code.ts';
import { type Finish, remoteCommand, withRemote } from '../remote-command.ts';

export function addIssuesLogCommand(issues: Command, finish: Finish): void {
  remoteCommand(issues, 'log', {
    description: 'the output of the commands that ran',
    examples: ['sluice issues log 0c2d3e4f', 'sluice issues log 0c2d3e4f --json | jq .text   one part on a line'],
  })
    .argument('<issue>', 'the end of its id')
    .action(async (given: string, options: RemoteOptions) => {
      const { findIssue } = await import('../../session/find-by-suffix.ts');
      const { plainText } = await import('../../terminal/plain-text.ts');
      await withRemote(options, async ({ client, output }) => {
        const id = await findIssue(client, given);
        for (let after: number | null = 0; after !== null; ) {
          const page: Awaited<ReturnType<typeof client.issues.log.query>> = await client.issues.log.query({
            id,
            after,
          });
          for (const part of page.items) {
            if (output.json) output.data(part, () => '');
            else process.stdout.write(plainText(part.text));
          }
          after = page.next_after;
        }
      });
      finish(exitCode.done);
    });
}
