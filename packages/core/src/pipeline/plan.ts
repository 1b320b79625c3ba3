import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import * as z from 'zod';

/** A plan as it is stored, shown and decided on. Documents keep their wire names (snake_case) inside as well. */
export const planSchema = z.object({
  revision: z.int().min(1),
  summary: z.string(),
  steps: z.array(
    z.object({
      title: z.string(),
      detail: z.string(),
      files: z.array(z.string()),
    }),
  ),
  acceptance_criteria: z.array(z.string()),
  risks: z.array(z.string()),
  test_strategy: z.string(),
  guidance: z.string().nullable(),
  created_at: z.iso.datetime(),
});
export type Plan = z.infer<typeof planSchema>;

/** What the planner writes; the service adds revision, guidance and time. */
export const planDraftSchema = planSchema.omit({
  revision: true,
  guidance: true,
  created_at: true,
});
export type PlanDraft = z.infer<typeof planDraftSchema>;

/** Names what a plan says: SHA-256, in hex, of its JSON with the fields in this schema's order. */
export function planHash(plan: Plan): string {
  return createHash('sha256')
    .update(JSON.stringify(planSchema.parse(plan)))
    .digest('hex');
}

/** The paths that a plan names, as git spells them, once each, in order of first mention. */
export function plannedFiles(plan: PlanDraft): string[] {
  return [...new Set(plan.steps.flatMap((step) => step.files.map(gitPath)))];
}

/** A path of the repository as git spells it, whether it was written with `./`, from the root or with a detour. */
export function gitPath(path: string): string {
  return posix.normalize(path).replace(/^(\.?\/)+/, '');
}
