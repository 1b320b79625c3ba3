import { randomBytes } from 'node:crypto';
import { createPasswords } from '@sluice/api';
import {
  type AuditFilter,
  auditEntry,
  cancelIssuesOf,
  type EndingAudit,
  type Initiator,
  type NewAuditEntry,
  type OperatorAuditEntryWire,
  type SessionId,
  toOperatorAuditEntryWire,
  type User,
  type UserAccount,
} from '@sluice/core';
import { type OpenAccounts, openAccounts } from '../compose/open-accounts.ts';
import { type LoadConfigOptions, loadConfig } from '../config/load-config.ts';
import { listTokens, type RevokedToken, revokeToken, type TokenReport, tokensOfUser } from './admin-tokens.ts';

/** A user as the operator sees them. */
export interface AccountReport {
  readonly id: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly codehost_login: string | null;
  readonly has_password: boolean;
  readonly operator: boolean;
  readonly disabled_at: string | null;
  readonly live_sessions: number;
  /** Of the last seven days. */
  readonly failed_logins: number;
  readonly created_at: string;
}

export interface EndReport {
  readonly user: AccountReport;
  readonly sessions_ended: number;
  /** False if Redis is configured but was unavailable: open streams then end a little later. */
  readonly servers_told: boolean;
}

export interface DisableReport extends EndReport {
  readonly issues_cancelled: number;
}

interface DisableOptions {
  /** Keep the user's running issues: each continues to its end, or to a decision that the user can no longer make. */
  readonly keepIssues?: boolean;
  /** Even if no operator could log in then. */
  readonly evenLastOperator?: boolean;
}

interface ListOptions {
  readonly limit: number;
  readonly cursor: string | null;
}

interface ListReport<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

/** Entries of the audit log, each with its user. */
export type AuditReport = ListReport<OperatorAuditEntryWire>;

/** Account administration on the server's machine. Each act is recorded in the user's audit log. */
export interface AccountAdmin extends AsyncDisposable {
  users(page: ListOptions): Promise<ListReport<AccountReport>>;
  /** The id of a user. */
  idOf(user: string): Promise<string | null>;
  /**
   * Ends the user's sessions and cancels their unfinished issues. Can be repeated if it was interrupted.
   *
   * @param user id or e-mail, here and below
   * @returns null if there is no such user, here and below; `last_operator` as `revokeOperator` does
   */
  disable(user: string, options?: DisableOptions): Promise<DisableReport | 'last_operator' | null>;
  enable(user: string): Promise<AccountReport | null>;
  grantOperator(user: string): Promise<AccountReport | null>;
  /** `last_operator` if nobody else would be an operator who can log in. */
  revokeOperator(user: string): Promise<AccountReport | 'last_operator' | null>;
  endSessions(user: string): Promise<EndReport | null>;
  /** Removes passkeys, authenticator apps and recovery codes, and ends the user's sessions. The password stays. */
  removeSecondFactors(user: string): Promise<EndReport | null>;
  /** Sets a new random password; `no_email` if the user has no e-mail to log in with. */
  resetPassword(user: string): Promise<(EndReport & { readonly password: string }) | 'no_email' | null>;
  /** The API tokens of one user; of all users if `user` is null. */
  tokens(user: string | null, page: ListOptions): Promise<ListReport<TokenReport> | null>;
  /** Revokes an API token; null if there is none that could be used. */
  revokeToken(id: string): Promise<RevokedToken | null>;
  /** The audit log of one user; of all users and the installation if `user` is null. `filter` narrows it. */
  audit(user: string | null, page: ListOptions, filter?: Omit<AuditFilter, 'userId'>): Promise<AuditReport | null>;
}

// 96 bits as 16 characters: typed once, then changed.
const PASSWORD_BYTES = 12;

/**
 * Opens the accounts of the installation. Servers may run: each act is rows in one transaction, which they read at the next
 * request.
 *
 * @throws ConfigError
 * @throws StartError when the database cannot be opened
 */
export async function openAccountAdmin(options: LoadConfigOptions = {}): Promise<AccountAdmin> {
  return adminOf(await openAccounts(loadConfig(options)));
}

