import * as z from 'zod';

/** What a person is asked, while he is asked. */
export const gateSchema = z.object({
  kind: z.enum(['plan', 'publish']),
  revision: z.int(),
  /** What the decision is bound to: the plan's hash (`planHash`) and the commit that it was made on. Null at gates of before this was recorded. */
  plan_hash: z.string().nullable().default(null),
  base_commit: z.string().nullable().default(null),
  /** The commit that a person is asked to let be published; null at the plan's gate. */
  head_commit: z.string().nullable().default(null),
  requested_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  reasons: z.array(z.string()),
});
export type Gate = z.infer<typeof gateSchema>;

/** What a person can decide at a gate. */
export const decisionActions = ['approve', 'reject', 'instruct'] as const;
export type DecisionAction = (typeof decisionActions)[number];
