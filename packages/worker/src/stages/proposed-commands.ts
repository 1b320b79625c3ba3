import type { NewEvent } from '@sluice/core/issue';
import { type Plan, type Prepared, proposedCommands } from '@sluice/core/pipeline';
import type { Workspace } from '@sluice/core/workspace';
import type { CommandPorts } from '../command/run-command.ts';
import { runSetupCommand } from '../command/run-setup-command.ts';
import type { StageContext } from '../stage/stage-context.ts';
import { type EnvironmentPorts, measureEnvironment } from './environment/measure-environment.ts';
import { commandOrNull } from './setup-choice.ts';

type Ports = CommandPorts | EnvironmentPorts;

/**
 * Takes over the commands of the approved plan where none is known: installs what the tests need, and lets the base and the
 * change be tested. A command that the owner has set since comes first. Does nothing where both are known already.
 *
 * Runs before anything is written in the tree, because a setup command clears it.
 *
 * @throws AppError `setup_failed`
 */
export async function adoptProposedCommands(
  stage: StageContext<Ports>,
  workspace: Workspace,
  plan: Plan,
): Promise<void> {
  const { execution, repo } = stage;
  const { prepared } = execution.issue().pipeline;
  if (prepared === null) return;
  const { setup, test } = toAdopt(stage, prepared, plan);
  if (setup === null && test === null) return;
  const notes = setup === null ? [] : await runSetupCommand(stage, workspace, setup);
  const adopted: Prepared = {
    ...prepared,
    ...(setup !== null && {
      setup_command: setup,
      setup_source: 'settings',
      // Both were found out without what is installed now.
      base_test: null,
      environment: await measureEnvironment(stage, workspace, {
        setup_source: 'settings',
        setup: { command: setup, ran: true },
      }),
    }),
    ...(test !== null && { test_command: test, test_source: 'settings' }),
    // A retry must not take a command that the approval has set for a change of the settings.
    prepared_with: prepared.prepared_with && {
      ...prepared.prepared_with,
      ...(setup !== null && { setup_command: repo.setupCommand ?? setup }),
      ...(test !== null && { test_command: repo.testCommand ?? test }),
    },
  };
  const messages = [
    ...notes,
    ...(setup === null ? [] : [`The setup command is \`${setup}\`, as approved with the plan.`]),
    ...(test === null ? [] : [`The test command is \`${test}\`, as approved with the plan.`]),
  ];
  await execution.apply({
    trigger: 'pipeline_updated',
    set: { pipeline: { ...execution.issue().pipeline, prepared: adopted } },
    events: messages.map((text): NewEvent => ({ type: 'agent.message', data: { agent: 'service', text } })),
  });
}

function toAdopt({ repo }: StageContext<never>, prepared: Prepared, plan: Plan) {
  const { setup_command, test_command } = proposedCommands(plan);
  const isOpen = prepared.setup_command === null && setup_command !== undefined;
  return {
    setup: isOpen ? commandOrNull(repo.setupCommand ?? setup_command) : null,
    test: prepared.test_command === null ? commandOrNull(repo.testCommand ?? test_command ?? null) : null,
  };
}

/** What an approver should know about the commands that the planner proposes. */
export function renderProposals(plan: Plan, { setup_network }: { readonly setup_network: boolean }): string[] {
  const { setup_command, test_command } = proposedCommands(plan);
  const network = setup_network ? 'with the network that the operator allows for it' : 'without network';
  return [
    ...(setup_command === undefined
      ? []
      : [
          `No setup command is known for this repository, and the planner proposes \`${setup_command}\`. Approving sets it (\`setup_command\`) and runs it in the sandbox, ${network}. To use another one, set it before you approve.`,
        ]),
    ...(test_command === undefined
      ? []
      : [
          `No test command is known for this repository, and the planner proposes \`${test_command}\`. Approving sets it (\`test_command\`) and tests the base and the change with it. To use another one, set it before you approve.`,
        ]),
  ];
}
