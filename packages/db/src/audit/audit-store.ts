import type { User } from '@sluice/core/account';
import type { AuditEntry, AuditFilter, AuditStore, InstallationEntry, Numbered } from '@sluice/core/audit';
import type { RepoId } from '@sluice/core/id';
import type { PageRequest } from '@sluice/core/request';
import { and, desc, eq, gte, isNotNull, lt } from 'drizzle-orm';
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

/**
 * Selects the matching entries of all users in the table's own order: each condition may be left out, and no index has
 * all.
 */
const selectMatching = preparedShapes(
  (
    { context, db },
    given: Given<Pick<Values, 'before' | 'rows'> & Required<AuditFilter>>,
    by: Readonly<Partial<Record<keyof AuditFilter, true>>>,
  ) => {
    const { auditEntries } = context.database.tables;
    const { userId, repoId, action, at, ordinal } = auditEntries;
    return db
      .select()
      .from(auditEntries)
      .where(
        and(
          lt(ordinal, given('before', ordinal)),
          by.userId && eq(userId, given('userId', userId)),
          by.repoId && and(eq(repoId, given('repoId', repoId)), isNotNull(repoId)),
          by.action && eq(action, given('action', action)),
          by.from && gte(at, given('from', at)),
          by.to && lt(at, given('to', at)),
        ),
      )
      .orderBy(desc(ordinal))
      .limit(given('rows'));
  },
  { planned: 'each time' },
);

const LAST = Number.MAX_SAFE_INTEGER;

/** Selects the entries of one user or about one repository; the first page or a later one. */
const selectEntries = preparedShapes(
  ({ context, db }, given: Given<Values>, { of, isLater }: { of: 'user' | 'repo'; isLater: boolean }) => {
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
    of: 'user' | 'repo',
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
    listAll: async (page, filter = {}) => {
      const before = parseCursor('audit', page.cursor) ?? LAST;
      const given = Object.entries(filter).filter(([, value]) => value !== undefined);
      const by = Object.fromEntries(given.map(([name]) => [name, true as const]));
      const values = { ...(filter as Required<AuditFilter>), before, rows: page.limit + 1 };
      const rows = await selectMatching(reading, by, values);
      return pageOf(rows, { ...page, list: 'audit' }, toEntry);
    },
    note: (act) => write(context, async (write) => appendInstallationAudit(write, act)),
  };
}

type Row = Tables['auditEntries']['$inferSelect'];

function toEntry(row: Row): Numbered<AuditEntry | InstallationEntry> {
  const { action, detail, at, ordinal, repoId } = row;
  if (row.userId !== null) return { ...toAccountEntry(row, row.userId), ordinal, repoId };
  return { userId: null, act: { action, detail } as InstallationEntry['act'], at, ordinal, repoId };
}

function toAccountEntry(row: Row, userId: User['id']): AuditEntry {
  const { actor, sessionId, tokenId, action, subjectId, detail, at } = row;
  return {
    userId,
    actor: toActor({ actor, sessionId, tokenId }),
    // The catalogue has checked action and detail together when they were written.
    act: { action, subjectId, detail } as AuditEntry['act'],
    at,
  };
}

function toActor({ actor, sessionId, tokenId }: Pick<Row, 'actor' | 'sessionId' | 'tokenId'>): AuditEntry['actor'] {
  const byToken = tokenId !== null && { tokenId };
  if (actor === 'user') return { kind: actor, sessionId, ...byToken };
  return actor === 'operator' ? { kind: actor, ...(sessionId !== null && { sessionId }), ...byToken } : { kind: actor };
}
