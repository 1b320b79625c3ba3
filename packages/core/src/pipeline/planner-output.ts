import * as z from 'zod';
import { type Triage, triageSchema } from './pipeline-state.ts';
import { type PlanDraft, planDraftSchema } from './plan.ts';

/**
 * What a planner ends with: a plan, or the answer to a question, which has no steps. It also says what kind of issue it is
 * and what the issue leaves open.
 */
export const plannerOutputSchema = planDraftSchema.extend({
  kind: triageSchema.shape.kind.optional(),
  risk: triageSchema.shape.risk.optional(),
  open_questions: triageSchema.shape.open_questions.optional(),
  answer: z.string().optional(),
  // Without the words for readers of the API: the planner's instructions say when it proposes a command.
  setup_command: z.string().optional(),
  test_command: z.string().optional(),
});
export type PlannerOutput = z.infer<typeof plannerOutputSchema>;

/** The parts of a planner's output. */
export interface PlannerFindings {
  readonly draft: PlanDraft;
  /** The triager's findings with the planner's questions, or the planner's own findings; null when neither has any. */
  readonly triage: Triage | null;
  /** The answer to a question; null for a plan. */
  readonly answer: string | null;
}

/**
 * Splits a planner's output.
 *
 * @param triaged the findings of the triager, which come first; null without one
 */
export function plannerFindings(output: PlannerOutput, triaged: Triage | null): PlannerFindings {
  const { kind, risk, open_questions, answer = '', ...draft } = output;
  const { summary, acceptance_criteria } = draft;
  const own =
    kind === undefined || risk === undefined ? null : { kind, risk, summary, acceptance_criteria, open_questions: [] };
  const found = triaged ?? own;
  return {
    draft,
    triage: found && { ...found, open_questions: open_questions ?? found.open_questions },
    answer: draft.steps.length === 0 && answer.trim() !== '' ? answer.trim() : null,
  };
}
