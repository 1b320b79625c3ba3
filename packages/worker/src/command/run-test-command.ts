import type { TestRun } from '@sluice/core/pipeline';
import type { SandboxResult, Workspace } from '@sluice/core/workspace';
import type { StageContext } from '../stage/stage-context.ts';
import { outputTail } from './output-tail.ts';
import { NOT_READ, type ReadingPorts, readTestOutput } from './read-test-output.ts';
import { type CommandPorts, runCommand } from './run-command.ts';

export type TestPorts = CommandPorts | ReadingPorts;

const TAIL_CHARS = 6_000; // enough for the message and location of a failure, short enough for a prompt

const endings: Readonly<Record<SandboxResult['endedBy'], TestRun['ended_by']>> = {
  exit: null,
  timeout: 'timeout',
  memory: 'memory',
  output: 'output',
  refused: null, // never: tests have no network
};

/**
 * Runs the repository's tests once, without network. A red run is a result, not an error.
 *
 * @param of whether the base or the change is tested
 * @returns the run, and its output as the sandbox kept it
 */
export async function runTestCommand(
  stage: StageContext<TestPorts>,
  workspace: Workspace,
  { command, of }: { command: string; of: 'base' | 'head' },
): Promise<{ readonly run: TestRun; readonly output: string }> {
  const result = await runCommand(stage, {
    command,
    workspace,
    limits: stage.options.sandboxLimits.test,
    allowHosts: [],
  });
  // A list with a gap could hide a new failure and make a red head look as red as its base.
  const read = result.truncated ? { ...NOT_READ, unread: null } : await readTestOutput(stage, result.output, of);
  const run: TestRun = {
    command,
    exit_code: result.exitCode,
    duration_ms: Math.round(result.durationMs),
    // A green run has no failing tests, whatever names its tests print.
    failing: result.exitCode === 0 ? [] : [...read.failing],
    broken: result.exitCode === 0 ? [] : [...(read.broken ?? [])],
    gap: read.gap ?? null,
    failed_parts: [...(read.failed_parts ?? [])],
    passing: read.passing === null ? null : [...read.passing],
    counts: read.counts,
    ...(read.counts_when_red === true && { counts_when_red: true }),
    output_tail: outputTail(result.output, TAIL_CHARS),
    ended_by: endings[result.endedBy],
    unread: read.unread,
  };
  return { run, output: result.output };
}
