import type { Issue } from '@sluice/client';
import type { IssueView } from '../session/search-params.ts';

/** The view that an issue needs now: the plan or the diff where a person decides on it, the result's diff, else what happens. */
export function chosenView({ gate, result, status }: Pick<Issue, 'gate' | 'result' | 'status'>): IssueView {
  if (gate !== null) return gate.kind === 'plan' ? 'plan' : 'diff';
  const hasChange = result !== null && result.branch !== null;
  return status === 'completed' && hasChange ? 'diff' : 'activity';
}
