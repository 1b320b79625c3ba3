import * as z from 'zod';
import { type Estimate, estimateWire, toEstimateWire } from '../estimate/estimate.ts';
import { type ApprovalPolicy, type ApprovalStanding, approvalStandings } from '../pipeline/approval-policy.ts';
import { type Gate, gateSchema } from '../pipeline/gate.ts';
import { type Triage, triageSchema } from '../pipeline/pipeline-state.ts';

/** The part of a triage that an approver decides by. */
export const triageWire = triageSchema.pick({ kind: true, risk: true, open_questions: true });

/** An open gate, as the caller sees it. */
export const gateWire = gateSchema.extend({
  your_approval: z
    .enum(approvalStandings)
    .nullable()
    .default(null)
    .describe(
      'Whether an approval of yours `counts`, or the code with which it would be refused; null in lists and events. There, `approvals_needed` and `requester_approves` are those with which the gate was opened.',
    ),
  estimate: estimateWire
    .nullable()
    .default(null)
    .describe(
      'What the rest of the run will take, by past runs of this installation; null at a gate to publish, at gates of old versions, in lists and in events.',
    ),
});

export type GateWire = z.infer<typeof gateWire>;

/** The open gate for a user, with the policy that counts now. */
export function toGateWire(
  gate: Gate,
  {
    policy,
    standing,
    estimate,
  }: { readonly policy: ApprovalPolicy; readonly standing: ApprovalStanding; readonly estimate: Estimate | null },
): GateWire {
  const { approvals, requesterApproves } = policy;
  return {
    ...gate,
    approvals_needed: approvals,
    requester_approves: requesterApproves,
    your_approval: standing,
    estimate: estimate && toEstimateWire(estimate),
  };
}

/** The part of a triage that goes to clients. */
export function toTriageWire({ kind, risk, open_questions }: Triage): z.infer<typeof triageWire> {
  return { kind, risk, open_questions };
}
