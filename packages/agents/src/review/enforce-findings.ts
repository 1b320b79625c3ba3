import { type Review, withoutSecrets } from '@sluice/core';
import type { MechanicalFindings } from './mechanical-findings.ts';

/**
 * Adds the service's own findings to a review: an approval despite a finding that must be fixed becomes a request for
 * changes. Text that looks like a secret is removed from the reviewer's words, because they go into events and to the
 * next agent.
 */
export function enforceFindings({ decision, summary, findings }: Review, { mustFix }: MechanicalFindings): Review {
  const reported = findings.map(withoutSecrets);
  const missing = mustFix.filter((finding) => !reported.includes(finding));
  const overruled = decision === 'approve' && mustFix.length > 0;
  const note = 'The reviewer approved, but the service found problems that must be fixed first.';
  return {
    decision: mustFix.length > 0 ? 'request_changes' : decision,
    summary: withoutSecrets(overruled ? `${note} The reviewer: ${summary}` : summary),
    findings: [...missing, ...reported],
  };
}
