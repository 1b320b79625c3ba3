import type { Workspace } from './workspace.ts';

export interface DetectedCommands {
  /** What installs the dependencies, or null when nothing needs installing. */
  readonly setup: string | null;
  /** What runs the tests, or null when none were found. */
  readonly test: string | null;
}

/** Finds a repository's own commands by its files, and reads what its tests printed. Runs nothing of it. */
export interface ProjectCommands {
  detect(workspace: Workspace): Promise<DetectedCommands>;
  /**
   * Names of failing tests in a runner's output: TAP, JUnit or the runner's own form. Never holds up the event loop.
   *
   * @returns null when reading took too much time or memory and was given up
   * @throws the signal's reason when aborted: nothing is being read any more then
   */
  failingTests(output: string, signal: AbortSignal): Promise<readonly string[] | null>;
}
