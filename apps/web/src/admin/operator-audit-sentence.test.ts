import { expect, it } from 'vitest';
import {
  actingUser,
  auditActions,
  type OperatorAuditAction,
  type OperatorAuditEntry,
  operatorAuditSentence,
} from './operator-audit-sentence.ts';

const USER = '019ac0de-0000-7000-8000-000000000001';
const OPERATOR = '019ac0de-0000-7000-8000-000000000002';

function entry(given: Partial<OperatorAuditEntry>): OperatorAuditEntry {
  return {
    ...{ ordinal: 1, at: '2026-11-01T00:00:00.000Z', user_id: USER, actor: 'user', repo_id: null },
    ...{ session_id: null, token_id: null, action: 'account.disabled' },
    ...{ subject: { kind: 'account', id: USER }, detail: {} },
    ...given,
  };
}

/** The members of all actions' details. */
const everyDetail = {
  ...{ by: 'password', client: null, fields: ['name'], sessions_ended: 1, codehost_login: 'ann', provider: 'company' },
  ...{ role: 'viewer', user_id: USER, scope: 'read', repo_id: null, kind: 'totp', of: 'user', channel: 'email' },
  ...{ name: 'shop', number: 7, action: 'approve', on: 'plan', revision: 1, key: 'k', from: 'a', to: 'b' },
  ...{ found: 1, known: 2, backup_of: '2026-11-01T00:00:00.000Z', by_version: '1.0.0' },
};

it.each(auditActions)('says in words what %s is, to somebody else than the user', (action) => {
  const sentence = operatorAuditSentence({ action, detail: everyDetail });
  expect(sentence).toMatch(/^[a-z].*\.$/);
  expect(sentence).not.toMatch(/undefined|NaN|_|did:|\byour?\b/);
});

it('names an action that it does not know', () => {
  const action = 'team.joined' as OperatorAuditAction;
  expect(operatorAuditSentence({ action, detail: {} })).toBe('did: team.joined.');
});

it('tells who acted: the user, an operator of the console, the operator of the machine, or Sluice', () => {
  expect(actingUser(entry({}))).toEqual({ id: USER });
  expect(actingUser(entry({ actor: 'operator', detail: { by: OPERATOR } }))).toEqual({ id: OPERATOR });
  expect(actingUser(entry({ actor: 'operator' }))).toBe('The operator of the machine');
  expect(actingUser(entry({ actor: 'service' }))).toBe('Sluice');
});
