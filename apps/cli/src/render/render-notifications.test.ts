import type { NotificationTarget } from '@sluice/client';
import { expect, it } from 'vitest';
import { nameOfTarget } from './render-notifications.ts';

const webhook: NotificationTarget = {
  id: '019ac0de-0000-7000-8000-000000000001',
  channel: 'webhook',
  url: 'https://hooks.example.com/secret',
  format: 'slack',
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

it('names a target by its description, or where it goes, without the secret of a chat', () => {
  expect(nameOfTarget({ ...webhook, description: 'team' })).toBe('team');
  expect(nameOfTarget(webhook)).toBe('https://hooks.example.com/…');
  expect(nameOfTarget({ ...webhook, format: 'standard' })).toBe('https://hooks.example.com/secret');
  expect(nameOfTarget({ ...webhook, channel: 'email', url: null })).toBe('your e-mail address');
  expect(nameOfTarget({ ...webhook, url: null })).toBe('(a URL whose key is lost: set it again)');
});
