import * as z from 'zod';

const approvalSchema = z.object({ user_id: z.uuid(), at: z.iso.datetime() });
export type Approval = z.infer<typeof approvalSchema>;

/** An open gate: the decision that a person is asked for. */
export const gateSchema = z.object({
  kind: z.enum(['plan', 'publish']),
  revision: z.int(),
  /** The plan's hash (`planHash`) and base commit, to which the decision is bound. Null at gates of old versions. */
  plan_hash: z.string().nullable().default(null),
  base_commit: z.string().nullable().default(null),
  /** The commit to publish; null at the plan gate. */
  head_commit: z.string().nullable().default(null),
  requested_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  reasons: z.array(z.string()),
  /** Why the issue will fail if this plan is approved; null when it may succeed, and at gates of old versions. */
  blocker: z
    .string()
    .nullable()
    .default(null)
    .describe(
      'Why the issue will fail if this plan is approved: no model is configured, or an edit does not apply. Also in `reasons`.',
    ),
  approvals: z
    .array(approvalSchema)
    .default([])
    .describe('Who has approved so far, where more than one person has to. The last approval ends the gate.'),
  approvals_needed: z.int().min(1).default(1).describe('How many different people have to approve.'),
  requester_approves: z.boolean().default(true).describe('Whether the user who created the issue may be one of them.'),
});
export type Gate = z.infer<typeof gateSchema>;

/** What a person can decide at a gate. */
export const decisionActions = ['approve', 'reject', 'instruct'] as const;
export type DecisionAction = (typeof decisionActions)[number];
