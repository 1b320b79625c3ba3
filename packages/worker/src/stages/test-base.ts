import { AppError } from '@sluice/core/error';
import type { NewEvent } from '@sluice/core/issue';
import { environmentFailure, type Prepared, proposedCommands, type TestRun } from '@sluice/core/pipeline';
import type { Workspace } from '@sluice/core/workspace';
import { outputExcerpt } from '../command/output-excerpt.ts';
import { runTestCommand, type TestPorts } from '../command/run-test-command.ts';
import type { StageContext } from '../stage/stage-context.ts';
import { placeCompared } from '../workspace/merge-places.ts';
import { renderSkipped, setupChoice } from './setup-choice.ts';
import { renderUnread } from './test-feedback.ts';

export type BaseTestPorts = TestPorts | 'commands';

/**
 * Runs the tests at the base commit, once for all rounds, in the tree in which the change will be made. Changes that are
 * already there come from an interrupted attempt, and files that the tests leave are not the coder's work: both are removed.
 * Red tests are a result; a test command that cannot run is not, and no agent can fix it.
 *
 * @throws AppError `environment_failed`
 */
export async function testBase(
  stage: StageContext<BaseTestPorts>,
  workspace: Workspace,
  prepared: Pick<Prepared, 'setup_command'> & { readonly test_command: string },
): Promise<TestRun> {
  await placeCompared(workspace, stage.signal);
  const { run, output } = await runTestCommand(stage, workspace, { command: prepared.test_command, of: 'base' });
  await workspace.reset(stage.signal);
  const why = environmentFailure(run);
  if (why === null) return run;
  const detected = await stage.deps.commands.detect(workspace);
  throw environmentFailed({ run, output, why }, setupAdvice(setupChoice(stage.repo, detected).skipped, prepared));
}

/** Tests the base of a pipeline that was prepared without it, and writes the result. Does nothing when it is there. */
export async function testPreparedBase(stage: StageContext<BaseTestPorts>, workspace: Workspace): Promise<void> {
  const { pipeline } = stage.execution.issue();
  const { prepared } = pipeline;
  if (prepared === null || prepared.base_test !== null || prepared.test_command === null) return;
  const { setup_command, test_command } = prepared;
  const base_test = await testBase(stage, workspace, { setup_command, test_command }).catch((error: unknown) =>
    isNotYetThere(stage, test_command, error),
  );
  if (base_test === null) return;
  await stage.execution.apply({
    trigger: 'pipeline_updated',
    set: { pipeline: { ...pipeline, prepared: { ...prepared, base_test } } },
    events: [renderBaseTest(base_test)].map(
      (text): NewEvent => ({ type: 'agent.message', data: { agent: 'service', text } }),
    ),
  });
}

/**
 * The plan may propose a command that starts what the plan creates: then only the change can be tested. Said in the log.
 *
 * @throws `error` where it is about anything else
 */
async function isNotYetThere(stage: StageContext<BaseTestPorts>, command: string, error: unknown): Promise<null> {
  const { plan, pipeline } = stage.execution.issue();
  const isProposed = plan !== null && proposedCommands(plan).test_command === command;
  if (!isProposed || !(error instanceof AppError) || error.code !== 'environment_failed') throw error;
  const [what = ''] = error.message.split('\n');
  const text = `The test command that the plan proposes cannot run at the base, so only the change is tested with it. ${what}`;
  await stage.execution.apply({
    trigger: 'pipeline_updated',
    set: { pipeline },
    events: [{ type: 'agent.message', data: { agent: 'service', text } }],
  });
  return null;
}

/** Logged, because a failing test run before any change looks like a failure of the change. */
export function renderBaseTest({ exit_code, ended_by, unread }: TestRun): string {
  const outcome = exit_code === 0 ? 'pass' : 'fail';
  return `The tests ran at the base, before any change: they ${outcome} there${renderLimit(ended_by)}.${renderUnread(unread)}`;
}

/** The limit that ended a run; empty for none. */
export function renderLimit(endedBy: TestRun['ended_by']): string {
  return endedBy === null ? '' : `, because the limit on ${endedBy} ended them`;
}

/** The error for a test command that cannot run: what happened, what helps, and the output. */
export function environmentFailed(
  { run, output, why }: { readonly run: TestRun; readonly output: string; readonly why: string },
  advice: string,
): AppError {
  const says = why === `exit code ${run.exit_code}` ? why : `exit code ${run.exit_code}: ${outputExcerpt(why)}`;
  const detail = `The test command \`${run.command}\` cannot run in the sandbox (${says}). ${advice}\n${outputExcerpt(output)}`;
  return new AppError('environment_failed', { detail: detail.trim() });
}

function setupAdvice(skipped: string | null, { setup_command }: Pick<Prepared, 'setup_command'>): string {
  const other =
    'Another test command is set with `--test` (`test_command`; empty: no tests). Then retry (`--continue`).';
  if (skipped !== null) return `${renderSkipped(skipped)} ${other}`;
  const setup =
    setup_command === null
      ? 'No setup command ran: set one with `--setup` (`setup_command`), with network access by `--setup-network` (`settings.setup_network`).'
      : `The setup command \`${setup_command}\` ran: correct it with \`--setup\` (\`setup_command\`) if it does not install what is missing.`;
  return `${setup} ${other}`;
}
