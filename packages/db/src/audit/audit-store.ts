import type { AuditEntry, AuditStore } from '@sluice/core';
import { and, desc, eq, lt } from 'drizzle-orm';
import { pageOf, parseCursor } from '../page-cursor.ts';
import type { Tables } from '../schema.ts';
import type { StoreContext } from '../store-context.ts';

/** Who did what, on whatever database `context` holds. */
export function createAuditStore(context: StoreContext): AuditStore {
  const { read, tables } = context.database;
  const { auditEntries } = tables;
  return {
    list: async (userId, { limit, cursor }) => {
      const before = parseCursor('audit', cursor);
      const rows = await read
        .select()
        .from(auditEntries)
        .where(
          and(
            userId === null ? undefined : eq(auditEntries.userId, userId),
            before === null ? undefined : lt(auditEntries.ordinal, before),
          ),
        )
        .orderBy(desc(auditEntries.ordinal))
        .limit(limit + 1);
      return pageOf(rows, { limit, cursor, list: 'audit' }, toEntry);
    },
  };
}

function toEntry(row: Tables['auditEntries']['$inferSelect']): AuditEntry {
  const { userId, actor, sessionId, action, subjectId, detail, at } = row;
  return {
    userId,
    actor: actor === 'user' ? { kind: actor, sessionId } : { kind: actor },
    // The catalogue has checked action and detail together when they were written.
    act: { action, subjectId, detail } as AuditEntry['act'],
    at,
  };
}
