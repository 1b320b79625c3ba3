import * as z from 'zod';
import { shortened, visibleLine, visiblePath } from '../text/visible-text.ts';

/**
 * The kinds of findings of the service, which compares a change's files with the base, and whether a person decides
 * about each before the change is published. A finding is evidence, not a verdict: the change may be meant.
 */
const gatedByKind = {
  /** A test, or a file with tests, is gone, and so is not what it tested. */
  test_deleted: true,
  /** A test no longer runs: skipped, ignored, disabled, or left out of the build. */
  test_skipped: true,
  /** Only some tests run: `.only`, or a filter in a test command. */
  test_focused: true,
  /** A test checks less than before. */
  assertion_weakened: true,
  /** A test that cannot fail. */
  test_vacuous: true,
  /** An expected value was changed, and nothing but tests was. */
  expectation_changed: true,
  /** A limit that the build enforces, such as the coverage, was lowered. */
  threshold_lowered: true,
  /** Recorded output was rewritten, and the plan does not name the file. */
  snapshot_rewritten: true,
  /** The command that runs the tests was changed. */
  test_command_changed: true,
  /** The configuration of the tests leaves some of them out. */
  test_config_changed: true,
  /** A linter or type checker was turned off. */
  checks_disabled: true,
  /** The plan changes the program, and only tests were changed. */
  plan_not_followed: true,
  /** A file, what Git LFS stores of it, or the whole change could not be compared with the base. */
  not_compared: true,
  /** A new file that looks like a leftover. */
  scratch_file: false,
} as const satisfies Record<string, boolean>;

export type FindingKind = keyof typeof gatedByKind;

const findingKinds = Object.keys(gatedByKind) as [FindingKind, ...FindingKind[]];

export const findingSchema = z.object({
  kind: z.enum(findingKinds).describe('What was found.'),
  path: z.string().describe('The file.'),
  line: z.int().nullable().describe('The line in the changed file, from 1; null for what is gone or is a whole file.'),
  detail: z.string().describe('One sentence about it.'),
});
export type Finding = z.infer<typeof findingSchema>;

/** Whether a person must approve the publication of a change with this finding. */
export function needsApproval({ kind }: Finding): boolean {
  return gatedByKind[kind];
}

const MAX_DETAIL_LENGTH = 400;
const MAX_PATH_LENGTH = 200;

/** A finding as one line, whatever the file's name or a test's title contains. */
export function renderFinding({ path, line, detail }: Finding): string {
  const place = `${shortened(visiblePath(path), MAX_PATH_LENGTH)}${line === null ? '' : `:${line}`}`;
  return `\`${place}\`: ${shortened(visibleLine(detail), MAX_DETAIL_LENGTH)}`;
}
