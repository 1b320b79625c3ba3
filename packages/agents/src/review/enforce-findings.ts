import type { Review } from '@sluice/core';
import { withoutSecrets } from '@sluice/core';
import type { MechanicalFindings } from './mechanical-findings.ts';

/**
 * A review with what the service has seen for itself: what must be mended is in it, and an approval in spite of it
 * becomes a request for changes. Whatever looks like a secret is taken out of the reviewer's own words, because they
 * go into events and to the next agent.
 */
export function enforceFindings({ decision, summary, findings }: Review, { mustMend }: MechanicalFindings): Review {
  const said = findings.map(withoutSecrets);
  const missing = mustMend.filter((finding) => !said.includes(finding));
  const overruled = decision === 'approve' && mustMend.length > 0;
  const note = 'The reviewer approved, but the service found what must be mended first.';
  return {
    decision: mustMend.length > 0 ? 'request_changes' : decision,
    summary: withoutSecrets(overruled ? `${note} The reviewer: ${summary}` : summary),
    findings: [...missing, ...said],
  };
}
