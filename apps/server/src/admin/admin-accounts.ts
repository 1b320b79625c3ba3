import { randomBytes } from 'node:crypto';
import { createPasswords } from '@sluice/api';
import type { AccountFilter, EndingAudit, User, UserAccount } from '@sluice/core/account';
import {
  disableUser,
  enableUser,
  endSessionsOf,
  removeSecondFactorsOf,
  setOperator,
  toUserAccountWire,
  type UserAccountWire,
} from '@sluice/core/administration';
import {
  type AuditFilter,
  auditEntry,
  type OperatorAuditEntryWire,
  toOperatorAuditEntryWire,
} from '@sluice/core/audit';
import { AppError } from '@sluice/core/error';
import type { SessionId } from '@sluice/core/id';
import { type OpenAccounts, openAccounts } from '../compose/open-accounts.ts';
import { type LoadConfigOptions, loadConfig } from '../config/load-config.ts';
import { listTokens, type RevokedToken, revokeToken, type TokenReport } from './admin-tokens.ts';

/** A user as the operator sees them. */
export type AccountReport = UserAccountWire;

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
  users(page: ListOptions, filter?: AccountFilter): Promise<ListReport<AccountReport>>;
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

/** `sluice admin` is used by the operator of the machine, who has no session. */
const BY = 'on_the_machine' as const;
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
  const { users, audit } = accounts;

  /** Nothing is done to an account that its user has deleted. */
  const present = async (user: string): Promise<UserAccount | null> => {
    const found = await users.account(user);
    return found === null || found.deletedAt !== null ? null : found;
  };
  const report = async (before: UserAccount): Promise<AccountReport> =>
    toUserAccountWire((await users.account(before.user.id)) ?? before);
  const ended = async (before: UserAccount, ids: readonly SessionId[]): Promise<EndReport> => {
    const servers_told = await accounts.signalEnded(ids);
    return { user: await report(before), sessions_ended: ids.length, servers_told };
  };
  /** Carries out what ends sessions, and says whether the servers could be told. */
  const telling = async <T>(act: (tellEnded: (ids: readonly string[]) => Promise<void>) => Promise<T>) => {
    let servers_told = true;
    const done = await act(async (ids) => {
      servers_told = (await accounts.signalEnded(ids)) && servers_told;
    });
    // Also of the events that were written since.
    return { done, servers_told: (await accounts.signalEnded([])) && servers_told };
  };

  return {
    users: async (page, filter) => {
      const { items, nextCursor } = await users.accounts(page, filter);
      return { items: items.map(toUserAccountWire), next_cursor: nextCursor };
    },
    idOf: async (user) => (await users.account(user))?.user.id ?? null,
    disable: async (user, { keepIssues = false, evenLastOperator = false } = {}) => {
      const found = await present(user);
      if (found === null) return null;
      const request = { by: BY, keepIssues, evenLastOperator };
      const outcome = await unlessLast(() =>
        telling((tellEnded) => disableUser(accounts, found, { ...request, tellEnded })),
      );
      if (outcome === 'last_operator') return outcome;
      const { done, servers_told } = outcome;
      const sessions_ended = done.endedSessions.length;
      return { user: await report(found), sessions_ended, servers_told, issues_cancelled: done.issuesCancelled };
    },
    enable: async (user) => {
      const found = await present(user);
      if (found === null) return null;
      await enableUser(accounts, found, BY);
      return await report(found);
    },
    grantOperator: async (user) => {
      const found = await present(user);
      if (found === null) return null;
      await setOperator(accounts, found, { isOperator: true, by: BY });
      return await report(found);
    },
    revokeOperator: async (user) => {
      const found = await present(user);
      if (found === null) return null;
      const done = await unlessLast(() => setOperator(accounts, found, { isOperator: false, by: BY }));
      return done === 'last_operator' ? done : await report(found);
    },
    endSessions: async (user) => {
      const found = await present(user);
      if (found === null) return null;
      const { done, servers_told } = await telling((tellEnded) =>
        endSessionsOf(accounts, found, { by: BY, tellEnded }),
      );
      return { user: await report(found), sessions_ended: done.length, servers_told };
    },
    removeSecondFactors: async (user) => {
      const found = await present(user);
      if (found === null) return null;
      const { done, servers_told } = await telling((tellEnded) =>
        removeSecondFactorsOf(accounts, found, { by: BY, tellEnded }),
      );
      return { user: await report(found), sessions_ended: done.length, servers_told };
    },
    resetPassword: async (user) => {
      const found = await present(user);
      if (found === null) return null;
      if (found.user.email === null) return 'no_email';
      const password = randomBytes(PASSWORD_BYTES).toString('base64url');
      const passwordHash = await createPasswords().hash(password);
      const change = { passwordHash, keep: null };
      const outcome = await users.changeAccount(found.user.id, change, passwordReset(found.user));
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

function passwordReset({ id }: User): EndingAudit {
  return (sessions_ended) =>
    auditEntry(
      { userId: id, actor: { kind: 'operator' } },
      { action: 'account.password_reset', subjectId: null, detail: { sessions_ended } },
    );
}

async function unlessLast<T>(act: () => Promise<T>): Promise<T | 'last_operator'> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof AppError && error.code === 'last_operator') return error.code;
    throw error;
  }
}
