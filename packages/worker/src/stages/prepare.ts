import type { CommandSource, TestRun, Workspace } from '@sluice/core';
import type { CommandPorts } from '../command/run-command.ts';
import { runSetupCommand } from '../command/run-setup-command.ts';
import type { StageContext } from '../stage/stage-context.ts';
import { advance, type StageEnd } from '../stage/stage-end.ts';
import { followRepo, type RepoPorts } from '../workspace/follow-repo.ts';
import { commandOrNull, renderSkipped, type SetupChoice, setupChoice } from './setup-choice.ts';
import { type BaseTestPorts, renderBaseTest, testBase } from './test-base.ts';

type Ports = RepoPorts | CommandPorts | BaseTestPorts;

/**
 * Prepares the working tree, installs the dependencies of the repository where that is allowed, and tests the base: what
 * is wrong with the environment must end the issue before a plan is made and a person is asked.
 */
export async function prepare(stage: StageContext<Ports>): Promise<StageEnd> {
  await followRepo(stage);
  const workspace = await stage.workspace();
  const detected = await stage.deps.commands.detect(workspace);
  const setup = setupChoice(stage.repo, detected);
  const notes = await setUp(stage, workspace, setup);
  const commands = {
    setup_command: setup.run,
    test_command: commandOrNull(stage.repo.testCommand ?? detected.test),
  };
  const base_test = await testBaseNow(stage, workspace, commands);
  return advance('prepare', {
    pipeline: {
      branch: workspace.branch,
      prepared: {
        base_commit: workspace.baseCommit,
        tree: workspace.treeId,
        ...commands,
        setup_source: sourceOf(commands.setup_command, stage.repo.setupCommand),
        test_source: sourceOf(commands.test_command, stage.repo.testCommand),
        base_test,
      },
    },
    notes: base_test === null ? notes : [...notes, renderBaseTest(base_test)],
  });
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
  if (test_command === null || !stage.repo.settings.test_before_gate) return null;
  return testBase(stage, workspace, { setup_command, test_command });
}

function sourceOf(command: string | null, own: string | null): CommandSource | null {
  if (command === null) return null;
  return own === null ? 'detected' : 'settings';
}
