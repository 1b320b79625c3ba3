import { AppError } from '@sluice/core/error';
import type { SandboxResult, Workspace } from '@sluice/core/workspace';
import type { StageContext } from '../stage/stage-context.ts';
import { outputExcerpt } from './output-excerpt.ts';
import { type CommandEnd, type CommandPorts, runCommand } from './run-command.ts';

const NAMED_FILES = 5; // enough to see what kind of files they are

/**
 * Runs the setup command. Changes that it makes to files under version control are reverted: they are not the coder's work
 * and must not be published as part of it.
 *
 * @returns notes for the log
 * @throws AppError `setup_failed`
 */
export async function runSetupCommand(
  stage: StageContext<CommandPorts>,
  workspace: Workspace,
  command: string,
): Promise<string[]> {
  const result = await runCommand(stage, {
    command,
    workspace,
    limits: stage.options.sandboxLimits.setup,
    allowHosts: stage.repo.settings.setup_network ? stage.options.setupAllowHosts : [],
  });
  if (result.exitCode !== 0) {
    const what = `The setup command \`${command}\` ${renderEnding(result)}. ${renderRefused(result)}${adviceFor(stage)}`;
    throw new AppError('setup_failed', { detail: `${what}\n${outputExcerpt(result.output)}`.trim() });
  }
  // A merge with conflicts is set up at another commit than the one its tree is compared with.
  const traces = workspace.merge === null ? await tracesOf(workspace, stage.signal) : null;
  await workspace.reset(stage.signal);
  if (traces === null) return [];
  return [
    `The setup command changed files that git does not ignore (${traces}). They were put back, so that they do not become part of the change. What the tests need of them belongs into \`.gitignore\`.`,
  ];
}

/** The refused hosts with their reasons, which name SETUP_ALLOW_HOSTS and ALLOW_PRIVATE_HOSTS for the operator. */
function renderRefused({ refused }: CommandEnd): string {
  return refused.length === 0 ? '' : `Refused: ${refused.join('; ')}. `;
}

function adviceFor({ repo }: StageContext<CommandPorts>): string {
  const network = repo.settings.setup_network
    ? ''
    : ' It ran without network access, which `--setup-network` (`settings.setup_network`) allows.';
  return `The command is set with \`--setup\` (\`setup_command\`; empty: none).${network}`;
}

/** The files under version control that a command changed, as text; null when there are none. */
async function tracesOf(workspace: Workspace, signal: AbortSignal): Promise<string | null> {
  try {
    const { files } = await workspace.diff(signal);
    const named = files.slice(0, NAMED_FILES).map(({ path }) => path);
    if (files.length > NAMED_FILES) named.push('…');
    return files.length === 0 ? null : `${files.length}: ${named.join(', ')}`;
  } catch (error) {
    // Too large to be a change, or not acceptable to git. It is reverted like the rest.
    if (error instanceof AppError && error.code === 'workspace_unsafe') return error.message;
    throw error;
  }
}

const limits: Readonly<Record<Exclude<SandboxResult['endedBy'], 'exit'>, string>> = {
  timeout: 'ran out of time',
  memory: 'ran out of memory',
  output: 'wrote too much output',
  refused: 'was ended, because it only waited for hosts that were refused',
};

/** How a command ended, as a predicate of its name. */
function renderEnding(result: SandboxResult): string {
  return result.endedBy === 'exit' ? `ended with exit code ${result.exitCode}` : limits[result.endedBy];
}
