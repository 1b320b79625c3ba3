import type { UserAccount } from '@sluice/core';
import { siteOf } from '../compose/keep-codehost-site.ts';
import { openAdminStores } from '../compose/open-admin-stores.ts';
import { type LoadConfigOptions, loadConfig } from '../config/load-config.ts';
import { StartError } from '../process/start-error.ts';

/** What came of a move: `blocked` names the registrations that could not follow, and then nothing was changed. */
export interface CodeHostMoveReport {
  readonly from: string;
  readonly to: string;
  readonly repos: number;
  readonly blocked: readonly {
    readonly repo_id: string;
    readonly user_id: string;
    /** What stands at its new address: a registration of the same user, or an issue in progress. */
    readonly by: 'registration' | 'issue';
    readonly by_id: string;
  }[];
}

export interface CodeHostForgetReport {
  /** Null when no server had kept one. */
  readonly codehost: string | null;
  readonly users_unlinked: number;
  readonly repos: number;
  /** Who signed in there and has no password, by how many sessions he has left to set one or to link an account in. */
  readonly without_password: readonly {
    readonly id: string;
    readonly email: string | null;
    readonly live_sessions: number;
  }[];
}

/**
 * Tells the database that its code host has the address now that CODEHOST_URL says. Accounts, grants and registrations
 * stay, and registrations follow to the new address. For when every server is stopped: one that runs asks its code host nothing more.
 *
 * @throws ConfigError
 * @throws StartError when no code host is configured or kept, or the database cannot be opened
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
    throw new StartError('This database is of no code host yet: the first start of a server with one keeps it.');
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
 * Takes the code host out of the database, so that another one can take its place: see `CodeHostSiteStore.forget`. For
 * when every server is stopped: one that runs asks its code host nothing more.
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
