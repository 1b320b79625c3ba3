import type { ProjectCommands, Sandbox, SandboxCommand, SandboxResult, TestOutput } from '@sluice/core/workspace';
import { changeFindings, touchedTests } from '@sluice/test-integrity';
import type { FakeHost } from './fake-host.ts';

/** The effect of a command on its tree, and its end. */
export type FakeCommand = (
  run: SandboxCommand & { files: Map<string, string> },
) => Promise<Partial<SandboxResult>> | Partial<SandboxResult>;

export interface FakeSandbox extends Sandbox {
  /** The commands that were run, with the hosts that they could reach. */
  readonly runs: { command: string; allowHosts: readonly string[] }[];
}

/** Runs no process: each command is a function of the test. An unknown one ends with 127, as in `sh`. */
export function fakeSandbox(
  host: FakeHost,
  commands: Record<string, FakeCommand>,
  kind: Sandbox['kind'] = 'bwrap',
): FakeSandbox {
  const runs: FakeSandbox['runs'] = [];
  return {
    kind,
    runs,
    probe: async () => ({ kind, usable: true, problem: null, gaps: [], readPaths: [] }),
    run: async (request) => {
      request.signal.throwIfAborted();
      runs.push({ command: request.command, allowHosts: request.allowHosts });
      const files = host.trees.get(request.root.replace('/trees/', '')) ?? new Map<string, string>();
      const command = commands[request.command] ?? (() => ({ exitCode: 127, output: 'not found\n' }));
      const result = await command({ ...request, files });
      const output = result.output ?? '';
      if (output !== '') request.onOutput?.('stdout', output);
      return { exitCode: 0, endedBy: 'exit', truncated: false, durationMs: 1, ...result, output };
    },
  };
}

/** A test command in the TAP form: green when the file says "fixed". */
export const tapTest: FakeCommand = ({ files }) =>
  files.get('src/sum.js') === 'fixed'
    ? { exitCode: 0, output: 'ok 1 - adds\n' }
    : { exitCode: 1, output: 'not ok 1 - adds\n' };

/** Runs until it is aborted, like a command that hangs. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

/** What a runner told that names its failing tests alone. */
export function testOutput(failing: readonly string[]): TestOutput {
  return { failing, passing: null, counts: null };
}

/** A project whose files tell nothing: no program is asked for its version. Changes are compared as they really are. */
export const plainProject: Pick<ProjectCommands, 'facts' | 'findings' | 'touchedTests'> = {
  facts: async () => ({ programs: [], packages: [], topLevel: [] }),
  findings: async (change) => changeFindings(change),
  touchedTests: async (files) => touchedTests(files),
};
