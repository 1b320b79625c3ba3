import * as z from 'zod';
import { roles } from '../access/role.ts';
import type { RoleNeeded } from '../access/role-needed.ts';
import { tokenScopes } from '../access/token-scope.ts';
import type { ApiTokenId, RepoId, SessionId, UserId } from '../id/id.ts';
import { decisionActions } from '../pipeline/gate.ts';

const named = z.strictObject({ name: z.string() });
const nothing = z.strictObject({});
/** The permissions at the code host say so. */
const mirrored = { mirrored: z.literal(true).optional() };
const ended = z.strictObject({ sessions_ended: z.int().min(0) });
/** The operator who did it in a session or with an API token of their own; left out on the machine itself. */
const by = { by: z.uuid().optional() };
const byOperator = z.strictObject(by);
const endedByOperator = ended.extend(by);

/**
 * The actions of users and operators, with the facts that are stored for each. No user's text, no secret, and nothing that
 * must disappear with a deleted issue. The word before the dot is the kind of the subject.
 */
const accountActs = {
  'account.registered': z.strictObject({ by: z.enum(['password', 'codehost', 'oidc']) }),
  'account.changed': ended.extend({ fields: z.array(z.enum(['name', 'email', 'password'])) }),
  'account.linked': z.strictObject({ codehost_login: z.string() }),
  'account.unlinked': nothing,
  'account.identity_linked': z.strictObject({ provider: z.string() }),
  'account.identity_unlinked': z.strictObject({ provider: z.string() }),
  'account.disabled': endedByOperator,
  'account.enabled': byOperator,
  'account.operator_granted': byOperator,
  'account.operator_revoked': byOperator,
  /** The last two are those of a reset that showed for the first time whose the address is. */
  'account.password_reset': ended.extend({
    tokens_revoked: z.int().min(1).optional(),
    accounts_unlinked: z.int().min(1).optional(),
  }),
  'account.email_verified': nothing,
  'account.deleted': ended.extend({
    issues_cancelled: z.int().min(0),
    repos_handed_over: z.int().min(0),
    repos_removed: z.int().min(0),
  }),
  'account.sessions_ended': endedByOperator,
  'account.factor_added': ended.extend({ kind: z.enum(['passkey', 'totp']) }),
  'account.factor_renamed': nothing,
  'account.factor_removed': ended,
  'account.factors_removed': endedByOperator,
  'account.recovery_codes_replaced': ended,
  'session.opened': z.strictObject({
    by: z.enum(['password', 'codehost', 'oidc']),
    client: z.string().nullable(),
    /** What completed the login after the password. */
    second_factor: z.enum(['passkey', 'totp', 'recovery_code']).optional(),
  }),
  'session.closed': nothing,
  'session.revoked': nothing,
  'token.created': z.strictObject({
    scope: z.enum(tokenScopes),
    repo_id: z.uuid().nullable(),
    expires_at: z.iso.datetime(),
  }),
  'token.revoked': z.strictObject({ owner_id: z.uuid(), ...by }),
  'invitation.created': z.strictObject({ repo_id: z.uuid().nullable(), role: z.enum(roles).nullable() }),
  'invitation.withdrawn': nothing,
  'invitation.accepted': z.strictObject({
    invited_by: z.uuid(),
    repo_id: z.uuid().nullable(),
    role: z.enum(roles).nullable(),
  }),
  'repo.registered': named,
  'repo.changed': named.extend({ fields: z.array(z.string()) }),
  'repo.removed': named,
  /** To an admin, by a registrant who has deleted their account. Their access token for the remote does not go with it. */
  'repo.handed_over': named.extend({ user_id: z.uuid(), token_dropped: z.boolean() }),
  'repo.member_put': z.strictObject({ user_id: z.uuid(), role: z.enum(roles), ...mirrored }),
  'repo.member_removed': z.strictObject({ user_id: z.uuid(), ...mirrored }),
  'issue.created': z.strictObject({ repo_id: z.uuid() }),
  'issue.imported': z.strictObject({ repo_id: z.uuid(), number: z.int() }),
  'issue.edited': nothing,
  'issue.queued': nothing,
  'issue.retried': nothing,
  'issue.decided': z.strictObject({
    action: z.enum(decisionActions),
    on: z.enum(['plan', 'publication']),
    revision: z.int(),
    /** The request did not name what it decided on. */
    blind: z.literal(true).optional(),
    /** How many people have approved with this one, and how many have to, where that is more than one. */
    approvals: z.int().min(1).optional(),
    approvals_needed: z.int().min(1).optional(),
    /** The plan of the decision. Absent in entries of earlier releases. */
    plan_hash: z.string().nullable().optional(),
    base_commit: z.string().nullable().optional(),
    /** The head commit of the change; null at the plan gate. */
    head_commit: z.string().nullable().optional(),
    /** The client of the session, such as "Firefox on Linux". */
    client: z.string().nullable().optional(),
    /** The issue whose approval counts: nobody was asked about this one. */
    inherited_from: z.uuid().optional(),
  }),
  'issue.approvals_dropped': z.strictObject({ revision: z.int(), user_ids: z.array(z.uuid()) }),
  'issue.noted': nothing,
  'issue.close_explained': nothing,
  'issue.cancelled': nothing,
  'issue.deleted': nothing,
  'attachment.uploaded': z.strictObject({ media_type: z.string(), bytes: z.int() }),
  'budget.set': z.strictObject({
    of: z.enum(['user', 'each_user', 'repo', 'installation']),
    cost_usd: z.number().nullable(),
    tokens: z.int().nullable(),
  }),
  'notification.created': z.strictObject({ channel: z.enum(['webhook', 'email']) }),
  'notification.changed': z.strictObject({ fields: z.array(z.string()) }),
  'notification.secret_rotated': nothing,
  'notification.unsubscribed': nothing,
  'notification.removed': nothing,
} as const satisfies Record<string, z.ZodType>;

