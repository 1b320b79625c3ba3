import type { Workspace } from './workspace.ts';

export interface DetectedCommands {
  /** What installs the dependencies, or null when nothing needs installing. */
  readonly setup: string | null;
  /** What runs the tests, or null when none were found. */
  readonly test: string | null;
}

/** Finds a repository's own commands by its files. Runs nothing. */
export interface ProjectCommands {
  detect(workspace: Workspace): Promise<DetectedCommands>;
  /** Names of failing tests in a runner's output: TAP, JUnit or the runner's own form. */
  failingTests(output: string): string[];
}
