import type { RegisteredRepo } from '@sluice/core/repo';
import type { Page, PageRequest } from '@sluice/core/request';
import { and, count, desc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { pageOf, parseCursor } from '../store/page-cursor.ts';
import { type Given, type Handle, prepared } from '../store/prepared.ts';

const LAST = Number.MAX_SAFE_INTEGER;

const selectPage = prepared(({ context, db }, given: Given<{ before: number; rows: number }>) => {
  const { repos, repoMembers: members, users, issues, auditEntries: audit } = context.database.tables;
  const memberCount = db.select({ total: count() }).from(members).where(eq(members.repoId, repos.id));
  const lastIssue = db
    .select({ at: issues.updatedAt })
    .from(issues)
    .where(eq(issues.repoId, repos.id))
    .orderBy(desc(issues.ordinal))
    .limit(1);
  const lastAct = db
    .select({ at: audit.at })
    .from(audit)
    // The same condition as that of its index.
    .where(and(eq(audit.repoId, repos.id), isNotNull(audit.repoId)))
    .orderBy(desc(audit.ordinal))
    .limit(1);
  return db
    .select({
      ordinal: repos.ordinal,
      id: repos.id,
      name: repos.name,
      createdAt: repos.createdAt,
      updatedAt: repos.updatedAt,
      registrant: {
        id: users.id,
        name: users.name,
        email: users.email,
        codehostLogin: users.codehostLogin,
        disabledAt: users.disabledAt,
      },
      members: sql<string | number>`(${memberCount})`,
      lastIssueAt: sql<Date | null>`(${lastIssue})`.mapWith(issues.updatedAt),
      lastActAt: sql<Date | null>`(${lastAct})`.mapWith(audit.at),
    })
    .from(repos)
    .innerJoin(users, eq(users.id, repos.userId))
    .where(and(lt(repos.ordinal, given('before', repos.ordinal)), isNull(repos.removedAt)))
    .orderBy(desc(repos.ordinal))
    .limit(given('rows'));
});

/** `RepoStore.listAll`. */
export async function listAllRepos(reading: Handle, { limit, cursor }: PageRequest): Promise<Page<RegisteredRepo>> {
  const before = parseCursor('all_repos', cursor) ?? LAST;
  const rows = await selectPage(reading, { before, rows: limit + 1 });
  return pageOf(rows, { limit, cursor, list: 'all_repos' }, ({ registrant, members, ...row }) => {
    const { disabledAt, ...user } = registrant;
    const times = [row.updatedAt, row.lastIssueAt, row.lastActAt].filter((at) => at !== null);
    return {
      id: row.id,
      name: row.name,
      registrant: { ...user, isDisabled: disabledAt !== null },
      members: Number(members) + 1, // Postgres gives a count as text
      lastActivityAt: new Date(Math.max(...times.map((at) => at.getTime()))),
      createdAt: row.createdAt,
    };
  });
}