/** The operator's actions on the whole installation. */
const installationActs = {
  'installation.keys_rotated': z.strictObject({ key: z.string() }),
  'installation.codehost_moved': z.strictObject({ from: z.string(), to: z.string(), repos: z.int() }),
  'installation.codehost_forgotten': z.strictObject({
    codehost: z.string().nullable(),
    users: z.int(),
    repos: z.int(),
  }),
  /** The log in the database ends at seal `found`, and goes on from there though seal `known` was made. */
  'installation.audit_acknowledged': z.strictObject({ found: z.int(), known: z.int() }),
  'installation.restored': z.strictObject({ backup_of: z.iso.datetime(), by_version: z.string() }),
} as const satisfies Record<string, z.ZodType>;

export const auditCatalog = { ...accountActs, ...installationActs } as const;

export type AuditAction = keyof typeof accountActs;
export const auditActions = Object.keys(accountActs) as [AuditAction, ...AuditAction[]];
type InstallationAction = keyof typeof installationActs;
/** All actions. */
export type AuditedAction = keyof typeof auditCatalog;

/**
 * A user in one of their sessions (null before there is one) or by one of their API tokens; an operator, on the machine itself
 * (without both) or in the same way; or the service, which acted on what a user had decided before.
 */
export type AuditActor =
  | { readonly kind: 'user'; readonly sessionId: SessionId | null; readonly tokenId?: ApiTokenId | null }
  | { readonly kind: 'operator'; readonly sessionId?: SessionId | null; readonly tokenId?: ApiTokenId | null }
  | { readonly kind: 'service' };

/** An action and its subject; a null subject means the account itself. */
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

/** An audit entry to write in the same transaction as the change. */
export interface NewAuditEntry {
  /** The user whose account is concerned, and in whose list the entry appears. */
  readonly userId: UserId;
  readonly actor: AuditActor;
  readonly act: AuditAct;
  /**
   * The repository that it is about. Unless an `operator` writes, the write is refused when the user no longer has this role
   * there: they may have lost it since the check before the command, or since the decision on which the `service` acts. The
   * same goes for their API token, if they used one.
   */
  readonly needs?: RoleNeeded | undefined;
  /** The repository that it is about, where no role is needed. */
  readonly repoId?: RepoId | undefined;
}

/** A stored audit entry. */
export interface AuditEntry extends Omit<NewAuditEntry, 'needs' | 'repoId'> {
  readonly at: Date;
}

/** A stored entry about the installation, by the operator. It appears in no user's list. */
export interface InstallationEntry {
  readonly userId: null;
  readonly act: InstallationAct;
  readonly at: Date;
}

const subjectKinds = [
  'account',
  'session',
  'token',
  'invitation',
  'repo',
  'issue',
  'attachment',
  'budget',
  'notification',
] as const;

export const auditEntryWire = z.object({
  at: z.iso.datetime(),
  user_id: z.uuid().describe('Whose account it is: who did it, or to whom an operator did it.'),
  actor: z
    .enum(['user', 'operator', 'service'])
    .describe(
      '`operator`: on the machine itself with `sluice admin`, or at `/api/admin`, where `detail.by` is the operator. `service`: by itself, on what the user had decided before.',
    ),
  session_id: z
    .uuid()
    .nullable()
    .describe('The session that was used. Of others, as in the audit log of a repository, it is not shown.'),
  token_id: z.uuid().nullable().describe('The API token that was used.'),
  action: z.enum(auditActions),
  subject: z.object({ kind: z.enum(subjectKinds), id: z.uuid() }).describe('The subject may have been deleted since.'),
  detail: z.record(z.string(), z.unknown()),
});
export type AuditEntryWire = z.infer<typeof auditEntryWire>;

export function toAuditEntryWire({ userId, actor, act, at }: AuditEntry): AuditEntryWire {
  const kind = act.action.split('.')[0] as (typeof subjectKinds)[number];
  return {
    at: at.toISOString(),
    user_id: userId,
    actor: actor.kind,
    session_id: actor.kind === 'user' ? actor.sessionId : null,
    token_id: actor.kind === 'user' ? (actor.tokenId ?? null) : null,
    action: act.action,
    subject: { kind, id: act.subjectId ?? userId },
    detail: act.detail,
  };
}
