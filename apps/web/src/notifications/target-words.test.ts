import type { NotificationTarget } from '@sluice/client';
import { expect, it } from 'vitest';
import { eventsInShort, kinds, nameOfTarget, needsYou, stateOfTarget } from './target-words.ts';

const target: NotificationTarget = {
  id: '019ac0de-0000-7000-8000-000000000001',
  channel: 'webhook',
  url: 'https://example.com/hook',
  format: 'standard',
  events: ['issue.failed'],
  repo_id: null,
  description: null,
  enabled: true,
  failing_since: null,
  disabled_at: null,
  disabled_reason: null,
  created_at: '2026-11-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
};

it.each([
  [kinds, 'all events'],
  [needsYou.toReversed(), 'what asks you for something'],
  [['issue.failed'], 'when an issue failed'],
  [['issue.failed', 'issue.completed'], '2 kinds of events'],
] as const)('says in short what %j are', (events, words) => {
  expect(eventsInShort(events)).toBe(words);
});

it('names a target by its description, its URL or its channel', () => {
  expect(nameOfTarget({ ...target, description: 'The bot' })).toBe('The bot');
  expect(nameOfTarget(target)).toBe('https://example.com/hook');
  expect(nameOfTarget({ ...target, format: 'slack' })).toBe('https://example.com/…');
  expect(nameOfTarget({ ...target, channel: 'email', url: null })).toBe('E-mail');
  expect(nameOfTarget({ ...target, url: null })).toBe('The key of the URL is lost: set it again.');
});

it('says whether a target works, fails or is disabled, whatever it did before', () => {
  const failing_since = '2026-11-02T00:00:00.000Z';
  expect(stateOfTarget(target).word).toBe('works');
  expect(stateOfTarget({ ...target, failing_since }).word).toBe('failing');
  expect(stateOfTarget({ ...target, failing_since, enabled: false }).word).toBe('disabled');
});
