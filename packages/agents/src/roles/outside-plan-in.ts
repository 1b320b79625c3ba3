import type { OutsidePlan } from '@sluice/core';
import { outsidePlanOf } from '../tools/plan-scope.ts';
import type { AnsweredCall } from './role-definition.ts';

/**
 * The files that the calls wrote outside the plan, each with the last reason given. An interrupted call may have written,
 * so it counts.
 */
export function outsidePlanIn(calls: readonly AnsweredCall[], plannedFiles: readonly string[]): OutsidePlan[] {
  const left = calls
    .filter(({ outcome }) => outcome !== 'refused')
    .map(({ input }) => outsidePlanOf(plannedFiles, input))
    .filter((entry) => entry !== null);
  return [...new Map(left.map((entry) => [entry.path, entry])).values()];
}
