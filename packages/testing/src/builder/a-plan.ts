import type { Gate, Plan } from '@sluice/core/pipeline';

const WRITTEN = '2026-11-20T09:15:00.000Z';

/** A small plan, of the first revision unless `overrides` say otherwise. */
export function aPlan(overrides: Partial<Plan> = {}): Plan {
  return {
    revision: 1,
    summary: 'Add up every argument.',
    steps: [{ title: 'Fix sum', detail: 'Reduce over all arguments.', files: ['src/sum.js'] }],
    acceptance_criteria: ['sum(1, 2, 3) is 6'],
    risks: [],
    test_strategy: 'The failing test passes.',
    guidance: null,
    created_at: WRITTEN,
    ...overrides,
  };
}

/** The question that a plan puts to a person; open for ever unless `overrides` say otherwise. */
export function aGate(overrides: Partial<Gate> = {}): Gate {
  return {
    kind: 'plan',
    revision: 1,
    plan_hash: null,
    base_commit: null,
    head_commit: null,
    requested_at: WRITTEN,
    expires_at: null,
    reasons: [],
    blocker: null,
    approvals: [],
    approvals_needed: 1,
    requester_approves: true,
    ...overrides,
  };
}
