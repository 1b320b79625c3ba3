import type { Review } from '@sluice/core';
import { fenced } from '../roles/fence.ts';

/** A review without a model: what the service has seen by looking, and no understanding beyond it. It says so. */
export function reviewMechanically(request: string): Review {
  const findings = (['must_fix', 'to_judge'] as const).flatMap((tag) => fenced(tag, request)?.split('\n') ?? []);
  const limits =
    'Reviewed mechanically (built-in, no model): files against the plan, conflict markers, well-known secrets. Nobody has read what the code does.';
  return {
    decision: findings.length === 0 ? 'approve' : 'request_changes',
    summary:
      findings.length === 0 ? limits : `${findings.length} finding${findings.length === 1 ? '' : 's'}. ${limits}`,
    findings,
  };
}
