import type { ChangedFile, JudgedChange } from '../change/changed-file.ts';
import type { Finding } from '../change/finding.ts';
import type { TestCounts, TestGap } from '../pipeline/test-report.ts';
import type { TouchedTests } from '../pipeline/touched-tests.ts';
import type { Workspace } from './workspace.ts';

export interface DetectedCommands {
  /** The command that installs the dependencies, or null. */
  readonly setup: string | null;
  /** The command that runs the tests, or null. */
  readonly test: string | null;
}

/** What a test command printed about its tests. */
export interface TestOutput {
  /** Names of failing tests; empty when none is known by name. */
  readonly failing: readonly string[];
  /** The names in `failing` that are no tests: see `TestRun`. Absent where there is none. */
  readonly broken?: readonly string[];
  /** Why more may fail than `failing` names; null or absent where it names all. */
  readonly gap?: TestGap | null;
  /** The parts of the command that failed, where it tells: packages, projects of several folders. */
  readonly failed_parts?: readonly string[];
  /** Names of all passed tests; null where the runner does not name all of them, or where they are very many. */
  readonly passing: readonly string[] | null;
  /** Null where the runner does not say. */
  readonly counts: TestCounts | null;
  /** The runner counts its tests only where one fails. */
  readonly counts_when_red?: boolean;
}

/** What the files of a project tell agents about where they work. */
export interface ProjectFacts {
  /** The programs that its manifests use, each as the command line that prints its version. */
  readonly programs: readonly (readonly string[])[];
  /** Its direct dependencies with their versions, e.g. `vitest 5.1.1`. */
  readonly packages: readonly string[];
  /** The names in its root, folders first and with a slash at the end. */
  readonly topLevel: readonly string[];
}

/** Detects a repository's commands from its files, and reads its tests and their output. Executes nothing. */
export interface ProjectCommands {
  detect(workspace: Workspace): Promise<DetectedCommands>;
  facts(workspace: Workspace): Promise<ProjectFacts>;
  /**
   * The names and counts of tests in a runner's output: TAP, JUnit or the runner's own format. Does not block the event loop.
   *
   * @returns null when parsing took too much time or memory
   * @throws the signal's reason, after parsing has stopped
   */
  readTests(output: string, signal: AbortSignal): Promise<TestOutput | null>;
  /**
   * The findings of a change to tests and checks (`changeFindings`). Does not block the event loop.
   *
   * @returns null when comparing took too much time or memory
   * @throws the signal's reason, after comparing has stopped
   */
  findings(change: JudgedChange, signal: AbortSignal): Promise<readonly Finding[] | null>;
  /** The effect of a change on tests in the sources (`touchedTests`); otherwise like `findings`. */
  touchedTests(files: readonly ChangedFile[], signal: AbortSignal): Promise<TouchedTests | null>;
}
