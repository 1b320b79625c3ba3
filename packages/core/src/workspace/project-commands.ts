import type { Workspace } from './workspace.ts';

export interface DetectedCommands {
  /** The command that installs the dependencies, or null. */
  readonly setup: string | null;
  /** The command that runs the tests, or null. */
  readonly test: string | null;
}

/** Detects a repository's commands from its files, and parses the output of its tests. Executes nothing. */
export interface ProjectCommands {
  detect(workspace: Workspace): Promise<DetectedCommands>;
  /**
   * The names of failing tests in a runner's output: TAP, JUnit or the runner's own format. Does not block the event loop.
   *
   * @returns null when parsing took too much time or memory
   * @throws the signal's reason, after parsing has stopped
   */
  failingTests(output: string, signal: AbortSignal): Promise<readonly string[] | null>;
}
