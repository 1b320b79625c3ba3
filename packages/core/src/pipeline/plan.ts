import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import * as z from 'zod';

/** A plan. Stored documents use their wire names (snake_case) internally as well. */
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
  setup_command: z
    .string()
    .optional()
    .describe('A setup command that the planner proposes, because none is known; approving the plan sets and runs it.'),
  test_command: z
    .string()
    .optional()
    .describe('A test command that the planner proposes, because none is known; approving the plan sets it.'),
  guidance: z.string().nullable(),
  created_at: z.iso.datetime(),
});
export type Plan = z.infer<typeof planSchema>;

/** The planner's output. The service adds the revision, the guidance and the time. */
export const planDraftSchema = planSchema.omit({
  revision: true,
  guidance: true,
  created_at: true,
});
export type PlanDraft = z.infer<typeof planDraftSchema>;

/** Identifies the content of a plan: the SHA-256, in hex, of its JSON with the fields in the order of the schema. */
export function planHash(plan: Plan): string {
  return createHash('sha256')
    .update(JSON.stringify(planSchema.parse(plan)))
    .digest('hex');
}

const MAX_COMMAND_LENGTH = 500;

/** The commands that a plan proposes. Absent is one that is not one line which a person can judge. */
export function proposedCommands({ setup_command, test_command }: ProposedCommands): ProposedCommands {
  const setup = plainCommand(setup_command);
  const test = plainCommand(test_command);
  return { ...(setup !== null && { setup_command: setup }), ...(test !== null && { test_command: test }) };
}
type ProposedCommands = Pick<PlanDraft, 'setup_command' | 'test_command'>;

function plainCommand(text = ''): string | null {
  const command = text.trim();
  const isPlain =
    command !== '' && command.length <= MAX_COMMAND_LENGTH && !/[\p{Cc}\p{Cf}\u2028\u2029`]/u.test(command);
  return isPlain ? command : null;
}

/** The paths in a plan, in git's spelling, without duplicates, in order of first mention. */
export function plannedFiles(plan: PlanDraft): string[] {
  return [...new Set(plan.steps.flatMap((step) => step.files.map(gitPath)))];
}

/** A repository path in git's spelling: without a leading `/` or `./`, and without `..`. */
export function gitPath(path: string): string {
  return posix.normalize(path).replace(/^(\.?\/)+/, '');
}
