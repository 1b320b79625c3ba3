import type { IssueId, UserId } from '@sluice/core/id';
import type {
  AttemptEnd,
  ClaimedDelivery,
  ClaimOptions,
  DeliveryQueue,
  NotificationTarget,
} from '@sluice/core/notification';
import {
  and,
  asc,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { Database } from '../engine/database.ts';
import { BEHIND_MS, NOW_MS } from '../event/append-deliveries.ts';
import type { Tables } from '../schema/schema.ts';
import { type Given, prepared } from '../store/prepared.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { isActive, ofReadableIssue, toDelivery, toTarget } from './notification-rows.ts';

/** Candidates that are read for each delivery that is claimed: others may be of targets or users that are busy by then. */
const CANDIDATES = 5;

const selectAny = prepared(({ context: { database }, db }) => {
  const { notificationDeliveries: of } = database.tables;
  const { ordinal } = of;
  return db
    .select({ ordinal })
    .from(of)
    .where(and(isWaiting(database), ofReadableIssue(database, db)))
    .limit(1);
});

const setClaimed = prepared(({ context, db }, given: Given<{ ordinal: number; owner: string; ttlMs: number }>) => {
  const { database } = context;
  const { notificationDeliveries: of } = database.tables;
  return (
    db
      .update(of)
      .set({
        owner: given('owner', of.owner),
        heldUntil: database.at(given('ttlMs')),
        attempts: sql`${of.attempts} + 1`,
      })
      // Checked again: another worker may have claimed or ended it since the query.
      .where(and(eq(of.ordinal, given('ordinal', of.ordinal)), isWaiting(database)))
      .returning()
  );
});

/** Deliveries as the workers see them. Holds and waits use the database's clock. */
export function createDeliveryQueue(context: StoreContext): DeliveryQueue {
  const { database } = context;
  const { read, tables } = database;
  const { notificationDeliveries: of, notificationTargets: targets, notificationSecrets: secrets } = tables;
  const isHeld = (owner: string, id: string) => and(eq(of.id, id), eq(of.owner, owner));
  return {
    claim: async (owner, options) => {
      // Nearly always none is due; then no transaction is begun.
      if ((await selectAny({ context, db: read }, {})).length === 0) return [];
      return await write(context, (write) => claim(write, owner, options));
    },

    settle: (owner, { id, targetId, issueId, target }, end) =>
      write(context, async (write) => {
        const { db, now } = write;
        const disabledReason = await noteOnTarget(write, target, end);
        const isOver = end.status !== PENDING || disabledReason !== null;
        const lastError = end.status === PENDING && disabledReason !== null ? disabledReason : end.lastError;
        const ended = await db
          .update(of)
          .set({
            ...(isOver
              ? { status: end.status === PENDING ? GIVEN_UP : end.status, nextAttemptAt: null, endedAt: now }
              : { nextAttemptAt: database.at(end.retryInMs) }),
            lastStatus: end.lastStatus,
            lastError,
            latencyMs: end.latencyMs,
            owner: null,
            heldUntil: null,
          })
          .where(isHeld(owner, id))
          .returning({ ordinal: of.ordinal });
        if (issueId !== null && ended.length > 0) await moveLine(write, { targetId, issueId }, isOver ? null : end);
        if (end.disable !== null && disabledReason !== null) await giveUpWaiting(write, targetId, disabledReason);
      }),

    release: (owner, id) =>
      write(context, async ({ db }) => {
        await db
          .update(of)
          .set({ owner: null, heldUntil: null, attempts: sql`${of.attempts} - 1` })
          .where(isHeld(owner, id));
      }),

    expireHolds: () =>
      write(context, async ({ db }) => {
        const ended = await db
          .update(of)
          .set({ heldUntil: database.at(NOW_MS) })
          // Held deliveries always have `next_attempt_at`; the condition lets the query use an index.
          .where(and(isNotNull(of.owner), gt(of.nextAttemptAt, new Date(0))))
          .returning({ ordinal: of.ordinal });
        return ended.length;
      }),

    forget: ({ before, limit }) =>
      write(context, async ({ db }) => {
        const oldest = db.select({ ordinal: of.ordinal }).from(of).where(lt(of.endedAt, before)).limit(limit);
        const gone = await db.delete(of).where(inArray(of.ordinal, oldest)).returning({ ordinal: of.ordinal });
        const expired = db
          .select({ ordinal: secrets.ordinal })
          .from(secrets)
          .where(lt(secrets.expiresAt, before))
          .limit(limit);
        await db.delete(secrets).where(inArray(secrets.ordinal, expired));
        return gone.length >= limit;
      }),
  };

  async function claim(write: Write, owner: string, options: ClaimOptions): Promise<ClaimedDelivery[]> {
    const { limit, ttlMs, perTarget, perUser, busy } = options;
    const ofTarget = countUpTo<string>(perTarget);
    const ofUser = countUpTo<UserId>(perUser);
    for (const target of busy) {
      ofTarget.add(target.id);
      ofUser.add(target.userId);
    }
    const targetsOf = (users: UserId[]) =>
      write.db.select({ id: targets.id }).from(targets).where(inArray(targets.userId, users));
    const due = await write.db
      .select({ ordinal: of.ordinal, id: of.targetId, userId: targets.userId, isBehind: isBehind(tables) })
      .from(of)
      .innerJoin(targets, eq(targets.id, of.targetId))
      .where(
        and(
          isWaiting(database),
          ofReadableIssue(database, write.db),
          ofTarget.full().length === 0 ? undefined : notInArray(of.targetId, ofTarget.full()),
          ofUser.full().length === 0 ? undefined : notInArray(of.targetId, targetsOf(ofUser.full())),
        ),
      )
      .orderBy(asc(of.nextAttemptAt), asc(of.ordinal))
      .limit(limit * CANDIDATES);
    const behind = due.filter((row) => Boolean(row.isBehind)).map(({ ordinal }) => ordinal);
    if (behind.length > 0) {
      await write.db
        .update(of)
        .set({ nextAttemptAt: database.at(BEHIND_MS) })
        .where(inArray(of.ordinal, behind));
    }
    const chosen = due
      .filter(({ id, userId, isBehind }) => {
        if (isBehind || ofTarget.isFull(id) || ofUser.isFull(userId)) return false;
        ofTarget.add(id);
        ofUser.add(userId);
        return true;
      })
      .slice(0, limit);
    const taken: Awaited<ReturnType<typeof setClaimed>> = [];
    // Locked in this order by all, so that two claims cannot deadlock.
    for (const { ordinal } of chosen.toSorted((a, b) => a.ordinal - b.ordinal)) {
      taken.push(...(await setClaimed(write, { ordinal, owner, ttlMs })));
    }
    return await withTargets(write, taken.map(toDelivery));
  }

  async function withTargets(
    { db, now }: Write,
    deliveries: readonly ReturnType<typeof toDelivery>[],
  ): Promise<ClaimedDelivery[]> {
    if (deliveries.length === 0) return [];
    const { users } = tables;
    const ids = [...new Set(deliveries.map(({ targetId }) => targetId))];
    const user = { id: users.id, email: users.email, disabledAt: users.disabledAt };
    const found = await db
      .select({ target: targets, user })
      .from(targets)
      .innerJoin(users, eq(users.id, targets.userId))
      .where(inArray(targets.id, ids));
    const signing = await db
      .select()
      .from(secrets)
      .where(and(inArray(secrets.targetId, ids), isActive(tables, now)))
      .orderBy(desc(secrets.ordinal));
    const byId = new Map(found.map((row) => [row.target.id, row]));
    return deliveries.flatMap((delivery) => {
      const row = byId.get(delivery.targetId);
      if (row === undefined) return [];
      const { disabledAt, ...owner } = row.user;
      return [
        {
          ...delivery,
          target: toTarget(row.target),
          user: { ...owner, isEnabled: disabledAt === null },
          secrets: signing
            .filter(({ targetId }) => targetId === delivery.targetId)
            .map(({ id, encrypted, nonce, createdAt, expiresAt }) => ({
              id,
              encryptedToken: { encrypted, nonce },
              createdAt,
              expiresAt,
            })),
        },
      ];
    });
  }
}

/** Counts what each target, or user, has of something that it may have a number of. */
function countUpTo<Id extends string>(most: number) {
  const counts = new Map<Id, number>();
  const isFull = (id: Id) => (counts.get(id) ?? 0) >= most;
  return {
    isFull,
    add: (id: Id) => {
      counts.set(id, (counts.get(id) ?? 0) + 1);
    },
    full: () => [...counts.keys()].filter(isFull),
  };
}

const PENDING = 'pending';
const GIVEN_UP = 'given_up';

/**
 * Keeps on the target since when it fails, and whether it is disabled. The target's row is locked before those of its
 * deliveries, here and where a user disables it. An attempt during which a user changed it tells nothing about it: it may have
 * another URL now, or was enabled again.
 *
 * @returns why it is disabled, or null
 */
async function noteOnTarget(
  { context, db, now }: Write,
  { id, updatedAt }: Pick<NotificationTarget, 'id' | 'updatedAt'>,
  end: AttemptEnd,
): Promise<string | null> {
  const { notificationTargets: targets } = context.database.tables;
  if (end.latencyMs === null) return null; // nothing was sent
  const isTried = and(eq(targets.id, id), eq(targets.updatedAt, updatedAt));
  if (end.lastError === null) {
    await db
      .update(targets)
      .set({ failingSince: null })
      .where(and(isTried, isNotNull(targets.failingSince)));
    return null;
  }
  const [target] = await db
    .update(targets)
    .set({
      failingSince: sql`coalesce(${targets.failingSince}, ${sql.param(now, targets.failingSince)})`,
      ...(end.disable !== null && { disabledAt: now, disabledReason: end.disable }),
    })
    .where(isTried)
    .returning({ disabledReason: targets.disabledReason });
  if (target !== undefined) return target.disabledReason;
  const [changed] = await db.select({ disabledReason: targets.disabledReason }).from(targets).where(eq(targets.id, id));
  return changed?.disabledReason ?? null;
}

/** Gives up the deliveries of a target that nobody is sending right now. */
export async function giveUpWaiting({ context, db, now }: Write, targetId: string, reason: string): Promise<void> {
  const { database } = context;
  const { notificationDeliveries: of } = database.tables;
  await db
    .update(of)
    .set({ status: GIVEN_UP, nextAttemptAt: null, endedAt: now, lastError: reason, owner: null, heldUntil: null })
    // Deliveries without an end are pending: by their status an index finds them among all that the target ever got.
    .where(and(eq(of.targetId, targetId), eq(of.status, PENDING), isFree(database)));
}

/**
 * Makes the next delivery of a line due when the one before it has ended, and lets all of them wait with it when it is tried
 * again: so a claim finds what it may send without reading what it may not.
 */
async function moveLine(
  { context, db }: Write,
  { targetId, issueId }: { readonly targetId: string; readonly issueId: IssueId },
  retry: Pick<AttemptEnd, 'retryInMs'> | null,
): Promise<void> {
  const { tables, at } = context.database;
  const { notificationDeliveries: of } = tables;
  const isUntried = and(
    eq(of.targetId, targetId),
    eq(of.issueId, issueId),
    isNotNull(of.nextAttemptAt),
    eq(of.attempts, 0),
  );
  if (retry !== null) {
    await db
      .update(of)
      .set({ nextAttemptAt: at(Math.max(retry.retryInMs, BEHIND_MS)) })
      .where(isUntried);
    return;
  }
  const next = db.select({ ordinal: of.ordinal }).from(of).where(isUntried).orderBy(asc(of.ordinal)).limit(1);
  await db
    .update(of)
    .set({ nextAttemptAt: at(NOW_MS) })
    .where(inArray(of.ordinal, next));
}

/** Whether a delivery of the same line is pending before it. */
function isBehind({ notificationDeliveries: of }: Tables): SQL<boolean | number> {
  const column = ({ name }: { name: string }) => sql.identifier(name);
  return sql`exists (select 1 from ${of} as earlier
    where earlier.${column(of.targetId)} = ${of}.${column(of.targetId)}
    and earlier.${column(of.issueId)} = ${of}.${column(of.issueId)}
    and earlier.${column(of.nextAttemptAt)} is not null
    and earlier.${column(of.ordinal)} < ${of}.${column(of.ordinal)})`;
}

function isWaiting(database: Database): SQL | undefined {
  const { notificationDeliveries: of } = database.tables;
  return and(lte(of.nextAttemptAt, database.at(0)), isFree(database));
}

function isFree({ tables: { notificationDeliveries: of }, at }: Database): SQL | undefined {
  return or(isNull(of.heldUntil), lte(of.heldUntil, at(0)));
}
