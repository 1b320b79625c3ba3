import { type Command, Option } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { ISSUE_ARGUMENT, remoteCommand, withRemote } from '../remote-command.ts';

/** The server's reasons, in its words; `close-reason.test.ts` compares both. Only a running command imports core. */
export const reasons = [
  'not_needed',
  'wrong_approach',
  'poor_quality',
  'too_large',
  'duplicate',
  'done_elsewhere',
  'other',
] as const;

interface CloseReasonOptions extends RemoteOptions {
  readonly reason: (typeof reasons)[number];
  readonly note?: string;
}

export function addCloseReasonCommand(issues: Command, finish: Finish): void {
  remoteCommand(issues, 'close-reason', {
    description: 'say why the pull request of an issue was closed without a merge',
    examples: [
      'sluice issues close-reason 0c2d3e4f --reason not_needed',
      "sluice issues close-reason 0c2d3e4f --reason too_large --note 'In three parts, please.'",
    ],
    notes: 'You can change your answer by giving it again.\n',
  })
    .argument(...ISSUE_ARGUMENT)
    .addOption(new Option('--reason <reason>', 'why').choices(reasons).makeOptionMandatory())
    .option('--note <text>', 'what the reason leaves open, up to 500 characters')
    .action(async (given: string, { reason, note, ...options }: CloseReasonOptions) => {
      const { findIssue } = await import('../../session/find-by-suffix.ts');
      await withRemote(options, async ({ client, output }) => {
        const id = await findIssue(client, given);
        const outcome = await client.issues.closeReason.mutate({
          id,
          reason,
          ...(note === undefined ? {} : { note }),
        });
        output.data(outcome, () => `#${outcome.number} was closed: ${reason}`);
      });
      finish(exitCode.done);
    });
}
