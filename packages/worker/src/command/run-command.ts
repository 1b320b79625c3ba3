import { AppError, toAppError } from '@sluice/core/error';
import type { NewEvent } from '@sluice/core/issue';
import type { SandboxLimits, SandboxResult, Workspace } from '@sluice/core/workspace';
import type { StageContext } from '../stage/stage-context.ts';
import { openCommandLog } from './command-log.ts';
import { outputTail } from './output-tail.ts';

export type CommandPorts = 'runs' | 'sandbox' | 'workspaces' | 'timers' | 'log';

const SHOWN_CHARS = 2_000; // of the output, in `command.finished`; the log has the rest

export interface CommandRun {
  readonly command: string;
  readonly workspace: Workspace;
  readonly limits: SandboxLimits;
  /** Hosts that the command may reach; empty: no network. */
  readonly allowHosts: readonly string[];
  /** Stops it; the stage's signal by default. */
  readonly signal?: AbortSignal;
  onOutput?(text: string): void;
}

const SHOWN_REFUSALS = 10; // a package manager asks one or two hosts

/** The end of a command. */
export interface CommandEnd extends SandboxResult {
  /** The hosts that were refused, each with the reason. */
  readonly refused: readonly string[];
}

/**
 * Runs a command in the sandbox, with its events, its live output and its log.
 *
 * @throws AppError of the sandbox, or the reason of the signal when aborted; the process tree is dead then
 */
export async function runCommand(stage: StageContext<CommandPorts>, request: CommandRun): Promise<CommandEnd> {
  const { command, workspace, signal = stage.signal } = request;
  const { deps, execution, live } = stage;
  const record = (event: NewEvent) => execution.write((lease) => deps.runs.record(lease, [event]));
  const began = deps.timers.now();
  const finished = (end: { exitCode: number | null; text: string }): NewEvent => ({
    type: 'command.finished',
    data: {
      command,
      exit_code: end.exitCode,
      duration_ms: Math.round(deps.timers.now() - began),
      text: end.text,
    },
  });

  const seq = await record({ type: 'command.started', data: { command } });
  const log = openCommandLog(
    { command, seq },
    {
      timers: deps.timers,
      write: (chunks) => execution.write((lease) => deps.runs.appendLog(lease, chunks)),
    },
  );
  const refused: string[] = [];
  let refusalsWritten: Promise<unknown> = Promise.resolve();
  let result: SandboxResult;
  try {
    result = await deps.sandbox.run({
      command,
      root: workspace.root,
      gitDir: workspace.gitDir,
      allowHosts: request.allowHosts,
      owner: stage.repo.userId,
      limits: request.limits,
      signal,
      onOutput(stream, text) {
        request.onOutput?.(text);
        log.add(stream, text);
        live.add({ type: 'command.output', data: { command, stream, text } });
      },
      onRefused(what) {
        if (refused.push(what) > SHOWN_REFUSALS) return;
        deps.log.warn({ issueId: workspace.issueId, command, refused: what }, 'the sandbox refused a host');
        const text = `\`${command}\` may not reach ${what}.`;
        const event: NewEvent = { type: 'agent.message', data: { agent: 'service', text } };
        // Written while the command runs. A write fails only when the execution has ended, which ends the command too.
        refusalsWritten = refusalsWritten.then(() => record(event)).catch(() => undefined);
      },
    });
  } catch (error) {
    await reclaimDisk(stage, workspace, error);
    // Best effort: it works after a timeout, but not after a cancel. The original error matters more.
    const text = signal.aborted
      ? `The command was stopped${stage.signal.aborted ? '' : ' by a note'}.`
      : isDiskError(error)
        ? error.message
        : `The command did not run: ${toAppError(error).message}`;
    await log
      .close()
      .catch(() => undefined)
      .then(() => record(finished({ exitCode: null, text })))
      .catch(() => undefined);
    throw error;
  }
  await refusalsWritten;
  await log.close();
  live.flush();
  await record(finished({ exitCode: result.exitCode, text: outputTail(result.output, SHOWN_CHARS) }));
  return { ...result, refused: refused.slice(0, SHOWN_REFUSALS) };
}

/**
 * Removes the tree of a command that filled the disk before anything is written, because the database may be on that disk.
 * Also runs after a cancel or a timeout. The next attempt prepares the tree again.
 */
async function reclaimDisk(
  { deps }: StageContext<CommandPorts>,
  { issueId }: Workspace,
  error: unknown,
): Promise<void> {
  try {
    if (isDiskError(error) || (await deps.workspaces.isSpaceLow())) await deps.workspaces.reclaim(issueId);
  } catch (failure) {
    // The original error matters more, and `prepare` tries again.
    deps.log.warn({ err: failure, issueId }, 'could not remove the working tree of a command that filled the disk');
  }
}

function isDiskError(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'disk_limit' || error.code === 'disk_full');
}
