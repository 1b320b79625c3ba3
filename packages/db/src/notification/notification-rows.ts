import type { Delivery, NotificationTarget, StoredUrl } from '@sluice/core/notification';
import { and, eq, exists, gt, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../engine/database.ts';
import { isVisible } from '../removal/is-visible.ts';
import type { Db } from '../schema/kit.ts';
import type { Tables } from '../schema/schema.ts';

type TargetRow = Tables['notificationTargets']['$inferSelect'];
type DeliveryRow = Tables['notificationDeliveries']['$inferSelect'];

export function toTarget({ ordinal, url, ...target }: TargetRow): NotificationTarget {
  return { ...target, url: url === null ? null : toStoredUrl(url) };
}

/** Stands before an encrypted URL, and before none in the clear. */
export const SEALED = 'sealed:';

/** How a URL stands in its column: `sealed:`, the encrypted token, `:` and its nonce; or in the clear. */
export function urlColumn(url: StoredUrl): string {
  return typeof url === 'string' ? url : `${SEALED}${url.encrypted}:${url.nonce}`;
}

export function toStoredUrl(column: string): StoredUrl {
  if (!column.startsWith(SEALED)) return column;
  const end = column.lastIndexOf(':');
  return { encrypted: column.slice(SEALED.length, end), nonce: column.slice(end + 1) };
}

export function toDelivery({ ordinal, owner, heldUntil, ...row }: DeliveryRow): Delivery {
  const first = row.messageId.replace(/^msg_/, '');
  return { ...row, replayOf: first === row.id ? null : first };
}

/** Selects the secrets that still sign. */
export function isActive({ notificationSecrets: of }: Tables, now: Date): SQL | undefined {
  return or(isNull(of.expiresAt), gt(of.expiresAt, now));
}

/**
 * Selects the deliveries that the user of their target may still see: not those of an issue that was removed, or of a repository
 * that they are no member of any more.
 */
export function ofReadableIssue(database: Pick<Database, 'tables'>, db: Db): SQL | undefined {
  const { notificationDeliveries: of, notificationTargets: targets, issues, repos, repoMembers } = database.tables;
  const issue = db
    .select({ one: sql`1` })
    .from(issues)
    .innerJoin(repos, eq(repos.id, issues.repoId))
    .innerJoin(targets, eq(targets.id, of.targetId))
    .leftJoin(repoMembers, and(eq(repoMembers.repoId, repos.id), eq(repoMembers.userId, targets.userId)))
    .where(
      and(
        eq(issues.id, of.issueId),
        isVisible(database, db),
        or(eq(repos.userId, targets.userId), isNotNull(repoMembers.role)),
      ),
    );
  return or(isNull(of.issueId), exists(issue));
}
