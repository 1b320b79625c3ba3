import type { AuditEntry, AuditStore, InstallationEntry, PageRequest, RepoId, User } from '@sluice/core';
import { and, desc, eq, isNotNull, lt } from 'drizzle-orm';
import type { Tables } from '../schema/schema.ts';
import { pageOf, parseCursor } from '../store/page-cursor.ts';
import { type Given, preparedShapes } from '../store/prepared.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { appendInstallationAudit } from './append-audit.ts';

interface Values {
  readonly userId: User['id'];
  readonly repoId: RepoId;
  readonly before: number | null;
  readonly rows: number;
}

/** Of one user, about one repository, or of everybody; the first page or a later one. */
const selectEntries = preparedShapes(
  ({ context, db }, given: Given<Values>, { of, isLater }: { of: 'user' | 'repo' | 'all'; isLater: boolean }) => {
    const { auditEntries } = context.database.tables;
    const { userId, repoId, ordinal } = auditEntries;
    return db
      .select()
      .from(auditEntries)
      .where(
        and(
          of === 'user' ? eq(userId, given('userId', userId)) : undefined,
          // The same condition as that of its index.
          of === 'repo' ? and(eq(repoId, given('repoId', repoId)), isNotNull(repoId)) : undefined,
          isLater ? lt(ordinal, given('before', ordinal)) : undefined,
        ),
      )
      .orderBy(desc(ordinal))
      .limit(given('rows'));
  },
);

/** The audit log. */
export function createAuditStore(context: StoreContext): AuditStore {
  const reading = { context, db: context.database.read };
  const rowsOf = async (
    of: 'user' | 'repo' | 'all',
    { limit, cursor }: PageRequest,
    values: Partial<Pick<Values, 'userId' | 'repoId'>> = {},
  ) => {
    const before = parseCursor('audit', cursor);
    const all = { ...(values as Pick<Values, 'userId' | 'repoId'>), before, rows: limit + 1 };
    return await selectEntries(reading, { of, isLater: before !== null }, all);
  };
  return {
    list: async (userId, page) => {
      const rows = await rowsOf('user', page, { userId });
      return pageOf(rows, { ...page, list: 'audit' }, (row) => toAccountEntry(row, userId));
    },
    listOfRepo: async (repoId, page) => {
      const rows = await rowsOf('repo', page, { repoId });
      return pageOf(rows, { ...page, list: 'audit' }, (row) => toAccountEntry(row, row.userId as User['id']));
    },
    listAll: async (page) => pageOf(await rowsOf('all', page), { ...page, list: 'audit' }, toEntry),
    note: (act) => write(context, async (write) => appendInstallationAudit(write, act)),
  };
}

type Row = Tables['auditEntries']['$inferSelect'];

function toEntry(row: Row): AuditEntry | InstallationEntry {
  if (row.userId !== null) return toAccountEntry(row, row.userId);
  const { action, detail, at } = row;
  return { userId: null, act: { action, detail } as InstallationEntry['act'], at };
}

function toAccountEntry(row: Row, userId: User['id']): AuditEntry {
  const { actor, sessionId, tokenId, action, subjectId, detail, at } = row;
  return {
    userId,
    actor: actor === 'user' ? { kind: actor, sessionId, tokenId } : { kind: actor },
    // The catalogue has checked action and detail together when they were written.
    act: { action, subjectId, detail } as AuditEntry['act'],
    at,
  };
}
