import * as z from 'zod';
import type { SessionId, UserId } from '../id/id.ts';
import { decisionActions } from '../pipeline/gate.ts';

const named = z.strictObject({ name: z.string() });
const nothing = z.strictObject({});
const ended = z.strictObject({ sessions_ended: z.int().min(0) });

/**
 * What people and operators do, by name, with the few facts that are kept of it. Facts only: no text that somebody
 * wrote, no secret, nothing that an issue that was deleted for good should have taken with it. The word before the dot
 * says what the entry's subject is.
 */
const accountActs = {
  'account.registered': z.strictObject({ by: z.enum(['password', 'codehost']) }),
  'account.changed': ended.extend({ fields: z.array(z.enum(['name', 'email', 'password'])) }),
  'account.linked': z.strictObject({ codehost_login: z.string() }),
  'account.unlinked': nothing,
  'account.disabled': ended,
  'account.enabled': nothing,
  'account.password_reset': ended,
  'account.sessions_ended': ended,
  'session.opened': z.strictObject({ by: z.enum(['password', 'codehost']), client: z.string().nullable() }),
  'session.closed': nothing,
  'session.revoked': nothing,
  'repo.registered': named,
  'repo.changed': named.extend({ fields: z.array(z.string()) }),
  'repo.removed': named,
  'issue.created': z.strictObject({ repo_id: z.uuid() }),
  'issue.imported': z.strictObject({ repo_id: z.uuid(), number: z.int() }),
  'issue.edited': nothing,
  'issue.queued': nothing,
  'issue.retried': nothing,
  'issue.decided': z.strictObject({
    action: z.enum(decisionActions),
    on: z.enum(['plan', 'publication']),
    revision: z.int(),
  }),
  'issue.noted': nothing,
  'issue.cancelled': nothing,
  'issue.deleted': nothing,
} as const satisfies Record<string, z.ZodType>;

/** What the operator does to no account, but to all that is there. */
const installationActs = {
  'installation.keys_rotated': z.strictObject({ key: z.string() }),
  'installation.codehost_moved': z.strictObject({ from: z.string(), to: z.string(), repos: z.int() }),
  'installation.codehost_forgotten': z.strictObject({
    codehost: z.string().nullable(),
    users: z.int(),
    repos: z.int(),
  }),
  'installation.restored': z.strictObject({ backup_of: z.iso.datetime(), by_version: z.string() }),
} as const satisfies Record<string, z.ZodType>;

export const auditCatalog = { ...accountActs, ...installationActs } as const;

export type AuditAction = keyof typeof accountActs;
export const auditActions = Object.keys(accountActs) as [AuditAction, ...AuditAction[]];
type InstallationAction = keyof typeof installationActs;
/** Every action that there is. */
export type AuditedAction = keyof typeof auditCatalog;

/** Who acts: the user in one of his sessions (null before he has one), or the operator on the machine itself. */
export type AuditActor =
  | { readonly kind: 'user'; readonly sessionId: SessionId | null }
  | { readonly kind: 'operator' };

/** What is done, and to what; null where the account itself is meant. */
export type AuditAct = {
  [A in AuditAction]: {
    readonly action: A;
    readonly subjectId: string | null;
    readonly detail: z.infer<(typeof accountActs)[A]>;
  };
}[AuditAction];

export type InstallationAct = {
  [A in InstallationAction]: {
    readonly action: A;
    readonly detail: z.infer<(typeof installationActs)[A]>;
  };
}[InstallationAction];

/** An act to be written down, in the same write as what it changes. */
export interface NewAuditEntry {
  /** Whose account, and whose list. */
  readonly userId: UserId;
  readonly actor: AuditActor;
  readonly act: AuditAct;
}

/** An act that was written down. */
export interface AuditEntry extends NewAuditEntry {
  readonly at: Date;
}

/** An act on the installation that was written down: the operator's, and in nobody's own list. */
export interface InstallationEntry {
  readonly userId: null;
  readonly act: InstallationAct;
  readonly at: Date;
}

const subjectKinds = ['account', 'session', 'repo', 'issue'] as const;

export const auditEntryWire = z.object({
  at: z.iso.datetime(),
  actor: z.enum(['user', 'operator']).describe('`operator`: on the machine itself, by `sluice admin`.'),
  session_id: z.uuid().nullable().describe('The session that it was done in.'),
  action: z.enum(auditActions),
  subject: z.object({ kind: z.enum(subjectKinds), id: z.uuid() }).describe('It may be gone by now.'),
  detail: z.record(z.string(), z.unknown()),
});
export type AuditEntryWire = z.infer<typeof auditEntryWire>;

export function toAuditEntryWire({ userId, actor, act, at }: AuditEntry): AuditEntryWire {
  const kind = act.action.split('.')[0] as (typeof subjectKinds)[number];
  return {
    at: at.toISOString(),
    actor: actor.kind,
    session_id: actor.kind === 'user' ? actor.sessionId : null,
    action: act.action,
    subject: { kind, id: act.subjectId ?? userId },
    detail: act.detail,
  };
}
