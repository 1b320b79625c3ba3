import type { Gate } from '@sluice/core';
import { blockerOf } from '../render/render-gate.ts';
import { shortId } from '../render/short-id.ts';

/**
 * How to decide at a gate later.
 *
 * @param commands what the decision commands begin with: `sluice` or `sluice issues`
 */
export function howToDecide(commands: string, issueId: string, gate: Gate): string {
  const id = shortId(issueId);
  const review = gate.kind === 'plan' ? '' : `Review it with: ${commands} diff ${id}. `;
  return blockerOf(gate) === null
    ? `${review}Decide with: ${commands} approve ${id}  (or reject, or instruct)`
    : `Decide with: ${commands} instruct ${id} 'GUIDANCE'  (or reject)`;
}
