import { type Attachment, type AttachmentStore, MAX_UNUSED_ATTACHMENTS, UNUSED_MS } from '@sluice/core/attachment';
import type { AttachmentId, IssueId, UserId } from '@sluice/core/id';
import { and, asc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import type { Tables } from '../schema/schema.ts';
import { type Given, prepared } from '../store/prepared.ts';
import { preparedInsert } from '../store/prepared-insert.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { holdUser } from '../user/hold-user.ts';

/** All but the content. */
function shown({ attachments }: Pick<Tables, 'attachments'>) {
  const { id, userId, issueId, name, mediaType, bytes, width, height, createdAt } = attachments;
  return { id, userId, issueId, name, mediaType, bytes, width, height, createdAt };
}

const insert = preparedInsert(
  ({ attachments }) => attachments,
  ({ context, db }, rows: Tables['attachments']['$inferInsert'][]) =>
    db.insert(context.database.tables.attachments).values(rows),
);

const selectUnused = prepared(({ context, db }, given: Given<{ userId: UserId; now: Date; limit: number }>) => {
  const { attachments } = context.database.tables;
  const { id, userId, expiresAt } = attachments;
  return db
    .select({ id })
    .from(attachments)
    .where(and(eq(userId, given('userId', userId)), gt(expiresAt, given('now', expiresAt))))
    .limit(given('limit'));
});

const selectOne = prepared(({ context, db }, given: Given<{ id: AttachmentId; now: Date }>) => {
  const { tables } = context.database;
  const { id, expiresAt } = tables.attachments;
  const isThere = or(isNull(expiresAt), gt(expiresAt, given('now', expiresAt)));
  return db
    .select(shown(tables))
    .from(tables.attachments)
    .where(and(eq(id, given('id', id)), isThere));
});

const selectOfIssue = prepared(({ context, db }, given: Given<{ issueId: IssueId }>) => {
  const { tables } = context.database;
  const { issueId, ordinal } = tables.attachments;
  return db
    .select(shown(tables))
    .from(tables.attachments)
    .where(eq(issueId, given('issueId', issueId)))
    .orderBy(asc(ordinal));
});

const selectContent = prepared(({ context, db }, given: Given<{ id: AttachmentId }>) => {
  const { id, content } = context.database.tables.attachments;
  return db
    .select({ content })
    .from(context.database.tables.attachments)
    .where(eq(id, given('id', id)));
});

const sumOf = prepared(({ context, db }, given: Given<{ userId: UserId }>) => {
  const { userId, bytes } = context.database.tables.attachments;
  return db
    .select({ bytes: sql`coalesce(sum(${bytes}), 0)`.mapWith(Number) })
    .from(context.database.tables.attachments)
    .where(eq(userId, given('userId', userId)));
});

/** The pictures and texts of issues. */
export function createAttachmentStore(context: StoreContext): AttachmentStore {
  const reading = { context, db: context.database.read };
  return {
    put: ({ content, ...attachment }, audit) =>
      write(context, async (write) => {
        const { now } = write;
        const { userId } = attachment;
        // So that two requests at once count each other.
        if (!(await holdUser(write, userId))?.isEnabled) return { kind: 'disabled' };
        const unused = await selectUnused(write, { userId, now, limit: MAX_UNUSED_ATTACHMENTS });
        if (unused.length >= MAX_UNUSED_ATTACHMENTS) return { kind: 'full' };
        const stored: Attachment = { ...attachment, issueId: null, bytes: content.byteLength, createdAt: now };
        const expiresAt = new Date(now.getTime() + UNUSED_MS);
        await insert(write, [{ ...stored, expiresAt, content }]);
        await appendAudit(write, audit);
        return { kind: 'stored', attachment: stored };
      }),

    find: async (id) => {
      const [row] = await selectOne(reading, { id, now: context.clock.now() });
      return row ?? null;
    },

    ofIssue: (issueId) => selectOfIssue(reading, { issueId }),

    content: async (id) => {
      const [row] = await selectContent(reading, { id });
      return row?.content ?? null;
    },

    bytesOf: async (userId) => {
      const [row] = await sumOf(reading, { userId });
      return row?.bytes ?? 0;
    },
  };
}
