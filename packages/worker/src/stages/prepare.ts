import {
  type CommandSource,
  proposedCommands,
  type Stage,
  stageRound,
  type TestRun,
  withoutRound,
} from '@sluice/core/pipeline';
import type { DetectedCommands, Workspace } from '@sluice/core/workspace';
import type { CommandPorts } from '../command/run-command.ts';
import { runSetupCommand } from '../command/run-setup-command.ts';
import type { StageContext } from '../stage/stage-context.ts';
import { advance, type StageEnd } from '../stage/stage-end.ts';
import { putWorkBack } from '../workspace/adopt-tree.ts';
import { followRepo, type RepoPorts } from '../workspace/follow-repo.ts';
import { placeForSetup } from '../workspace/merge-places.ts';
import { renderAbsent } from './absent-content.ts';
import { type EnvironmentPorts, measureEnvironment } from './environment/measure-environment.ts';
import type { SetupOutcome } from './environment/render-environment.ts';
import { commandOrNull, renderSkipped, type SetupChoice, setupChoice } from './setup-choice.ts';
import { type BaseTestPorts, renderBaseTest, testBase } from './test-base.ts';

type Ports = RepoPorts | CommandPorts | BaseTestPorts | EnvironmentPorts;

/**
 * Prepares the working tree, installs the dependencies of the repository where that is allowed, and tests the base: what
 * is wrong with the environment must end the issue before a plan is made and a person is asked.
 *
 * A retry may lead back here when the commands have changed. Then the base stays the same, the work is put back, and the
 * pipeline continues at the stage that failed.
 */
export async function prepare(stage: StageContext<Ports>): Promise<StageEnd> {
  await followRepo(stage);
  const workspace = await stage.workspace();
  await placeForSetup(workspace, stage.signal);
  const detected = await stage.deps.commands.detect(workspace);
  const own = ownCommands(stage, detected);
  const setup = setupChoice({ ...stage.repo, ...own }, detected);
  const { resume_at } = stage.execution.issue().pipeline;
  if (resume_at !== null) await workspace.reset(stage.signal);
  const absent = renderAbsent(await workspace.absent(stage.signal));
  const notes = [...again(resume_at), ...absent, ...(await setUp(stage, workspace, setup))];
  const commands = {
    setup_command: setup.run,
    test_command: commandOrNull(own.testCommand ?? detected.test),
  };
  const sources = {
    setup_source: sourceOf(commands.setup_command, own.setupCommand),
    test_source: sourceOf(commands.test_command, own.testCommand),
  };
  const environment = await measureEnvironment(stage, workspace, {
    setup_source: sources.setup_source,
    setup: outcomeOf(setup),
  });
  const base_test = await testBaseNow(stage, workspace, commands);
  // Whatever comes next works on the merge. On the branch alone, a commit would undo all that the base brings.
  if (workspace.merge !== null) await workspace.reset(stage.signal);
  const isWhole = await isWorkWhole(stage, workspace);
  const end = advance('prepare', {
    pipeline: {
      resume_at: null,
      // Where the work of the round cannot be put back whole, the round starts again.
      ...(isWhole ? {} : withoutRound(stage.execution.issue().pipeline)),
      branch: workspace.branch,
      prepared: {
        base_commit: workspace.baseCommit,
        tree: workspace.treeId,
        ...commands,
        ...sources,
        prepared_with: {
          setup_command: stage.repo.setupCommand,
          test_command: stage.repo.testCommand,
          setup_network: stage.repo.settings.setup_network,
        },
        base_test,
        environment,
      },
    },
    notes: base_test === null ? notes : [...notes, renderBaseTest(base_test)],
  });
  return resume_at === null ? end : { ...end, next: resume_at };
}

/**
 * The commands of the repository's settings. Where none is set or found, the approved plan's: a retry needs what the approval
 * allowed, even if the repository did not keep it.
 */
function ownCommands({ repo, execution }: StageContext<never>, detected: DetectedCommands) {
  const { plan, pipeline } = execution.issue();
  const { setup_command, test_command } = plan === null || pipeline.approved === null ? {} : proposedCommands(plan);
  return {
    setupCommand: repo.setupCommand ?? (detected.setup === null ? (setup_command ?? null) : null),
    testCommand: repo.testCommand ?? (detected.test === null ? (test_command ?? null) : null),
  };
}

function again(resumeAt: Stage | null): string[] {
  if (resumeAt === null) return [];
  return [`The issue is prepared again, on the same base, and continues at \`${resumeAt}\`.`];
}

/** Puts back the work of the round that continues. */
async function isWorkWhole(stage: StageContext<Ports>, workspace: Workspace): Promise<boolean> {
  const issue = stage.execution.issue();
  const { resume_at } = issue.pipeline;
  if (resume_at === null || resume_at === 'human_review') return true;
  return await putWorkBack(stage, workspace, { stage: resume_at, round: stageRound(resume_at, issue) });
}

async function setUp(stage: StageContext<Ports>, workspace: Workspace, setup: SetupChoice): Promise<string[]> {
  if (setup.skipped !== null) return [renderSkipped(setup.skipped)];
  return setup.run === null ? [] : runSetupCommand(stage, workspace, setup.run);
}

async function testBaseNow(
  stage: StageContext<Ports>,
  workspace: Workspace,
  { setup_command, test_command }: { setup_command: string | null; test_command: string | null },
): Promise<TestRun | null> {
  const isApproved = stage.execution.issue().pipeline.approved !== null;
  if (test_command === null || !(stage.repo.settings.test_before_gate || isApproved)) return null;
  return testBase(stage, workspace, { setup_command, test_command });
}

function outcomeOf({ run, skipped }: SetupChoice): SetupOutcome | null {
  if (run !== null) return { command: run, ran: true };
  return skipped === null ? null : { command: skipped, ran: false };
}

function sourceOf(command: string | null, own: string | null): CommandSource | null {
  if (command === null) return null;
  return own === null ? 'detected' : 'settings';
}
