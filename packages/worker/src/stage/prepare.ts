import { AppError, type DetectedCommands, type Repo, type Workspace } from '@sluice/core';
import { endingInWords } from '../command/ending-in-words.ts';
import { outputTail } from '../command/output-tail.ts';
import { runCommand } from '../command/run-command.ts';
import { advance, type StageEnd } from './stage-end.ts';
import type { StageRun } from './stage-run.ts';

const NAMED_FILES = 5; // a reader knows from these what kind of files it was
const SHOWN_CHARS = 2_000; // of a failed setup's output, in the error's detail

/** Makes the working tree and, where that is allowed, installs what the repository needs. */
export async function prepare(stage: StageRun): Promise<StageEnd> {
  const workspace = await stage.workspace();
  const detected = await stage.deps.commands.detect(workspace);
  const setup = setupOf(stage.repo, detected);
  const notes = setup.run === null ? setup.notes : await install(stage, workspace, setup.run);
  return advance('prepare', {
    pipeline: {
      branch: workspace.branch,
      base_commit: workspace.baseCommit,
      setup_command: setup.run,
      test_command: commandOrNull(stage.repo.testCommand ?? detected.test),
    },
    notes,
  });
}

/** A command that the repository's owner set runs. One that was only detected runs where its network is allowed: without it, it could only fail. */
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

/**
 * Runs the setup command. What it changed in files that git sees is put back: it is not the coder's work, and must
 * not be published as if it were.
 *
 * @returns what is to be said of it
 */
async function install(stage: StageRun, workspace: Workspace, command: string): Promise<string[]> {
  const result = await runCommand(stage, {
    command,
    workspace,
    limits: stage.options.sandboxLimits.setup,
    allowHosts: stage.repo.settings.setup_network ? stage.options.setupAllowHosts : [],
  });
  if (result.exitCode !== 0) {
    const tail = outputTail(result.output, SHOWN_CHARS);
    throw new AppError('setup_failed', {
      detail: `The setup command \`${command}\` ${endingInWords(result)}.\n${tail}`.trim(),
    });
  }
  const traces = await tracesOf(workspace, stage.signal);
  await workspace.reset(stage.signal);
  if (traces === null) return [];
  return [
    `The setup command changed files that git does not ignore (${traces}). They were put back, so that they do not become part of the change. What the tests need of them belongs into \`.gitignore\`.`,
  ];
}

/** What a command changed in files that git sees, in words; null when nothing. */
async function tracesOf(workspace: Workspace, signal: AbortSignal): Promise<string | null> {
  try {
    const { files } = await workspace.diff(signal);
    const named = files.slice(0, NAMED_FILES).map(({ path }) => path);
    if (files.length > NAMED_FILES) named.push('…');
    return files.length === 0 ? null : `${files.length}: ${named.join(', ')}`;
  } catch (error) {
    // Too much to be a change, or nothing that git could take: it goes all the same.
    if (error instanceof AppError && error.code === 'workspace_unsafe') return error.message;
    throw error;
  }
}

/** An empty command is how an owner says "none". */
function commandOrNull(command: string | null): string | null {
  return command === null || command.trim() === '' ? null : command;
}
