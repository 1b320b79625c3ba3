import type { Attachment } from '@sluice/core/attachment';
import { sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Kit } from './kit.ts';
import { userIdColumn } from './schema-accounts.ts';

/** The pictures and texts of issues, and those that no issue has used yet. */
export function makeAttachmentTables(kit: Kit, { users, issues }: Record<'users' | 'issues', { id: PgColumn }>) {
  const attachments = kit.table(
    'attachments',
    {
      ordinal: kit.identity('ordinal'),
      id: kit.text('id').$type<Attachment['id']>().notNull().unique('attachments_id'),
      /** Who uploaded it, whatever has become of it. */
      userId: userIdColumn(kit, users).notNull(),
      issueId: kit
        .text('issue_id')
        .$type<NonNullable<Attachment['issueId']>>()
        .references(() => issues.id, { onDelete: 'cascade' }),
      name: kit.text('name').notNull(),
      mediaType: kit.text('media_type').$type<Attachment['mediaType']>().notNull(),
      /** The size of the content, so that it can be added up. */
      bytes: kit.int('bytes').notNull(),
      width: kit.int('width'),
      height: kit.int('height'),
      createdAt: kit.instant('created_at').notNull(),
      /** While no issue has used it. */
      expiresAt: kit.instant('expires_at'),
      /** The last column: SQLite reads those before it without it. */
      content: kit.bytes('content').notNull(),
    },
    (t) => [
      kit.index('attachments_of_issue').on(t.issueId, t.ordinal).where(sql.raw('issue_id is not null')),
      // Tells the sizes too, so that they are added up without a look at any content.
      kit.index('attachments_of_user').on(t.userId, t.bytes),
      kit.index('attachments_unused').on(t.userId, t.expiresAt).where(sql.raw('expires_at is not null')),
      kit.index('attachments_by_expiry').on(t.expiresAt).where(sql.raw('expires_at is not null')),
      kit.check('attachments_expire_unused', sql.raw('(issue_id is null) = (expires_at is not null)')),
    ],
  );
  return { attachments };
}
