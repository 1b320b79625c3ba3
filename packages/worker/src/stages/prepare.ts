import type { CommandSource, DetectedCommands, Repo } from '@sluice/core';
import type { CommandPorts } from '../command/run-command.ts';
import { runSetupCommand } from '../command/run-setup-command.ts';
import type { StageContext } from '../stage/stage-context.ts';
import { advance, type StageEnd } from '../stage/stage-end.ts';
import { followRepo, type RepoPorts } from '../workspace/follow-repo.ts';

type Ports = 'commands' | RepoPorts | CommandPorts;

/** Prepares the working tree and, where that is allowed, installs the dependencies of the repository. */
export async function prepare(stage: StageContext<Ports>): Promise<StageEnd> {
  await followRepo(stage);
  const workspace = await stage.workspace();
  const detected = await stage.deps.commands.detect(workspace);
  const setup = setupOf(stage.repo, detected);
  const test = commandOrNull(stage.repo.testCommand ?? detected.test);
  const notes = setup.run === null ? setup.notes : await runSetupCommand(stage, workspace, setup.run);
  return advance('prepare', {
    pipeline: {
      branch: workspace.branch,
      prepared: {
        base_commit: workspace.baseCommit,
        tree: workspace.treeId,
        setup_command: setup.run,
        test_command: test,
        setup_source: sourceOf(setup.run, stage.repo.setupCommand),
        test_source: sourceOf(test, stage.repo.testCommand),
        base_test: null,
      },
    },
    notes,
  });
}

/** A command that the owner configured always runs. A detected one only runs with network access, without which it would fail. */
function setupOf(repo: Repo, detected: DetectedCommands): { run: string | null; notes: string[] } {
  const own = repo.setupCommand;
  if (own !== null) return { run: commandOrNull(own), notes: [] };
  const found = commandOrNull(detected.setup);
  if (found === null || repo.settings.setup_network) return { run: found, notes: [] };
  return {
    run: null,
    notes: [
      `\`${found}\` would install this repository's dependencies, but it did not run: it needs the network, and \`settings.setup_network\` is off. Turn it on, or set \`setup_command\`.`,
    ],
  };
}

function sourceOf(command: string | null, own: string | null): CommandSource | null {
  if (command === null) return null;
  return own === null ? 'detected' : 'settings';
}

/** An empty command means none. */
function commandOrNull(command: string | null): string | null {
  return command === null || command.trim() === '' ? null : command;
}
