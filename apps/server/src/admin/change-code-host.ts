import type { UserAccount } from '@sluice/core/account';
import { siteOf } from '../compose/claim-code-host-site.ts';
import { openAdminStores } from '../compose/open-admin-stores.ts';
import { type LoadConfigOptions, loadConfig } from '../config/load-config.ts';
import { StartError } from '../process/start-error.ts';

/** The result of a move. If `blocked` names registrations that cannot follow, nothing was changed. */
export interface CodeHostMoveReport {
  readonly from: string;
  readonly to: string;
  readonly repos: number;
  readonly blocked: readonly {
    readonly repo_id: string;
    readonly user_id: string;
    /** The obstacle at the new address: a registration of the same user, or an issue in progress. */
    readonly by: 'registration' | 'issue';
    readonly by_id: string;
  }[];
}

export interface CodeHostForgetReport {
  /** Null if none was recorded. */
  readonly codehost: string | null;
  readonly users_unlinked: number;
  readonly repos: number;
  /** Users without a password who signed in there. A live session is their chance to set one or link an account. */
  readonly without_password: readonly {
    readonly id: string;
    readonly email: string | null;
    readonly live_sessions: number;
  }[];
}

/**
 * Records CODEHOST_URL as the new address of the database's code host. Accounts, tokens and registrations stay, and
 * registrations follow to the new address. Stop every server first: a running one stops calling its code host.
 *
 * @throws ConfigError
 * @throws StartError when no code host is configured or recorded, or the database cannot be opened
 */
export async function moveCodeHost(options: LoadConfigOptions = {}): Promise<CodeHostMoveReport> {
  const config = loadConfig(options);
  if (config.codehost === null) {
    throw new StartError(
      'No code host is configured: set CODEHOST_URL, CODEHOST_CLIENT_ID and CODEHOST_CLIENT_SECRET.',
    );
  }
  const to = siteOf(config.codehost);
  await using stores = await openAdminStores(config);
  const outcome = await stores.codehostSite.move(to);
  if (outcome.kind === 'none') {
    throw new StartError('This database has no code host yet: the first start of a server with one records it.');
  }
  if (outcome.kind === 'moved') return { from: outcome.from, to, repos: outcome.repos, blocked: [] };
  const blocked = outcome.blocked.map(({ repoId, userId, by }) => ({
    repo_id: repoId,
    user_id: userId,
    by: by.kind,
    by_id: by.id,
  }));
  return { from: outcome.from, to, repos: 0, blocked };
}

/**
 * Removes the code host from the database, so that another one can replace it: see `CodeHostSiteStore.forget`. Stop every
 * server first: a running one stops calling its code host.
 *
 * @throws ConfigError
 * @throws StartError when the database cannot be opened
 */
export async function forgetCodeHost(options: LoadConfigOptions = {}): Promise<CodeHostForgetReport> {
  await using stores = await openAdminStores(loadConfig(options));
  const { codehostSite, users } = stores;
  const forgotten = await codehostSite.forget((userId) => ({
    userId,
    actor: { kind: 'operator' },
    act: { action: 'account.unlinked', subjectId: null, detail: {} },
  }));
  const accounts: UserAccount[] = [];
  for (const id of forgotten.users) {
    const account = await users.account(id);
    if (account !== null && !account.hasPassword) accounts.push(account);
  }
  return {
    codehost: forgotten.origin,
    users_unlinked: forgotten.users.length,
    repos: forgotten.repos,
    without_password: accounts.map(({ user, liveSessions }) => ({
      id: user.id,
      email: user.email,
      live_sessions: liveSessions,
    })),
  };
}
