import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { plainText } from '../../terminal/plain-text.ts';
import { ISSUE_ARGUMENT, remoteCommand, withRemote } from '../remote-command.ts';

/** `show`, `diff` and `log`: what is known of one issue. */
export function addShowCommands(issues: Command, finish: Finish): void {
  remoteCommand(issues, 'show', {
    description: 'show an issue with its plan and its result',
    examples: ['sluice issues show 0c2d3e4f', 'sluice issues show 0c2d3e4f --json | jq .status'],
  })
    .argument(...ISSUE_ARGUMENT)
    .action(async (given: string, options: RemoteOptions) => {
      const { findIssue } = await import('../../session/find-by-suffix.ts');
      const { renderIssue } = await import('../../render/render-issues.ts');
      await withRemote(options, async ({ client, output }) => {
        const issue = await client.issues.get.query({ id: await findIssue(client, given) });
        const width = process.stdout.columns || Number.POSITIVE_INFINITY;
        output.data(issue, (style) => renderIssue(issue, style, width));
      });
      finish(exitCode.done);
    });

  remoteCommand(issues, 'diff', {
    description: 'show the change so far as a unified diff',
    examples: ['sluice issues diff 0c2d3e4f', 'sluice issues diff 0c2d3e4f | git apply --check'],
  })
    .argument(...ISSUE_ARGUMENT)
    .action(async (given: string, options: RemoteOptions) => {
      const { findIssue } = await import('../../session/find-by-suffix.ts');
      const { renderDiff } = await import('../../render/render-diff.ts');
      await withRemote(options, async ({ client, output }) => {
        const change = await client.issues.diff.query({ id: await findIssue(client, given) });
        // A program gets the patch byte for byte; on a terminal, control characters must not take effect.
        if (!output.json && process.stdout.isTTY !== true) process.stdout.write(change.diff);
        else output.data(change, (style) => renderDiff(change.diff, style, Number.POSITIVE_INFINITY));
      });
      finish(exitCode.done);
    });

  remoteCommand(issues, 'log', {
    description: 'print the output of the commands that ran',
    examples: ['sluice issues log 0c2d3e4f', 'sluice issues log 0c2d3e4f --json | jq .text   one JSON object a line'],
  })
    .argument(...ISSUE_ARGUMENT)
    .action(async (given: string, options: RemoteOptions) => {
      const { findIssue } = await import('../../session/find-by-suffix.ts');
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
