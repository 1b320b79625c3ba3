import * as z from 'zod';

/** How many tests ended how, as the runner says at the end. */
const testCountsSchema = z.object({ passed: z.int(), failed: z.int(), skipped: z.int() });
export type TestCounts = z.infer<typeof testCountsSchema>;

const testVerdicts = ['green', 'red_as_before', 'red'] as const;

/** A test that failed in some runs of the same commit and not in others. */
const flakyTestSchema = z.object({
  name: z.string(),
  failed: z.int().describe('In how many runs it failed.'),
  runs: z.int().describe('How many runs there were.'),
});
export type FlakyTest = z.infer<typeof flakyTestSchema>;

/** Whether the tests that a change adds or changes fail without it. */
const reproductionSchema = z.object({
  outcome: z
    .enum(['reproduced', 'not_reproduced', 'no_test', 'unknown'])
    .describe(
      '`reproduced`: a test fails at the base and passes with the change. `not_reproduced`: the changed tests pass without the change too. `no_test`: no test was changed. `unknown`: it could not be found out.',
    ),
  detail: z.string().describe('What was found, or why it was not.'),
});
export type Reproduction = z.infer<typeof reproductionSchema>;

/** The head, tested with the changed test files as they are at the base. */
const baseTestsSchema = z.object({
  exit_code: z.int().nullable().describe('The exit code of that run; null when a limit ended it.'),
  failed: z
    .array(z.string())
    .describe('Tests that fail with the test files of the base and not with those of the change, by name.'),
});
export type BaseTests = z.infer<typeof baseTestsSchema>;

/** The test result of a change: the run at the head, compared with the run at the base. */
export const testReportSchema = z.object({
  command: z.string().describe('The test command.'),
  verdict: z
    .enum(testVerdicts)
    .describe(
      '`green`: all tests pass, in one run at least: see `flaky`. `red_as_before`: only tests fail that also fail at the base, none of them is what the issue is to fix, and a model wrote the change or the repository allows it. `red`: anything else.',
    ),
  exit_code: z.int().nullable().describe('The exit code at the head; null when a limit ended the run.'),
  duration_ms: z.int().describe('How long the run took, in milliseconds.'),
  base_exit_code: z.int().nullable().describe('The exit code at the base; null when there is none.'),
  red_because: z
    .string()
    .nullable()
    .optional()
    .describe(
      'Why tests that all failed at the base too are `red` and not `red_as_before`; null for any other verdict.',
    ),
  new_failures: z.array(z.string()).describe('Tests that fail at the head but not at the base, by name.'),
  counts: testCountsSchema.nullable().optional().describe('How many tests ended how at the head; null where unknown.'),
  base_counts: testCountsSchema.nullable().optional().describe('The same at the base.'),
  failed_before: z.array(z.string()).optional().describe('Tests that fail at the head and at the base, by name.'),
  must_pass: z
    .array(z.string())
    .optional()
    .describe('Failing tests that the issue, its plan or a review names as what is to be fixed.'),
  flaky: z.array(flakyTestSchema).optional().describe('Tests that failed in some runs of the head and not in others.'),
  not_run: z
    .array(z.string())
    .optional()
    .describe('Tests that ran at the base and did not run at the head: deleted, renamed or skipped.'),
  missing: z
    .array(z.string())
    .optional()
    .describe(
      'Why fewer tests ran than at the base, where the change to the tests does not explain it: a sentence each.',
    ),
  reproduction: reproductionSchema
    .nullable()
    .optional()
    .describe('For a bug: whether the changed tests fail without the change.'),
  base_tests: baseTestsSchema
    .nullable()
    .optional()
    .describe(
      'The head, tested with the changed test files as they are at the base. Evidence: behaviour may be meant to change.',
    ),
});
export type TestReport = z.infer<typeof testReportSchema>;

/** Why the output was not parsed: it took too much time or memory, or the service died twice while parsing it. */
const unreadReasons = ['given_up', 'process_died'] as const;
export type UnreadReason = (typeof unreadReasons)[number];

/** Why a run may have more failures than it names. `stopped`: it ended at a failure. `unnamed`: it counts more of them. */
const testGaps = ['stopped', 'unnamed'] as const;
export type TestGap = (typeof testGaps)[number];

/** One run of the repository's test command. `exit_code` is null when a limit ended it. */
export const testRunSchema = z.object({
  command: z.string(),
  exit_code: z.int().nullable(),
  duration_ms: z.int(),
  /** Names of failing tests, from TAP, JUnit or the runner's own output; empty when they are unknown. */
  failing: z.array(z.string()),
  /**
   * The names in `failing` that are no tests but contain tests: a file that could not be loaded, a build, a hook, a
   * process that ended early. What the tests in it would have done is unknown. Absent in runs of earlier releases.
   */
  broken: z.array(z.string()).optional(),
  /** Absent in runs of earlier releases. */
  gap: z.enum(testGaps).nullable().optional(),
  /** Parts of the command that failed, where it tells. Absent in runs of earlier releases. */
  failed_parts: z.array(z.string()).optional(),
  /** Names of all passed tests; null or absent where the runner does not name them, or where they are very many. */
  passing: z.array(z.string()).nullable().optional(),
  counts: testCountsSchema.nullable().optional(),
  /** The runner counts its tests only where one fails. Absent in runs of earlier releases. */
  counts_when_red: z.boolean().optional(),
  /** Tests of the base that failed in this run and not when it was repeated. Absent while it was not. */
  flaky: z.array(z.string()).optional(),
  /** The end of the output, for the coder and for the error's detail. */
  output_tail: z.string(),
  /** Why a limit ended the run, or null when the command ended by itself. */
  ended_by: z.enum(['timeout', 'memory', 'output', 'disk']).nullable(),
  /** Why the output was not parsed, so that only the exit code counts. Null when it was parsed. */
  unread: z.enum(unreadReasons).nullable().optional(),
});
export type TestRun = z.infer<typeof testRunSchema>;
