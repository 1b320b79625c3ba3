import { expect, it } from 'vitest';
import { renderForget, renderMove } from './render-code-host.ts';

const moved = { from: 'https://a.test', to: 'https://b.test', repos: 1, blocked: [] };

it('renders the new address of the code host', () => {
  expect(renderMove(moved)).toBe(
    'Changed the code host from https://a.test to https://b.test. 1 registration updated.',
  );
});

it('lists the registrations that block the change, and how to unblock them', () => {
  const blocked = [
    { repo_id: 'r-1', user_id: 'u-1', by: 'registration' as const, by_id: 'r-2' },
    { repo_id: 'r-3', user_id: 'u-2', by: 'issue' as const, by_id: 'i-1' },
  ];
  expect(renderMove({ ...moved, repos: 0, blocked })).toBe(
    [
      'Nothing was changed: the code host is still https://a.test. These registrations cannot move to https://b.test:',
      '  r-1 of user u-1: its new address is also registered, as r-2; the user has to remove one of them',
      '  r-3 of user u-2: issue i-1 is in progress at its new address and has to end first',
    ].join('\n'),
  );
});

it('lists the users without a password, and how each can still log in', () => {
  const text = renderForget({
    codehost: 'https://a.test',
    users_unlinked: 3,
    repos: 0,
    without_password: [
      { id: 'u-1', email: null, live_sessions: 0 },
      { id: 'u-2', email: null, live_sessions: 2 },
      { id: 'u-3', email: 'ann@example.com', live_sessions: 0 },
    ],
  });
  expect(text).toBe(
    [
      'Removed the code host https://a.test: 3 accounts unlinked, 0 registrations left without an account.',
      'These users have no password:',
      '  u-1: no e-mail either: they can no longer log in',
      '  u-2: no e-mail either: they can set both in a session that is still open',
      '  ann@example.com: "sluice admin users reset-password u-3" sets one',
    ].join('\n'),
  );
});

it('lists no users when all have a password', () => {
  expect(renderForget({ codehost: null, users_unlinked: 0, repos: 0, without_password: [] })).toBe(
    'Removed the code host (none was stored): 0 accounts unlinked, 0 registrations left without an account.',
  );
});
