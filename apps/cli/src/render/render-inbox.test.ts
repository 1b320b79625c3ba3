import type { Inbox, InboxIssue } from '@sluice/client';
import { expect, it } from 'vitest';
import { renderInbox } from './render-inbox.ts';

const issue = {
  id: '0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f',
  repo_name: 'acme/shop',
  title: 'Fix \u001b[2Jthe sum',
  status: 'running',
  stage: 'test',
  origin: 'api',
  queue_position: null,
  usage: { input_tokens: 0, output_tokens: 0, cost_usd: 0.5 },
  created_at: '2026-11-20T09:15:00.000Z',
  queued_at: null,
  started_at: null,
  finished_at: null,
} as unknown as InboxIssue;
const none = { items: [], more: false };
const empty = {
  needs_you: none,
  waits_for_others: none,
  running: none,
  queued: none,
  drafts: none,
  done: none,
} as unknown as Inbox;
const sheet = { style: (_: string, text: string) => text, page: { isTerminal: false, width: 80 } } as never;

it('renders what needs its reader first, and says where nothing does', () => {
  const since = '2026-11-21T09:15:00.000Z';
  const wanting = { ...issue, wants: 'question', since, holds_up: { repo: 0, slot: 0 }, error: null } as const;
  const text = renderInbox(
    { ...empty, needs_you: { items: [wanting], more: true }, running: { items: [issue], more: false } },
    sheet,
  );
  const [title, first, more, , second, running] = text.split('\n');
  expect([title, more, second]).toEqual(['Needs you', 'and more', 'Running']);
  expect(first?.split('\t').slice(1, 5)).toEqual(['answer its questions', 'Fix ␛[2Jthe sum', 'acme/shop', since]);
  expect(running?.split('\t').slice(1, 2)).toEqual(['test']);
  expect(renderInbox(empty, sheet)).toBe('Needs you\nnothing');
});

it('says how many issues wait for a decision', () => {
  const since = '2026-11-21T09:15:00.000Z';
  const wanting = [
    { ...issue, wants: 'plan', since, holds_up: { repo: 1, slot: 0 }, error: null },
    { ...issue, wants: 'publish', since, holds_up: { repo: 1, slot: 2 }, error: null },
  ] as const;
  const text = renderInbox({ ...empty, needs_you: { items: [...wanting], more: false } }, sheet);
  expect(text).toContain('\tdecide on its plan (1 issue waits for it)\t');
  expect(text).toContain('\tdecide on publishing (3 issues wait for it)\t');
});

it('says why an issue waits, and at which position', () => {
  const queued = [
    { ...issue, waits_for: 'slot', queue_position: 3 },
    { ...issue, waits_for: 'repo' },
  ] as const;
  const text = renderInbox({ ...empty, queued: { items: [...queued], more: false } }, sheet);
  expect(text).toContain('\tfor a free slot (position 3)\t');
  expect(text).toContain('\tfor its repository\t');
});
