import { AppError, type ErrorCode } from '@sluice/core/error';
import type { TestRun } from '@sluice/core/pipeline';
import type { Workspace } from '@sluice/core/workspace';
import { runTestCommand, type TestPorts } from '../../command/run-test-command.ts';
import type { StageContext } from '../../stage/stage-context.ts';

/** The limits that stop a coder in the middle of its work while commands may still run. They cost no tokens. */
const limits: ReadonlySet<ErrorCode> = new Set(['budget_exhausted', 'agent_turns_exceeded', 'agent_stuck']);

const MAX_NAMED = 5;
/** The share of the time left that the test run at the base may take: with the change, tests may take longer. */
const LARGEST_SHARE = 1 / 2;

/**
 * Tests what a coder left in the tree when a limit stopped it, and restores the tree to what it left. Without this a person
 * cannot tell whether the patch is of use.
 *
 * @returns the failure, with the result in its text; the same one where there is nothing to test
 */
export async function testWhatIsLeft(
  stage: StageContext<TestPorts>,
  workspace: Workspace,
  failure: unknown,
): Promise<unknown> {
  const { execution, signal, budget } = stage;
  const { prepared } = execution.issue().pipeline;
  const command = prepared?.test_command ?? null;
  if (!(failure instanceof AppError) || !limits.has(failure.code) || command === null || signal.aborted) return failure;
  // A run that the time ends would take the place of the failure, and leave in the tree what it wrote.
  if ((prepared?.base_test?.duration_ms ?? 0) > budget.timeLeftMs() * LARGEST_SHARE) return failure;
  const left = await workspace.checkpoint(signal);
  if (left === null || left.patch.length === 0) return failure;
  const { run } = await runTestCommand(stage, workspace, { command, of: 'head' });
  await workspace.restore(left, signal);
  const result = renderResult(run, prepared?.base_test?.failing ?? []);
  return new AppError(failure.code, { ...failure.details, detail: `${failure.message} ${result}` }, { cause: failure });
}

function renderResult({ command, exit_code, ended_by, failing }: TestRun, before: readonly string[]): string {
  if (exit_code === 0) return `What it left was tested: \`${command}\` passes.`;
  const fresh = failing.filter((name) => !before.includes(name));
  const named = fresh.slice(0, MAX_NAMED).join(', ');
  const more = fresh.length > MAX_NAMED ? ` and ${fresh.length - MAX_NAMED} more` : '';
  const how = ended_by === null ? `exit code ${exit_code ?? 'unknown'}` : `the limit on ${ended_by} ended it`;
  return `What it left was tested: \`${command}\` fails (${how})${named === '' ? '' : `, with ${named}${more}`}.`;
}
