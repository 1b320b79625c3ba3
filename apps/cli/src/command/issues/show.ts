import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode } from '../../terminal/exit-code.ts';
import { type Finish, remoteCommand, withRemote } from '../remote-command.ts';

export function addIssuesShowCommand(issues: Command, finish: Finish): void {
  remoteCommand(issues, 'show', {
    description: 'show an issue with its plan and its result',
    examples: ['sluice issues show 0c2d3e4f', 'sluice issues show 0c2d3e4f --json | jq .status'],
  })
    .argument('<issue>', 'the end of its id')
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
}