function adminOf(accounts: OpenAccounts): AccountAdmin {
  const { users, sessions, secondFactors, audit } = accounts;

  const report = async (before: UserAccount): Promise<AccountReport> =>
    toReport((await users.account(before.user.id)) ?? before);
  const ended = async (before: UserAccount, ids: readonly SessionId[]): Promise<EndReport> => {
    const servers_told = await accounts.signalEnded(ids);
    return { user: await report(before), sessions_ended: ids.length, servers_told };
  };

  return {
    users: async (page) => {
      const { items, nextCursor } = await users.accounts(page);
      return { items: items.map(toReport), next_cursor: nextCursor };
    },
    idOf: async (user) => (await users.account(user))?.user.id ?? null,
    disable: async (user, { keepIssues = false, evenLastOperator = false } = {}) => {
      const found = await users.account(user);
      if (found === null) return null;
      const { id, isOperator } = found.user;
      // Not in one transaction with the change: after two operators were disabled at the same moment, make another one.
      const isActive = isOperator && found.disabledAt === null;
      if (isActive && !evenLastOperator && !(await users.hasOtherOperator(id))) return 'last_operator';
      // Disabled first, so that no new work starts; the user's streams end before the first issue is cancelled.
      const ids = await users.disable(id, ending(found.user, 'account.disabled'));
      const report = await ended(found, ids);
      await accounts.signalEnded(await tokensOfUser(accounts, id));
      const issues_cancelled = keepIssues ? 0 : await cancelIssuesOf(accounts, id, { by: byOperator(found.user) });
      const servers_told = (await accounts.signalEnded([])) && report.servers_told;
      return { ...report, servers_told, issues_cancelled };
    },
    enable: async (user) => {
      const found = await users.account(user);
      if (found === null) return null;
      await users.enable(found.user.id, plainAct(found.user, 'account.enabled'));
      return await report(found);
    },
    grantOperator: async (user) => {
      const found = await users.account(user);
      if (found === null) return null;
      await users.grantOperator(found.user.id, plainAct(found.user, 'account.operator_granted'));
      return await report(found);
    },
    revokeOperator: async (user) => {
      const found = await users.account(user);
      if (found === null) return null;
      const { kind } = await users.revokeOperator(found.user.id, plainAct(found.user, 'account.operator_revoked'));
      return kind === 'last_operator' ? kind : await report(found);
    },
    endSessions: async (user) => {
      const found = await users.account(user);
      if (found === null) return null;
      return await ended(found, await sessions.revokeAll(found.user.id, ending(found.user, 'account.sessions_ended')));
    },
    removeSecondFactors: async (user) => {
      const found = await users.account(user);
      if (found === null) return null;
      const { id } = found.user;
      return await ended(found, await secondFactors.removeAll(id, ending(found.user, 'account.factors_removed')));
    },
    resetPassword: async (user) => {
      const found = await users.account(user);
      if (found === null) return null;
      if (found.user.email === null) return 'no_email';
      const password = randomBytes(PASSWORD_BYTES).toString('base64url');
      const passwordHash = await createPasswords().hash(password);
      const change = { passwordHash, keep: null };
      const outcome = await users.changeAccount(found.user.id, change, ending(found.user, 'account.password_reset'));
      if (outcome.kind !== 'changed') return null;
      return { ...(await ended(found, outcome.endedSessions)), password };
    },
    tokens: async (user, page) => {
      const found = user === null ? null : await users.account(user);
      if (user !== null && found === null) return null;
      return await listTokens(accounts, found === null ? 'all' : { userId: found.user.id }, page);
    },
    revokeToken: (id) => revokeToken(accounts, id),
    audit: async (user, page, filter = {}) => {
      const found = user === null ? null : await users.account(user);
      if (user !== null && found === null) return null;
      const whose = found === null ? {} : { userId: found.user.id };
      const { items, nextCursor } = await audit.listAll(page, { ...filter, ...whose });
      return { items: items.map(toOperatorAuditEntryWire), next_cursor: nextCursor };
    },
    [Symbol.asyncDispose]: () => accounts[Symbol.asyncDispose](),
  };
}

function byOperator({ id }: User): Initiator {
  return { userId: id, actor: { kind: 'operator' } };
}

function plainAct(
  user: User,
  action: 'account.enabled' | 'account.operator_granted' | 'account.operator_revoked',
): NewAuditEntry {
  return auditEntry(byOperator(user), { action, subjectId: null, detail: {} });
}

function ending(
  user: User,
  action: 'account.disabled' | 'account.factors_removed' | 'account.password_reset' | 'account.sessions_ended',
): EndingAudit {
  return (sessions_ended) => auditEntry(byOperator(user), { action, subjectId: null, detail: { sessions_ended } });
}

function toReport({ user, hasPassword, disabledAt, liveSessions, failedLogins }: UserAccount): AccountReport {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    codehost_login: user.codehostLogin,
    has_password: hasPassword,
    operator: user.isOperator,
    disabled_at: disabledAt?.toISOString() ?? null,
    live_sessions: liveSessions,
    failed_logins: failedLogins,
    created_at: user.createdAt.toISOString(),
  };
}
