import type { TestRun } from './test-report.ts';

/** The exit codes of `sh` for a command that it cannot execute, and for one that it does not find (POSIX.1, 2.8.2). */
const CANNOT_RUN = [126, 127];

/** How many of the last lines are read. Package managers write about fifteen lines after the one that counts. */
const READ_LINES = 30;

/** Lines of tools that replace the exit code by their own. Only the tool itself writes such a line, not a test. */
const TOOL_LINES = [
  /^make(?:\[\d+\])?: \*\*\* \[.*\] Error 12[67]$/,
  /^npm (?:error|ERR!) code 12[67]$/,
  // npx, which fetches a runner that is not installed.
  /^npm (?:error|ERR!) code (?:EAI_AGAIN|ENOTFOUND|ENOTCACHED)$/,
  /^error Command failed with exit code 12[67]\.$/, // yarn
  /^\s*ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL\s+Command ".*" not found$/,
  /^\S*sh: (?:\d+: )?cannot open \S+: No such file$/, // dash, for a script that is not there
  /^\S*python[\d.]*: No module named [\w.]+$/, // `python -m`; an import inside a test writes ModuleNotFoundError
  /^error: Failed to spawn: `.*`$/, // uv
  /^Command not found: \S+$/, // poetry
  // These fetch what is not there before they compile a test.
  /^error: failed to (?:get `.+` as a dependency of package|load source for dependency|download)/, // cargo
  /^(?:go: |\S+\.go:\d+:\d+: ).*: Get "https?:\/\/[^"]*": dial tcp/, // go; a test logs no column
  /^\[\S{0,12}ERROR\S{0,6}\] .*(?:could not be resolved|Could not resolve dependencies).*(?:Unknown host|name resolution)/, // mvn
];

/** `go test` names a package whose imports it could not fetch as it names a test. */
const NOT_STARTED = /\[setup failed\]$/;

/**
 * pnpm ends with 1 whatever its script ended with, and writes the warning after every failure without `node_modules`, also
 * of a package that needs none. So the shell must have said what it did not find.
 */
const PNPM_WARNING = /^\s*WARN\s+Local package\.json exists, but node_modules missing, did you mean to install\?$/;
const SHELL_NOT_FOUND = /^\S*sh: (?:(?:line )?\d+: )?\S+: (?:command )?not found$/;

/** The words of shells, make and Python that name what is missing. */
const NAMES_WHAT = /: not found$|command not found|No such file(?: or directory)?$|Permission denied$|No module named /;

/**
 * Whether a test run failed because its command could not run at all, such as a test runner that is not installed. A run
 * in which a test failed by name is none, and neither is any other failure: it is a red run.
 *
 * @returns the line of the output that says why, or the exit code in words; null for any other run
 */
export function environmentFailure(run: Pick<TestRun, 'exit_code' | 'failing' | 'output_tail'>): string | null {
  const { exit_code, failing, output_tail } = run;
  if (exit_code === null || exit_code === 0 || !failing.every((name) => NOT_STARTED.test(name))) return null;
  const lines = output_tail.trimEnd().split('\n').slice(-READ_LINES);
  const isPnpm = lines.some((line) => PNPM_WARNING.test(line));
  const toolLines = isPnpm ? [...TOOL_LINES, SHELL_NOT_FOUND] : TOOL_LINES;
  const toolLine = lines.findLast((line) => toolLines.some((pattern) => pattern.test(line)));
  if (toolLine === undefined && !CANNOT_RUN.includes(exit_code)) return null;
  return (lines.findLast((line) => NAMES_WHAT.test(line)) ?? toolLine ?? `exit code ${exit_code}`).trim();
}
