import * as z from 'zod';
import { type Triage, triageSchema } from './pipeline-state.ts';
import { type PlanDraft, planDraftSchema } from './plan.ts';

/**
 * The planner's output: a plan, or the answer to a question, which has no steps. It also says what kind of issue it is
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
 * Splits a planner's output. An answer counts only where the planner, or else the triager, calls the issue a question, or
 * neither says what it is: a change that is asked for does not end with words. A missing kind or risk becomes `chore` or
 * `medium`, so that the open questions are kept.
 *
 * @param triaged the findings of the triager, which come first; null without one
 */
export function plannerFindings(output: PlannerOutput, triaged: Triage | null): PlannerFindings {
  const { kind, risk, open_questions = [], answer = '', ...draft } = output;
  const { summary, acceptance_criteria } = draft;
  const hasOwn = kind !== undefined || risk !== undefined || open_questions.length > 0;
  const own: Triage = { kind: kind ?? 'chore', risk: risk ?? 'medium', summary, acceptance_criteria, open_questions };
  const found = triaged ?? (hasOwn ? own : null);
  const isQuestion = (kind ?? triaged?.kind ?? 'question') === 'question';
  return {
    draft,
    triage: found && { ...found, open_questions: output.open_questions ?? found.open_questions },
    answer: draft.steps.length === 0 && isQuestion && !isPlaceholder(answer) ? answer.trim() : null,
  };
}

/** Models fill an optional member with such words. */
function isPlaceholder(text: string): boolean {
  return /^(?:n\/?a|none|null|nothing|-)?[.\s]*$/i.test(text.trim());
}
