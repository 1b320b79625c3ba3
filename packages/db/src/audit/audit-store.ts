import type { AuditEntry, AuditStore, InstallationEntry, PageRequest, User } from '@sluice/core';
import { and, desc, eq, lt } from 'drizzle-orm';
import type { Tables } from '../schema/schema.ts';
import { pageOf, parseCursor } from '../store/page-cursor.ts';
import { type Given, preparedShapes } from '../store/prepared.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { appendInstallationAudit } from './append-audit.ts';

interface Values {
  readonly userId: User['id'] | null;
  readonly before: number | null;
  readonly rows: number;
}

/** Of one user or of everybody; the first page or a later one. */
const selectEntries = preparedShapes(
  ({ context, db }, given: Given<Values>, { ofUser, isLater }: { ofUser: boolean; isLater: boolean }) => {
    const { auditEntries } = context.database.tables;
    const { userId, ordinal } = auditEntries;
    return db
      .select()
      .from(auditEntries)
      .where(
        and(
          ofUser ? eq(userId, given('userId', userId)) : undefined,
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
  const rowsOf = async (userId: User['id'] | null, { limit, cursor }: PageRequest) => {
    const before = parseCursor('audit', cursor);
    const shape = { ofUser: userId !== null, isLater: before !== null };
    return await selectEntries(reading, shape, { userId, before, rows: limit + 1 });
  };
  return {
    list: async (userId, page) => {
      const rows = await rowsOf(userId, page);
      return pageOf(rows, { ...page, list: 'audit' }, (row) => toAccountEntry(row, userId));
    },
    listAll: async (page) => pageOf(await rowsOf(null, page), { ...page, list: 'audit' }, toEntry),
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
  const { actor, sessionId, action, subjectId, detail, at } = row;
  return {
    userId,
    actor: actor === 'user' ? { kind: actor, sessionId } : { kind: actor },
    // The catalogue has checked action and detail together when they were written.
    act: { action, subjectId, detail } as AuditEntry['act'],
    at,
  };
}
