import { expect, it } from 'vitest';
import { invitationRule, mayInvite } from './invitation-rule.ts';

it.each([
  [{ registration: 'open' }, 'admins'],
  [{ registration: 'open', invitations: 'operators' }, 'admins'],
  [{ registration: 'invite' }, 'operators'],
  [{ registration: 'invite', invitations: 'admins' }, 'admins'],
  [{ registration: 'first-user', invitations: 'admins' }, 'off'],
  [{ registration: 'closed', invitations: 'admins' }, 'off'],
  [{ registration: 'invite', passwords: false }, 'off'],
] as const)('with %j those who may invite are: %s', (settings, rule) => {
  expect(invitationRule(settings)).toBe(rule);
  const by = (isOperator: boolean, repoId: string | null) =>
    ({ user: { isOperator }, token: { repoId } }) as Parameters<typeof mayInvite>[1];
  expect(mayInvite(settings, by(true, null))).toBe(rule !== 'off');
  expect(mayInvite(settings, by(true, 'a repository'))).toBe(rule === 'admins');
  expect(mayInvite(settings, by(false, null))).toBe(rule === 'admins');
});
