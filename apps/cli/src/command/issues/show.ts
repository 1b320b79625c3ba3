import type { Command } from 'commander';
import type { Remote, RemoteOptions } from '../../session/remote.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { ISSUE_ARGUMENT, remoteCommand, withRemote } from '../remote-command.ts';

const commands = {
  show: {
    description: 'show an issue with its plan and its result',
    examples: [
      'sluice issues show 0c2d3e4f',
      'sluice issues show 0c2d3e4f --jq .status',
      'sluice issues show 0c2d3e4f --web',
    ],
  },
  diff: {
    description: 'show the change so far as a unified diff',
    examples: ['sluice issues diff 0c2d3e4f', 'sluice issues diff 0c2d3e4f | git apply --check'],
  },
  log: {
    description: 'print the output of the commands that ran',
    examples: ['sluice issues log 0c2d3e4f', 'sluice issues log 0c2d3e4f --json | jq .text   one JSON object a line'],
  },
} as const;

/** `show`, `diff` and `log`: what is known of one issue. */
export function addShowCommands(issues: Command, finish: Finish): void {
  for (const name of ['show', 'diff', 'log'] as const) {
    const command = remoteCommand(issues, name, commands[name]).argument(...ISSUE_ARGUMENT);
    if (name === 'show') command.option('-w, --web', 'open its pull request, or the issue it came from, in a browser');
    command.action(async (given: string, options: RemoteOptions & { web?: true }) => {
      const { findIssue } = await import('../../session/find-by-suffix.ts');
      const { printDiff, printIssue, printLog } = await import('../../follow/print-issue.ts');
      const print = { show: printIssue, diff: printDiff, log: printLog }[name];
      await withRemote(options, async ({ client, output }) => {
        const id = await findIssue(client, given);
        if (options.web === true) await openIssue({ client, output, id });
        else await print({ client, output, id });
      });
      finish(exitCode.done);
    });
  }
}

async function openIssue({ client, output, id }: Pick<Remote, 'client' | 'output'> & { id: string }): Promise<void> {
  const { openPage } = await import('../../terminal/open-page.ts');
  const { result, codehost_url } = await client.issues.get.query({ id });
  const address = result?.change_request_url ?? codehost_url;
  openPage(output, address, 'The issue has no pull request, and was not imported from a code host.');
}

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
