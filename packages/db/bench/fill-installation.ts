import type { IssueId, RepoId, UserId } from '@sluice/core/id';
import type Sqlite from 'better-sqlite3';
import type { Client } from 'pg';
import { accountRows } from './filled/accounts.ts';
import { EVENTS_PER_ISSUE, issueRows, madeIssues, OPEN } from './filled/issues.ts';
import { otherRows } from './filled/others.ts';
import { parts, refuseEmpty } from './filled/parts.ts';
import type { Size, TableName } from './filled/size.ts';
import { idAt, pgWords, sqliteWords, type Words } from './filled/words.ts';

export { idAt } from './filled/words.ts';

const ISSUES_PER_USER = 100;
/** With as many, one of them is a member of few repositories. */
const MIN_USERS = 1_000;
/** The first user is a member of so many. */
const MIN_REPOS = 200;

interface Filling {
  /** Ended issues and drafts, ten events each. */
  readonly issues: number;
  /** Milliseconds since 1970: one session and response in ten expired two days before. */
  readonly now: number;
}

/** The user with half of the issues and events, their repository, and an ended issue in the middle. */
export function largestOf(issues: number): { userId: UserId; repoId: RepoId; endedId: IssueId } {
  return {
    userId: idAt('user', 0) as UserId,
    repoId: idAt('repo', 0) as RepoId,
    endedId: idAt('issue', issues / 2) as IssueId,
  };
}

/** The statements that fill an empty database: a few or many rows in every table. */
function statements({ issues, now }: Filling, words: Words): string {
  const users = Math.max(MIN_USERS, issues / ISSUES_PER_USER);
  const size: Size = { issues, users, repos: Math.max(MIN_REPOS, users), now };
  const filled: Readonly<Record<TableName, string>> = {
    ...accountRows(size, words),
    ...issueRows(size, words),
    ...otherRows(size, words),
  };
  const count = Math.max(issues + OPEN, EVENTS_PER_ISSUE);
  return [words.numbers(count), madeIssues(size), ...Object.values(filled)].join(';\n');
}

/**
 * Fills a database without statistics: the service counts at its first maintenance and when it is closed.
 *
 * @throws Error when a table or an index has no row
 */
export function fillInstallation(raw: Sqlite.Database, filling: Filling): void {
  raw.pragma('foreign_keys = off'); // what refers to a row may be written before it
  raw.pragma('synchronous = off');
  raw.exec(`begin; ${statements(filling, sqliteWords)}; drop table numbers; drop table made; commit`);
  refuseEmpty(parts.filter(({ rows }) => raw.prepare(`select exists(${rows})`).pluck().get() === 0));
}

/** Fills like `fillInstallation`, and analyses, as autovacuum does it soon. */
export async function fillInstallationOnPg(client: Client, filling: Filling): Promise<void> {
  // Without a look at references, which takes most of the time.
  await client.query(`set session_replication_role = replica; ${statements(filling, pgWords)};
    drop table numbers; drop table made; set session_replication_role = default`);
  await client.query('vacuum analyze');
  const empty = [];
  for (const part of parts) {
    const { rows } = await client.query<{ exists: boolean }>(`select exists(${part.rows})`);
    if (rows[0]?.exists !== true) empty.push(part);
  }
  refuseEmpty(empty);
}
