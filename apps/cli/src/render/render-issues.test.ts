import { type IssueWire, issueWire } from '@sluice/core/issue';
import { expect, it } from 'vitest';
import { withoutColour } from '../terminal/style.ts';
import { renderIssue, renderIssues } from './render-issues.ts';
import { renderInstant } from './render-time.ts';

const REPO = '0199aaaa-0000-7000-8000-000000000001';
const CREATED = '2026-11-23T09:00:00.000Z';

function anIssue(fields: Partial<IssueWire>): IssueWire {
  return issueWire.parse({
    id: '0199aaaa-0000-7000-8000-00000c2d3e4f',
    repo_id: REPO,
    title: 'A 10 % discount takes off ten cents',
    body: 'It is a percentage.',
    status: 'running',
    stage: 'implement',
    origin: 'api',
    labels: [],
    parent_issue_id: null,
    codehost_number: null,
    codehost_url: null,
    base_branch: 'main',
    plan: null,
    gate: null,
    result: null,
    error: null,
    usage: { input_tokens: 9, output_tokens: 1, cost_usd: 0.0123 },
    queue_position: null,
    created_at: CREATED,
    updated_at: CREATED,
    queued_at: CREATED,
    started_at: CREATED,
    finished_at: null,
    ...fields,
  });
}

const failed = { status: 'failed', error: { stage: 'test', detail: 'The tests fail.' }, finished_at: CREATED } as const;
const names = new Map([[REPO, 'shop']]);
const piped = { style: withoutColour, page: { width: Number.POSITIVE_INFINITY, isTerminal: false } };

it('lists issues for a person with their repository, age and cost', () => {
  const sheet = { style: withoutColour, page: { width: 120, isTerminal: true } };
  const text = renderIssues(
    [anIssue({ created_at: new Date(Date.now() - 3 * 3_600_000).toISOString() })],
    names,
    sheet,
  );
  expect(text.split('\n').map((line) => line.replaceAll(/ {2,}/g, '|'))).toEqual([
    'ID|STATUS|TITLE|REPOSITORY|AGE|COST|TESTS',
    '0c2d3e4f|running (implement)|A 10 % discount takes off ten cents|shop|3 h ago|0.0123 USD',
  ]);
});

it('lists issues for a program with tabs, the old columns first', () => {
  const waiting = anIssue({ status: 'pending', stage: null, queued_at: null, waits_for_repo: true });
  expect(renderIssues([anIssue({}), waiting], names, piped).split('\n')).toEqual([
    `0c2d3e4f\trunning (implement)\tA 10 % discount takes off ten cents\tshop\t${CREATED}\t0.0123\t`,
    `0c2d3e4f\tpending (waits for its repository)\tA 10 % discount takes off ten cents\tshop\t${CREATED}\t0.0123\t`,
  ]);
  expect(renderIssues([], names, piped)).toBe('');
  const statuses = [{ status: 'completed' }, { status: 'awaiting_approval' }, failed] as const;
  const lines = renderIssues(statuses.map(anIssue), names, piped).split('\n');
  expect(lines.map((line) => line.split('\t')[1])).toEqual(['completed', 'awaiting_approval', 'failed (implement)']);
});

it('shows how an issue ended before anything else, its repository by name, and local times', () => {
  const view = { style: withoutColour, width: 60, now: new Date('2026-11-23T12:00:00Z') };
  expect(
    renderIssue(anIssue(failed), { repoName: 'shop', build: null, close: null }, view),
  ).toBe(`A 10 % discount takes off ten cents

Status  failed (implement)

Ended as failed: The tests fail.
Models   9 tokens in, 1 out, 0.0123 USD

Issue       0199aaaa-0000-7000-8000-00000c2d3e4f
Repository  shop
Base        main
Created     ${renderInstant(CREATED)} (3 h ago)
Ended       ${renderInstant(CREATED)} (3 h ago)

It is a percentage.`);
});

it('shows what became of the pull request, and asks why it was closed', () => {
  const url = 'https://codehost.example/acme/shop/pull/10';
  const result = {
    branch: 'sluice/fix',
    base_commit: 'a',
    head_commit: 'b',
    summary: 'Done.',
    change_request_url: url,
  };
  const issue = anIssue({
    ...{ status: 'completed', change_request_state: 'closed' },
    result: { ...result, files_changed: 1, additions: 1, deletions: 1, tests: null, findings: [], answer: null },
  });
  const view = { style: withoutColour, width: 100, now: new Date('2026-11-23T12:00:00Z') };
  const show = (close: { reason: string | null; note: string | null }) =>
    renderIssue(issue, { repoName: 'shop', build: null, close }, view);
  const asked = show({ reason: null, note: null });
  expect(asked).toContain(`\nPull request  ${url} (closed)\n`);
  expect(asked).toMatch(/^Closed {8}Say why: .* issues close-reason 0c2d3e4f --reason REASON$/m);
  expect(show({ reason: 'too_large', note: 'In three parts.' })).toMatch(/^Closed {8}too_large: In three parts\.$/m);
});
