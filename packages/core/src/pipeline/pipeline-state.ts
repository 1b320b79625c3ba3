import * as z from 'zod';
import { budgetSchema } from './budget.ts';
import { stages } from './stages.ts';
import { testReportSchema, testRunSchema } from './test-report.ts';

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

/** A file that was changed although the plan does not name it; `reason` is the coder's, null when it gave none. */
export const outsidePlanSchema = z.object({ path: z.string(), reason: z.string().nullable() });
export type OutsidePlan = z.infer<typeof outsidePlanSchema>;

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
  /** Files in which the base moved when it was last followed, for the planner's next revision. */
  base_moved: z.array(z.string()).nullable().optional(),
  /** What the approval was given for. */
  approved: z
    .object({ revision: z.int(), plan_hash: z.string().nullable(), base_commit: z.string().nullable() })
    .nullable()
    .optional(),
  /** The issue's own budget, instead of the server's. */
  budget: budgetSchema.nullable().optional(),
  /** The server has warned that the budget is nearly used up. */
  budget_warned: z.boolean().optional(),
  /** The server has said that a limit on money cannot be held, because a price is unknown. */
  cost_unknown_told: z.boolean().optional(),
  /** The failed round can be gone on with: what ended it was not the agent's work. */
  round_goes_on: z.boolean().optional(),
  /** Places that the planner was shown first: what retrieval is judged by. */
  retrieved: z.array(z.string()).optional(),
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
  implementation: z
    .object({
      summary: z.string(),
      head_commit: z.string(),
      outside_plan: z.array(outsidePlanSchema).optional(),
      /** How the models are shown that worked on it, in all rounds so far. */
      made_by: z.array(z.string()).optional(),
    })
    .nullable(),
  tests: testReportSchema.nullable(),
  review: reviewSchema.nullable(),
  /** When the last reminder of an unanswered gate was written. */
  reminded_at: z.iso.datetime().optional(),
  /** What is odd about the text, for whoever decides: text that he cannot see, for one. */
  warnings: z.array(z.string()).optional(),
  /** How far publishing has come. What is not written here may have been done all the same: look before doing it again. */
  publication: z
    .object({
      /** What is to be published. Written before the branch is pushed. */
      head_commit: z.string(),
      /** The files for which a person is asked. */
      asked: z.array(z.string()).optional(),
      /** A person has let this very commit be published although it holds what runs with the host's secrets. */
      confirmed: z.object({ head_commit: z.string(), files: z.array(z.string()) }).nullable(),
      change_request: z.object({ number: z.int(), url: z.string() }).nullable(),
    })
    .nullable()
    .optional(),
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
