import { expect, it } from 'vitest';
import { type AuditAction, type AuditEntry, auditSentence, sentences } from './audit-sentence.ts';

function entry(
  action: AuditAction,
  detail: AuditEntry['detail'] = {},
  actor: AuditEntry['actor'] = 'user',
): AuditEntry {
  const id = '019ac0de-0000-7000-8000-000000000001';
  return {
    at: '2026-11-01T00:00:00.000Z',
    user_id: id,
    actor,
    session_id: null,
    token_id: null,
    action,
    subject: { kind: 'account', id },
    detail,
  };
}

/** The members of all actions' details. */
const everyDetail = {
  ...{ by: 'password', client: null, fields: ['name'], sessions_ended: 1, codehost_login: 'ann', provider: 'company' },
  ...{ role: 'viewer', user_id: '019ac0de-0000-7000-8000-000000000001' },
  ...{ scope: 'read', repo_id: null, kind: 'totp' },
  ...{ name: 'shop', number: 7, action: 'approve', on: 'plan', revision: 1 },
};

// The compiler holds the table against the server's catalogue of actions.
it.each(Object.keys(sentences) as AuditAction[])('says in words what %s is', (action) => {
  const sentence = auditSentence(entry(action, everyDetail));
  expect(sentence).toMatch(/^You [a-z].*\.$/);
  expect(sentence).not.toMatch(/undefined|NaN|_|did:/);
});

it('tells what Sluice did on a decision of yours', () => {
  const id = '019ac0de-0000-7000-8000-000000000002';
  const detail = { action: 'approve', on: 'plan', revision: 1, inherited_from: id };
  expect(auditSentence(entry('issue.decided', detail, 'service'))).toBe(
    'Sluice approved revision 1 of the plan of a follow-up, by your approval of the first issue.',
  );
});

it.each([
  [
    'account.changed',
    { fields: ['email', 'password'], sessions_ended: 2 },
    'You changed the e-mail and the password, which ended 2 sessions.',
  ],
  ['account.changed', { fields: ['name'], sessions_ended: 0 }, 'You changed the name.'],
  [
    'account.password_reset',
    { sessions_ended: 1, tokens_revoked: 2, accounts_unlinked: 1 },
    'You reset the password, which ended 1 session, revoked 2 API tokens and unlinked 1 account.',
  ],
  ['account.linked', { codehost_login: 'ann' }, 'You linked the account “ann” at the code host.'],
  ['session.opened', { by: 'password', client: 'Firefox on Linux' }, 'You logged in, with Firefox on Linux.'],
  ['session.opened', { by: 'codehost', client: null }, 'You logged in with the code host.'],
  [
    'repo.changed',
    { name: 'shop', fields: ['access_token', 'name', 'settings'] },
    'You changed the access token, the name and the settings of the repository “shop”.',
  ],
  ['notification.created', { channel: 'email' }, 'You turned on notifications by e-mail.'],
  [
    'notification.changed',
    { fields: ['events', 'repo_id'] },
    'You changed the events and the repository of a notification target.',
  ],
  ['notification.changed', { fields: ['enabled'] }, 'You changed the state of a notification target.'],
  ['issue.imported', { number: 7 }, 'You imported issue #7 from the code host.'],
  [
    'issue.decided',
    { action: 'instruct', on: 'plan', revision: 2 },
    'You gave instructions on revision 2 of the plan.',
  ],
  [
    'issue.decided',
    { action: 'approve', on: 'publication', revision: 1, blind: true },
    'You approved the publication, without naming what was seen.',
  ],
] as const)('tells the details of %s %j', (action, detail, sentence) => {
  expect(auditSentence(entry(action, detail as unknown as AuditEntry['detail']))).toBe(sentence);
});

it('says what an operator did', () => {
  expect(auditSentence(entry('account.disabled', { sessions_ended: 1 }, 'operator'))).toBe(
    'An operator disabled the account, which ended 1 session.',
  );
});

it('shows the hidden characters of a name', () => {
  expect(auditSentence(entry('repo.removed', { name: 'a\u202Eb' }))).toContain('“a⟨U+202E⟩b”');
});

it('names an action that it does not know', () => {
  expect(auditSentence(entry('team.joined' as AuditAction))).toBe('You did: team.joined.');
});
