import { type NewEvent, type Plan, type Prepared, proposedTestCommand } from '@sluice/core';
import type { StageContext } from '../stage/stage-context.ts';
import { commandOrNull } from './setup-choice.ts';

/**
 * Takes over the test command of the approved plan where none is known, so that the base and the change are tested with it. A
 * command that the owner has set since comes first. Does nothing where one is known already.
 */
export async function adoptProposedCommand(stage: StageContext<never>, plan: Plan): Promise<void> {
  const { execution, repo } = stage;
  const { pipeline } = execution.issue();
  const { prepared } = pipeline;
  if (prepared === null || prepared.test_command !== null) return;
  const test_command = commandOrNull(repo.testCommand ?? proposedTestCommand(plan));
  if (test_command === null) return;
  const adopted: Prepared = {
    ...prepared,
    test_command,
    test_source: 'settings',
    // A retry must not take the command, which the approval has set, for a change of the settings.
    prepared_with: prepared.prepared_with && {
      ...prepared.prepared_with,
      test_command: repo.testCommand ?? test_command,
    },
  };
  const text = `The test command is \`${test_command}\`, as approved with the plan.`;
  const told: NewEvent = { type: 'agent.message', data: { agent: 'service', text } };
  await execution.apply({
    trigger: 'pipeline_updated',
    set: { pipeline: { ...pipeline, prepared: adopted } },
    events: [told],
  });
}

/** What an approver should know about a test command that the planner proposes; null without one. */
export function renderProposal(plan: Plan): string | null {
  const command = proposedTestCommand(plan);
  if (command === null) return null;
  return `No test command is known for this repository, and the planner proposes \`${command}\`. Approving sets it (\`test_command\`) and tests the base and the change with it. To use another one, set it before you approve.`;
}
