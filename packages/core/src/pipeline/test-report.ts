import * as z from 'zod';

/** How many tests ended how, as the runner says at the end. */
const testCountsSchema = z.object({ passed: z.int(), failed: z.int(), skipped: z.int() });
export type TestCounts = z.infer<typeof testCountsSchema>;

const testVerdicts = ['green', 'red_as_before', 'red'] as const;

/** The test result of a change: the run at the head, compared with the run at the base. */
export const testReportSchema = z.object({
  command: z.string().describe('The test command.'),
  verdict: z
    .enum(testVerdicts)
    .describe(
      '`green`: all tests pass. `red_as_before`: only tests fail that also fail at the base, and the repository allows that. `red`: anything else.',
    ),
  exit_code: z.int().nullable().describe('The exit code at the head; null when a limit ended the run.'),
  duration_ms: z.int().describe('How long the run took, in milliseconds.'),
  base_exit_code: z.int().nullable().describe('The exit code at the base; null when there is none.'),
  new_failures: z.array(z.string()).describe('Tests that fail at the head but not at the base, by name.'),
});
export type TestReport = z.infer<typeof testReportSchema>;

/** Why the output was not parsed: it took too much time or memory, or the service died twice while parsing it. */
const unreadReasons = ['given_up', 'process_died'] as const;
export type UnreadReason = (typeof unreadReasons)[number];

/** One run of the repository's test command. `exit_code` is null when a limit ended it. */
export const testRunSchema = z.object({
  command: z.string(),
  exit_code: z.int().nullable(),
  duration_ms: z.int(),
  /** Names of failing tests, from TAP, JUnit or the runner's own output; empty when they are unknown. */
  failing: z.array(z.string()),
  /** Names of all passed tests; null or absent where the runner does not name them, or where they are very many. */
  passing: z.array(z.string()).nullable().optional(),
  counts: testCountsSchema.nullable().optional(),
  /** The end of the output, for the coder and for the error's detail. */
  output_tail: z.string(),
  /** Why a limit ended the run, or null when the command ended by itself. */
  ended_by: z.enum(['timeout', 'memory', 'output', 'disk']).nullable(),
  /** Why the output was not parsed, so that only the exit code counts. Null when it was parsed. */
  unread: z.enum(unreadReasons).nullable().optional(),
});
export type TestRun = z.infer<typeof testRunSchema>;
