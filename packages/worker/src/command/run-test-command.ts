import type { SandboxResult, TestRun, Workspace } from '@sluice/core';
import type { StageRun } from '../stage/stage-run.ts';
import { outputTail } from './output-tail.ts';
import { runCommand } from './run-command.ts';

const TAIL_CHARS = 6_000; // enough for a failure's message and its place in the code, little enough for a prompt

const endings: Readonly<Record<SandboxResult['endedBy'], TestRun['ended_by']>> = {
  exit: null,
  timeout: 'timeout',
  memory: 'memory',
  output: 'output',
};

/** Runs the repository's tests once, without network. A red run is an answer, not an error. */
export async function runTestCommand(stage: StageRun, workspace: Workspace, command: string): Promise<TestRun> {
  const result = await runCommand(stage, {
    command,
    workspace,
    limits: stage.options.sandboxLimits.test,
    allowHosts: [],
  });
  return {
    command,
    exit_code: result.exitCode,
    duration_ms: Math.round(result.durationMs),
    // A list with its middle missing could hide a new failure, and pass a red head off as red before.
    failing: result.exitCode === 0 || result.truncated ? [] : stage.deps.commands.failingTests(result.output),
    output_tail: outputTail(result.output, TAIL_CHARS),
    ended_by: endings[result.endedBy],
  };
}
