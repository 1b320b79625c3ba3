import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode } from '../../terminal/exit-code.ts';
import { type Finish, remoteCommand, withRemote } from '../remote-command.ts';

export function addIssuesDiffCommand(issues: Command, finish: Finish): void {
  remoteCommand(issues, 'diff', {
    description: 'the change so far',
    examples: ['sluice issues diff 0c2d3e4f', 'sluice issues diff 0c2d3e4f | git apply --check'],
  })
    .argument('<issue>', 'the end of its id')
    .action(async (given: string, options: RemoteOptions) => {
      const { findIssue } = await import('../../session/find-by-suffix.ts');
      const { renderDiff } = await import('../../render/render-diff.ts');
      await withRemote(options, async ({ client, output }) => {
        const change = await client.issues.diff.query({ id: await findIssue(client, given) });
        // For a program the patch has to be what it is, to the byte; a person's terminal must not obey it.
        if (!output.json && process.stdout.isTTY !== true) process.stdout.write(change.diff);
        else output.data(change, (style) => renderDiff(change.diff, style, Number.POSITIVE_INFINITY));
      });
      finish(exitCode.done);
    });
}
