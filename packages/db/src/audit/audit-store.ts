import type { AuditEntry, AuditStore, InstallationEntry, PageRequest, User } from '@sluice/core';
import { and, desc, eq, lt, type SQL } from 'drizzle-orm';
import type { Tables } from '../schema/schema.ts';
import { pageOf, parseCursor } from '../store/page-cursor.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { appendInstallationAudit } from './append-audit.ts';

/** The audit log. */
export function createAuditStore(context: StoreContext): AuditStore {
  const { read, tables } = context.database;
  const { auditEntries } = tables;
  const rowsOf = async (where: SQL | undefined, { limit, cursor }: PageRequest) => {
    const before = parseCursor('audit', cursor);
    return await read
      .select()
      .from(auditEntries)
      .where(and(where, before === null ? undefined : lt(auditEntries.ordinal, before)))
      .orderBy(desc(auditEntries.ordinal))
      .limit(limit + 1);
  };
  return {
    list: async (userId, page) => {
      const rows = await rowsOf(eq(auditEntries.userId, userId), page);
      return pageOf(rows, { ...page, list: 'audit' }, (row) => toAccountEntry(row, userId));
    },
    listAll: async (page) => pageOf(await rowsOf(undefined, page), { ...page, list: 'audit' }, toEntry),
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
