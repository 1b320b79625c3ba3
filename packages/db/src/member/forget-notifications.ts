import type { RepoId, UserId } from '@sluice/core/id';
import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import type { Write } from '../store/store-context.ts';

/** Deletes the user's notification targets of a repository, and what their others still have to send of its issues. */
export async function forgetNotifications({ context, db }: Write, repoId: RepoId, userId: UserId): Promise<void> {
  const { notificationTargets: targets, notificationDeliveries: deliveries, issues } = context.database.tables;
  const theirs = eq(targets.userId, userId);
  await db.delete(targets).where(and(theirs, eq(targets.repoId, repoId)));
  const ids = (await db.select({ id: targets.id }).from(targets).where(theirs)).map(({ id }) => id);
  if (ids.length === 0) return;
  const ofRepo = db.select({ id: issues.id }).from(issues).where(eq(issues.repoId, repoId));
  await db
    .delete(deliveries)
    .where(
      and(inArray(deliveries.targetId, ids), isNotNull(deliveries.nextAttemptAt), inArray(deliveries.issueId, ofRepo)),
    );
}
