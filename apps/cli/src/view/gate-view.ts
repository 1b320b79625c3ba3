import type { Gate } from '@sluice/core';
import { plainLine } from './plain-text.ts';
import type { Style } from './style.ts';

/** Why a person is asked, right above the question. */
export function renderGate({ reasons }: Pick<Gate, 'reasons'>, style: Style): string {
  return [style('bold', 'Why you are asked'), ...reasons.map((reason) => `   - ${plainLine(reason)}`)].join('\n');
}
