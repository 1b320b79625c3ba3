import type { IssueEvent } from '@sluice/client';

type Outcome = Extract<IssueEvent, { type: 'remark.answered' }>['data']['outcome'];

/** What became of a remark on a pull request. */
export const remarkWords = {
  done: 'done',
  declined: 'declined',
  question: 'not done yet',
  failed: 'the work on it failed',
} as const satisfies Record<Outcome, string>;
