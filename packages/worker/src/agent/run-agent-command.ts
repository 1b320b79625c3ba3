import type { AgentCommandResult } from '@sluice/core/agent';
import { type CommandPorts, type CommandRun, runCommand } from '../command/run-command.ts';
import type { StageContext } from '../stage/stage-context.ts';

const NOTES_EVERY_MS = 1_000; // one indexed read; a person sees within a second that the command was stopped

/**
 * Runs a command of an agent. When a person writes a note meanwhile, or has written one that the agent has not read, it is
 * stopped or not started, so that the agent reads the note at once.
 *
 * @returns with `endedBy: 'note'` and the output so far when a note stopped it, `unread_note` when it was not started
 * @throws what `runCommand` throws
 */
export async function runAgentCommand(
  stage: StageContext<CommandPorts>,
  request: Omit<CommandRun, 'signal' | 'onOutput'>,
): Promise<AgentCommandResult> {
  const { deps, execution, signal } = stage;
  const noted = new AbortController();
  const began = deps.timers.now();
  const shown = openOutput(request.limits.outputBytes);
  const look = async () => {
    try {
      const notes = await deps.runs.notes(execution.issue().id);
      if (notes.length > 0) noted.abort();
    } catch (error) {
      deps.log.warn({ err: error, issueId: execution.issue().id }, 'could not look for notes');
    }
  };
  const stopLooking = deps.timers.every(NOTES_EVERY_MS, () => void look());
  try {
    await look();
    if (noted.signal.aborted)
      return { exitCode: null, endedBy: 'unread_note', output: '', truncated: false, durationMs: 0 };
    const stop = AbortSignal.any([signal, noted.signal]);
    return await runCommand(stage, { ...request, signal: stop, onOutput: shown.add });
  } catch (error) {
    if (!noted.signal.aborted || signal.aborted || error !== noted.signal.reason) throw error;
    const durationMs = Math.round(deps.timers.now() - began);
    return { exitCode: null, endedBy: 'note', ...shown.end(), durationMs };
  } finally {
    stopLooking();
  }
}

/** The end of a command's output, of at most so many characters. */
function openOutput(limit: number) {
  let output = '';
  let truncated = false;
  return {
    add(text: string): void {
      const all = output + text;
      truncated ||= all.length > limit;
      output = all.slice(-limit);
    },
    end: () => ({ output: output.toWellFormed(), truncated }),
  };
}
