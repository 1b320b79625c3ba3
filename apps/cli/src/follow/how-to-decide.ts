import type { Gate } from '@sluice/core/pipeline';
import { blockerOf } from '../render/render-gate.ts';
import { shortId } from '../render/short-id.ts';

/**
 * How to decide at a gate later.
 *
 * @param commands what the decision commands begin with: `sluice` or `sluice issues`
 * @param issue `flags`: what the commands need for the same configuration, with a space before each
 */
export function howToDecide(commands: string, issue: { issueId: string; flags?: string }, gate: Gate): string {
  const { issueId, flags = '' } = issue;
  const id = shortId(issueId);
  const review = gate.kind === 'plan' ? '' : `Review it with: ${commands} diff ${id}. `;
  return blockerOf(gate) === null
    ? `${review}Decide with: ${commands} approve ${id}${flags}  (or reject, or instruct)`
    : `Decide with: ${commands} instruct ${id} 'GUIDANCE'${flags}  (or reject)`;
}
