import { inArray, sql } from 'drizzle-orm';
import { admit } from '../issue/admission.ts';
import { isRemoved } from '../removal/is-visible.ts';
import { prepared } from '../store/prepared.ts';
import { type StoreContext, write } from '../store/store-context.ts';

const findStarted = prepared(({ context, db }) => {
  const { issues, repos } = context.database.tables;
  // By the index of the active remotes: the removed repositories have few, and one each.
  const remotes = db.select({ remote: repos.canonicalRemote }).from(repos).where(isRemoved({ repos }));
  return db.select({ id: issues.id }).from(issues).where(inArray(issues.activeRemote, remotes));
});

/**
 * Cancels what was started in a removed repository, so that it can be deleted and its slot is free. A process of a release
 * that knows no removed repositories does that while it runs beside this one. There is no event: nobody can see the issue.
 */
export async function endRemoved(context: StoreContext): Promise<void> {
  const { read, tables } = context.database;
  const { issues, repos } = tables;
  const started = await findStarted({ context, db: read }, {});
  if (started.length === 0) return;
  await write(context, async (write) => {
    const { db, now } = write;
    await context.database.lockDispatch(db);
    await db
      .update(issues)
      .set({
        status: 'cancelled',
        activeRemote: null,
        waitingOrdinal: null,
        queueOrdinal: null,
        slot: null,
        gate: null,
        gateExpiresAt: null,
        leaseOwner: null,
        leaseExpiresAt: null,
        runAfter: null,
        leaseEpoch: sql`${issues.leaseEpoch} + 1`,
        finishedAt: now,
        updatedAt: now,
      })
      .where(
        inArray(
          issues.activeRemote,
          db.select({ remote: repos.canonicalRemote }).from(repos).where(isRemoved({ repos })),
        ),
      );
    await admit(write);
  });
}
