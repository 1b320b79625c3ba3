import * as z from 'zod';
import { testReportSchema, testRunSchema } from '../issue/test-report.ts';
import { stages } from './stages.ts';

/** What the triager found out. */
export const triageSchema = z.object({
  kind: z.enum(['bug', 'feature', 'refactoring', 'docs', 'chore', 'question']),
  summary: z.string(),
  acceptance_criteria: z.array(z.string()),
  risk: z.enum(['low', 'medium', 'high']),
  open_questions: z.array(z.string()),
});
export type Triage = z.infer<typeof triageSchema>;

/** What the reviewer found. `request_changes` sends the pipeline back to `implement`. */
export const reviewSchema = z.object({
  decision: z.enum(['approve', 'request_changes']),
  summary: z.string(),
  findings: z.array(z.string()),
});
export type Review = z.infer<typeof reviewSchema>;

/**
 * All that a pipeline has found out so far: one document on the row, written in the same act as the
 * stage that it comes from, so that any process can go on from it.
 */
const pipelineStateSchema = z.object({
  branch: z.string().nullable(),
  base_commit: z.string().nullable(),
  /** The working tree that all work so far was done in: its `treeId`. */
  tree: z.string().nullable(),
  setup_command: z.string().nullable(),
  test_command: z.string().nullable(),
  triage: triageSchema.nullable(),
  /** Guidance of the last `instruct`, for the planner's next revision. */
  guidance: z.string().nullable(),
  base_test: testRunSchema.nullable(),
  /** How often `implement` has begun; 1 = the first time. */
  implement_round: z.int().min(0),
  /**
   * Rounds of a stage that lie before the last retry of the failed issue, where the rest of this document does not
   * count them. Absent until the first retry.
   */
  past_rounds: z.partialRecord(z.enum(stages), z.int().min(0)).optional(),
  test_send_backs: z.int().min(0),
  review_send_backs: z.int().min(0),
  /** Why the last send-back happened: what the coder reads first. */
  feedback: z.string().nullable(),
  /** What the last round of `implement` came to. The next one goes on from its commit. */
  implementation: z.object({ summary: z.string(), head_commit: z.string() }).nullable(),
  tests: testReportSchema.nullable(),
  review: reviewSchema.nullable(),
});
export type PipelineState = z.infer<typeof pipelineStateSchema>;

export const NEW_PIPELINE: PipelineState = {
  branch: null,
  base_commit: null,
  tree: null,
  setup_command: null,
  test_command: null,
  triage: null,
  guidance: null,
  base_test: null,
  implement_round: 0,
  test_send_backs: 0,
  review_send_backs: 0,
  feedback: null,
  implementation: null,
  tests: null,
  review: null,
};
