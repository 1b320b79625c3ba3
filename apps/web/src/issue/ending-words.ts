import type { Issue, IssueStatus } from '@sluice/client';

const lost: Readonly<Partial<Record<IssueStatus, string>>> = {
  pending: 'It has not been worked on yet. Its text stays readable.',
  running:
    'The agent and its commands are stopped at once, and the work of this round is lost. The plan and the history stay readable.',
  human_review: 'The plan stays readable, and is not carried out.',
  awaiting_approval: 'What waits for your decision is dropped: nothing of it is carried out or published.',
};

/** What cancelling an issue costs. */
export function cancelWords({ status }: Pick<Issue, 'status'>): string {
  return `${lost[status] ?? 'It has ended.'} A cancelled issue cannot be retried.`;
}
