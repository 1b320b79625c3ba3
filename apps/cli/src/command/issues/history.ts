import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { ISSUE_ARGUMENT, remoteCommand, withRemote } from '../remote-command.ts';

/** `plans` and `steps`: how an issue came to where it is. */
export function addHistoryCommands(issues: Command, finish: Finish): void {
  remoteCommand(issues, 'plans', {
    description: 'show every revision of the plan, the first one first',
    examples: ['sluice issues plans 0c2d3e4f', 'sluice issues plans 0c2d3e4f --jq ".items[].guidance"'],
  })
    .argument(...ISSUE_ARGUMENT)
    .action(async (given: string, options: RemoteOptions) => {
      const { findIssue } = await import('../../session/find-by-suffix.ts');
      const { renderPlan } = await import('../../render/render-plan.ts');
      await withRemote(options, async ({ client, output }) => {
        const plans = await client.issues.plans.query({ id: await findIssue(client, given) });
        const width = process.stdout.columns || Number.POSITIVE_INFINITY;
        output.data(plans, (style) =>
          plans.items.length === 0
            ? 'There is no plan yet.'
            : plans.items.map((plan) => renderPlan(plan, style, width)).join('\n\n'),
        );
      });
      finish(exitCode.done);
    });

  remoteCommand(issues, 'steps', {
    description: 'show the stages that ran, with their attempts, time and cost',
    examples: ['sluice issues steps 0c2d3e4f', "sluice issues steps 0c2d3e4f --jq '.items[] | .stage, .duration_ms'"],
  })
    .argument(...ISSUE_ARGUMENT)
    .action(async (given: string, options: RemoteOptions) => {
      const { findIssue } = await import('../../session/find-by-suffix.ts');
      const { renderSteps } = await import('../../render/render-steps.ts');
      await withRemote(options, async ({ client, output }) => {
        const steps = await client.issues.steps.query({ id: await findIssue(client, given) });
        output.data(steps, (style, page) => renderSteps(steps.items, { style, page }));
      });
      finish(exitCode.done);
    });
}
