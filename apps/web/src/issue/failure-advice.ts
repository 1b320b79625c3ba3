import type { Issue } from '@sluice/client';

type FailedIssue = Pick<Issue, 'error' | 'budget'>;

/** Failures that are fixed in the settings of the repository. */
const inSettings = new Set(['prepare', 'publish']);

/** Whether the settings of the repository are where it is fixed. */
export function isFixedInSettings({ error }: Pick<Issue, 'error'>): boolean {
  return inSettings.has(error?.stage ?? '');
}

/**
 * What to do about a failed issue. Its error says what happened; the stage and the budget say what helps.
 *
 * @param isBuiltin no model works on it
 */
export function failureAdvice({ error, budget }: FailedIssue, isBuiltin: boolean): string {
  if (budget !== null && Object.values(budget).some(({ left }) => left === 0))
    return 'It has used up its budget. Retry it with a higher one; the work so far is kept.';
  if (isBuiltin && error?.stage === 'implement')
    return 'Without a model only edits are made that an issue spells out. Spell out another one in a new issue. If the error says that it needs a model, the operator can set MODEL; then retry.';
  return advice[error?.stage ?? ''] ?? TELL_OPERATOR;
}

const TELL_OPERATOR = 'Retry it. If it fails again in the same way, tell the operator.';

const advice: Readonly<Record<string, string>> = {
  prepare:
    'Correct the setup or test command of the repository, or let the setup reach the network, in the settings of the repository. Then retry: it is prepared again.',
  index: TELL_OPERATOR,
  triage: 'Retry it. If the text asks for nothing that can be done, describe in a new issue what has to change.',
  plan: 'Retry it, or create an issue with more detail: what is wrong, where, and how it should be.',
  implement: 'Retry it: the plan stays approved. If it fails again, split the issue or describe it in more detail.',
  test: 'Read which tests fail. Retry it, or create an issue with more detail.',
  review: 'Read what the review found. Retry it, or create an issue with more detail.',
  publish:
    'Check the protection rules of the branch and the permissions of the access token. Then retry: only the publication is repeated.',
};
