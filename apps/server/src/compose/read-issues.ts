import { callerOf } from '@sluice/core/access';
import { type IssueWire, toIssueWire } from '@sluice/core/issue';
import { type RepoWire, toRepoWire } from '@sluice/core/repo';
import type { Page, PageRequest } from '@sluice/core/request';
import { openSqlite } from '@sluice/db';
import { toStartError } from './database-errors.ts';

/** The issues of one user in a data folder. */
export interface StoredIssues {
  /** Newest first. */
  readonly issues: readonly IssueWire[];
  readonly repos: readonly RepoWire[];
}

/**
 * Reads the issues of a user from the embedded database of a data folder. No server is started; one may run on the folder.
 *
 * @param email of the user; without an account of it there are no issues
 * @throws StartError when the database is damaged or of a newer version, or its process admits no other one
 */
export async function readIssues(dataDir: string, email: string): Promise<StoredIssues> {
  try {
    await using stores = await openSqlite({ dataDir, besideServer: true, clock: { now: () => new Date() } });
    const { issues, members, repos, users } = stores;
    const account = await users.account(email);
    if (account === null) return { issues: [], repos: [] };
    const caller = callerOf(account.user.id);
    const roles = await members.rolesOf(caller);
    return {
      issues: (await allOf((page) => issues.list({ readableBy: caller, ...page }))).map(toIssueWire),
      repos: (await allOf((page) => repos.list(caller, page))).map((repo) =>
        toRepoWire(repo, roles.get(repo.id) ?? 'viewer'),
      ),
    };
  } catch (error) {
    throw toStartError(error);
  }
}

async function allOf<T>(read: (page: PageRequest) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Page<T> = await read({ limit: 100, cursor: cursor ?? null });
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}
