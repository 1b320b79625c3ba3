import { describe, expect, it } from 'vitest';
import type { IssueId } from '../id/id.ts';
import type { Issue } from '../issue/issue.ts';
import type { CreateIssueOutcome, NewIssue } from '../issue/issue-store.ts';
import { type FollowUpCause, followUpKey } from '../pipeline/follow-up-cause.ts';
import { createCausedFollowUp } from './create-caused-follow-up.ts';

const first = { id: 'first', userId: 'ada', repoId: 'sum' } as Issue;
const cause: FollowUpCause = { kind: 'build', head_commit: 'c0ffee', round: 2, jobs: ['unit tests'] };
const HOLDER = { issueId: 'other' as IssueId, repoId: first.repoId };

/** Creates a follow-up with a store that gives these answers, one after the other. */
async function created(outcomes: readonly CreateIssueOutcome[], queue = true) {
  const written: { issue: NewIssue; queue: boolean }[] = [];
  const left = [...outcomes];
  const create = async (issue: NewIssue, { queue }: { queue: boolean }) => {
    written.push({ issue, queue });
    return left.shift() as CreateIssueOutcome;
  };
  const outcome = await createCausedFollowUp(
    { issues: { create }, ids: { next: () => 'next' } },
    {
      ...{ first, branch: 'sluice/7-sum', cause, key: 'build-c0ffee', queue },
      ...{ title: 'Fix the build', body: 'It fails.', url: 'https://host.test/acme/sum/pull/9' },
    },
  );
  return { outcome, written };
}

describe('a follow-up with a cause', () => {
  it('continues the branch of the pull request, and keeps its cause and its key', async () => {
    const { outcome, written } = await created([{ kind: 'applied', issue: first }]);
    expect(outcome).toBe('queued');
    expect(written).toEqual([
      {
        queue: true,
        issue: {
          id: 'next',
          userId: 'ada',
          repoId: 'sum',
          title: 'Fix the build',
          body: 'It fails.',
          origin: 'follow_up',
          labels: [],
          baseBranch: 'sluice/7-sum',
          branch: 'sluice/7-sum',
          parentIssueId: 'first',
          followUp: cause,
          codehost: { number: null, commentId: 'build-c0ffee', url: 'https://host.test/acme/sum/pull/9' },
          warnings: [],
        },
      },
    ]);
  });

  it('waits where its repository is busy, or another one goes first', async () => {
    const applied = { kind: 'applied', issue: first } as const;
    const busy = await created([{ kind: 'repo_busy', holder: HOLDER }, applied]);
    expect(busy.outcome).toBe('waits');
    expect(busy.written.map(({ queue }) => queue)).toEqual([true, false]);
    expect((await created([applied], false)).outcome).toBe('waits');
  });

  it.each([true, false])('is made once (queued: %s)', async (queue) => {
    const { outcome, written } = await created([{ kind: 'exists', issueId: 'there' as IssueId }], queue);
    expect(outcome).toBe('exists');
    expect(written).toHaveLength(1);
  });
});

describe('the key of a cause', () => {
  it('is another one for each head and base, and the same in each round of a build', () => {
    const base = { kind: 'base', head_commit: 'c1', base_branch: 'main', base_commit: 'b1' } as const;
    const causes: FollowUpCause[] = [
      ...[cause, { ...cause, head_commit: 'c1' }],
      ...[base, { ...base, base_commit: 'b2' }, { ...base, head_commit: 'c2' }],
    ];
    expect(new Set(causes.map(followUpKey)).size).toBe(causes.length);
    expect(followUpKey({ ...cause, round: 3 })).toBe(followUpKey(cause));
  });

  it('is the one of the code host for a comment and a review', () => {
    expect(followUpKey({ kind: 'comment' })).toBeNull();
    expect(followUpKey({ kind: 'review', review_id: 'review-5', round: 1, by_bot: false, remarks: [] })).toBeNull();
  });
});
