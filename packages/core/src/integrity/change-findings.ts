import type { ChangedFile } from './changed-file.ts';
import { disabledChecks } from './disabled-checks.ts';
import type { Finding } from './finding.ts';
import { isTestFile } from './is-test-file.ts';
import { scratchFiles } from './scratch-files.ts';

/** What the findings are taken from. */
export interface JudgedChange {
  /** Every changed file, or as many as could be read. */
  readonly files: readonly ChangedFile[];
  /** The paths that the approved plan names. */
  readonly planned: readonly string[];
}

const MOST_FINDINGS = 100; // a change with more is read by eye or not at all

/** Compares a change with its base, and returns what a reviewer and a person should know before it is published. */
export function changeFindings({ files, planned }: JudgedChange): Finding[] {
  const named = new Set(planned);
  return [...disabledChecks(files), ...scratchFiles(files, named)].slice(0, MOST_FINDINGS);
}

/** Whether the findings depend on this file more than on the others of a change that is too large to be read. */
export function isJudgedFile(path: string): boolean {
  return isTestFile(path);
}
