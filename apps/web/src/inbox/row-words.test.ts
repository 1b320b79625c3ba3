import { expect, it } from 'vitest';
import { type ListedIssue, rowWords } from './row-words.ts';

const CREATED = '2026-11-01T10:00:00.000Z';
const LATER = '2026-11-01T10:05:00.000Z';

function issue(changes: Partial<ListedIssue>): ListedIssue {
  return {
    form: 'summary',
    id: '0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f',
    repo_id: '0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e50',
    repo_name: 'billing',
    title: 'The sum is wrong',
    status: 'pending',
    stage: null,
    origin: 'api',
    labels: [],
    created_by: null,
    parent_issue_id: null,
    codehost_number: null,
    codehost_url: null,
    change_request_state: null,
    base_branch: 'main',
    branch: null,
    change_request_url: null,
    verdict: null,
    usage: { input_tokens: 0, output_tokens: 0, cost_usd: 0 },
    queue_position: null,
    waits_for_repo: false,
    queue_reason: null,
    held_by_budget: null,
    created_at: CREATED,
    updated_at: CREATED,
    queued_at: null,
    started_at: null,
    finished_at: null,
    ...changes,
  };
}

it('says what a person is asked for, and for how long it has waited', () => {
  const gate = issue({ status: 'awaiting_approval', wants: 'plan', since: LATER, error: null });
  expect(rowWords(gate)).toMatchObject({ label: 'Plan', time: { word: 'waiting', at: LATER, kind: 'elapsed' } });
});

it('says how many issues wait for a decision', () => {
  const gate = (repo: number, slot: number) =>
    rowWords(
      issue({ status: 'awaiting_approval', wants: 'plan', since: LATER, holds_up: { repo, slot }, error: null }),
    );
  expect([gate(0, 0), gate(1, 0), gate(2, 3)].map(({ detail }) => detail)).toEqual([
    'approve the plan, or instruct',
    'approve the plan, or instruct; 1 issue waits for it',
    'approve the plan, or instruct; 5 issues wait for it',
  ]);
});

it('says why an issue failed, and when', () => {
  const error = { stage: 'test', detail: 'The tests fail.' };
  const failed = issue({ status: 'failed', wants: 'failure', since: LATER, error });
  expect(rowWords(failed)).toMatchObject({
    tone: 'bad',
    detail: 'The tests fail.',
    time: { at: LATER, kind: 'relative' },
  });
});

it('tells a draft from an issue in the queue and from one behind another of its repository', () => {
  expect(rowWords(issue({})).label).toBe('Draft');
  expect(rowWords(issue({ queued_at: LATER, queue_position: 2, waits_for: 'own_limit' }))).toMatchObject({
    label: 'Queued, no. 2',
    detail: 'waits for one of your running issues to end',
    time: { at: LATER },
  });
  expect(rowWords(issue({ waits_for_repo: true }))).toMatchObject({
    label: 'Queued',
    detail: 'waits for another issue of this repository',
  });
});

it('says what a running issue is doing since its start', () => {
  expect(rowWords(issue({ status: 'running', stage: 'implement', started_at: LATER }))).toMatchObject({
    detail: 'writing the change',
    time: { word: 'running', at: LATER },
  });
});

it('says how an issue ended, with the verdict of its tests where there is one', () => {
  const completed = issue({ status: 'completed', verdict: 'green', finished_at: LATER });
  expect(rowWords(completed)).toMatchObject({ tone: 'good', detail: 'tests pass', time: { at: LATER } });
  expect(rowWords(issue({ status: 'cancelled' }))).toMatchObject({ label: 'Cancelled', detail: '' });
});
