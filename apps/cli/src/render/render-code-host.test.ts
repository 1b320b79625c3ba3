import { expect, it } from 'vitest';
import { renderForget, renderMove } from './render-code-host.ts';

const moved = { from: 'https://a.test', to: 'https://b.test', repos: 1, blocked: [] };

it('says where the code host is now', () => {
  expect(renderMove(moved)).toBe('The code host was https://a.test and is https://b.test; 1 registration followed.');
});

it('names what cannot follow, and what has to be done first', () => {
  const blocked = [
    { repo_id: 'r-1', user_id: 'u-1', by: 'registration' as const, by_id: 'r-2' },
    { repo_id: 'r-3', user_id: 'u-2', by: 'issue' as const, by_id: 'i-1' },
  ];
  expect(renderMove({ ...moved, repos: 0, blocked })).toBe(
    [
      'Nothing was changed: the code host is https://a.test still. These cannot follow to https://b.test:',
      '  r-1 of user u-1: he has registered its new address too, as r-2, and has to remove one of them',
      '  r-3 of user u-2: issue i-1 is in progress at its new address, and has to end first',
    ].join('\n'),
  );
});

it('says who has no password, and what way in is left to each', () => {
  const said = renderForget({
    codehost: 'https://a.test',
    users_unlinked: 3,
    repos: 0,
    without_password: [
      { id: 'u-1', email: null, live_sessions: 0 },
      { id: 'u-2', email: null, live_sessions: 2 },
      { id: 'u-3', email: 'ann@example.com', live_sessions: 0 },
    ],
  });
  expect(said).toBe(
    [
      'The code host https://a.test is forgotten: 3 accounts unlinked, 0 registrations without an account now.',
      'These have no password:',
      '  u-1: no e-mail either: he cannot log in any more',
      '  u-2: no e-mail either: he sets both in a session that he has',
      '  ann@example.com: "sluice admin users reset-password u-3" gives him one',
    ].join('\n'),
  );
});

it('says no more where there is nobody', () => {
  expect(renderForget({ codehost: null, users_unlinked: 0, repos: 0, without_password: [] })).toBe(
    'The code host (none was kept) is forgotten: 0 accounts unlinked, 0 registrations without an account now.',
  );
});
