import { AppError } from '@sluice/core/error';
import type { UserId } from '@sluice/core/id';
import {
  type DeliveryStatus,
  type NewNotificationSecret,
  type NotificationStore,
  type NotificationTarget,
  notificationBounds,
} from '@sluice/core/notification';
import {
  and,
  asc,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import { insertDeliveries } from '../event/append-deliveries.ts';
import { inChunks } from '../event/append-events.ts';
import { pageOf, parseCursor } from '../store/page-cursor.ts';
import { type Given, type Handle, prepared, preparedShapes } from '../store/prepared.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { refuseDisabled } from '../user/hold-user.ts';
import { giveUpWaiting } from './delivery-queue.ts';
import { isActive, ofReadableIssue, toDelivery, toTarget, urlColumn } from './notification-rows.ts';

interface Listed {
  readonly targetId: string;
  readonly status: DeliveryStatus;
  readonly before: number | null;
  readonly rows: number;
}

const selectPage = preparedShapes(
  ({ context, db }, given: Given<Listed>, { isLater, hasStatus }: { isLater: boolean; hasStatus: boolean }) => {
    const { notificationDeliveries: of } = context.database.tables;
    return db
      .select()
      .from(of)
      .where(
        and(
          eq(of.targetId, given('targetId', of.targetId)),
          hasStatus ? eq(of.status, given('status', of.status)) : undefined,
          isLater ? lt(of.ordinal, given('before', of.ordinal)) : undefined,
          ofReadableIssue(context.database, db),
        ),
      )
      .orderBy(desc(of.ordinal))
      .limit(given('rows'));
  },
);

const selectTargets = prepared(({ context, db }, given: Given<{ userId: UserId }>) => {
  const { notificationTargets: targets } = context.database.tables;
  return db
    .select()
    .from(targets)
    .where(eq(targets.userId, given('userId', targets.userId)))
    .orderBy(desc(targets.ordinal));
});

interface Replayed {
  readonly targetId: string;
  readonly from: Date;
  readonly before: Date;
}

/** Deliveries of a time that has ended, without what is under way again. */
const selectReplayed = preparedShapes(
  (on, given: Given<Replayed>, { onlyGivenUp }: { onlyGivenUp: boolean }) => {
    const { database } = on.context;
    const { notificationDeliveries: of } = database.tables;
    const underWay = onlyGivenUp ? inArray(of.status, ['pending', 'delivered']) : eq(of.status, 'pending');
    return on.db
      .select()
      .from(of)
      .where(
        and(
          eq(of.targetId, given('targetId', of.targetId)),
          onlyGivenUp ? eq(of.status, 'given_up') : isNotNull(of.endedAt),
          gte(of.createdAt, given('from', of.createdAt)),
          lt(of.createdAt, given('before', of.createdAt)),
          notInArray(of.messageId, messagesOf(on, given('targetId', of.targetId), underWay)),
          ofReadableIssue(database, on.db),
        ),
      )
      .orderBy(asc(of.ordinal))
      .limit(notificationBounds.replayed + 1);
  },
  { planned: 'each time' },
);

/** Notification targets with their secrets and deliveries. */
export function createNotificationStore(context: StoreContext): NotificationStore {
  const { database, clock } = context;
  const { read, tables } = database;
  const { notificationTargets: targets, notificationSecrets: secrets, notificationDeliveries: of } = tables;
  const reading: Handle = { context, db: read };

  return {
    createTarget: (target, secret, audit) =>
      write(context, async (write) => {
        const { db, now } = write;
        // So that two requests at once count each other, and none comes after the deletion of the account.
        await refuseDisabled(write, target.userId);
        const own = await selectTargets(write, { userId: target.userId });
        const email = target.channel === 'email' ? own.find(({ channel }) => channel === 'email') : undefined;
        if (email !== undefined) return { kind: 'email_exists', targetId: email.id };
        if (own.length >= notificationBounds.targets) return { kind: 'full' };
        const [row] = await db
          .insert(targets)
          .values({
            ...target,
            url: target.url === null ? null : urlColumn(target.url),
            createdAt: now,
            updatedAt: now,
          })
          .returning();
        if (row === undefined) throw new Error('A notification target vanished in the middle of its own transaction.');
        if (secret !== null) await insertSecret(write, target.id, secret);
        await appendAudit(write, audit);
        return { kind: 'created', target: toTarget(row) };
      }),

    target: async (id) => {
      const [row] = await read.select().from(targets).where(eq(targets.id, id));
      return row === undefined ? null : toTarget(row);
    },

    targets: async (userId) => (await selectTargets(reading, { userId })).map(toTarget),

    updateTarget: (id, { url, disabledReason, ...patch }, audit) =>
      write(context, async (write) => {
        const { db, now } = write;
        const isFresh = disabledReason === null || url !== undefined;
        const [row] = await db
          .update(targets)
          // Undefined members stay as they are.
          .set({
            ...patch,
            ...(url !== undefined && { url: urlColumn(url) }),
            updatedAt: now,
            ...(isFresh && { failingSince: null }),
            ...(disabledReason !== undefined && { disabledAt: disabledReason === null ? null : now, disabledReason }),
          })
          .where(eq(targets.id, id))
          .returning();
        if (row === undefined) return null;
        if (typeof disabledReason === 'string') await giveUpWaiting(write, id, disabledReason);
        await appendAudit(write, audit);
        return toTarget(row);
      }),

    removeTarget: (id, audit) =>
      write(context, async (write) => {
        const removed = await write.db.delete(targets).where(eq(targets.id, id)).returning({ id: targets.id });
        if (removed.length > 0) await appendAudit(write, audit);
        return removed.length > 0;
      }),

    secrets: async (targetId) => {
      const rows = await read
        .select()
        .from(secrets)
        .where(and(eq(secrets.targetId, targetId), isActive(tables, clock.now())))
        .orderBy(desc(secrets.ordinal));
      return rows.map(({ id, encrypted, nonce, createdAt, expiresAt }) => ({
        id,
        encryptedToken: { encrypted, nonce },
        createdAt,
        expiresAt,
      }));
    },

    addSecret: (targetId, secret, { expireOldAt, audit }) =>
      write(context, async (write) => {
        const { db } = write;
        if (!(await holdTarget(write, targetId))) return false;
        await db
          .update(secrets)
          .set({ expiresAt: expireOldAt })
          .where(
            and(eq(secrets.targetId, targetId), or(isNull(secrets.expiresAt), gt(secrets.expiresAt, expireOldAt))),
          );
        await insertSecret(write, targetId, secret);
        await dropOldSecrets(write, targetId);
        await appendAudit(write, audit);
        return true;
      }),

    deliveries: async ({ targetId, status, limit, cursor }) => {
      const before = parseCursor('deliveries', cursor);
      const shape = { isLater: before !== null, hasStatus: status !== undefined };
      const values = { targetId, status: status ?? 'pending', before, rows: limit + 1 };
      return pageOf(await selectPage(reading, shape, values), { limit, cursor, list: 'deliveries' }, toDelivery);
    },

    delivery: (id) => readDelivery(reading, id),

    addTest: (targetId, { id, notification }) =>
      write(context, async (write) => {
        if (!(await holdTarget(write, targetId))) throw new AppError('notification_target_not_found');
        await insertDeliveries(write, [{ id, targetId, issueId: null, notification }]);
        return await mustReadDelivery(write, id);
      }),

    replay: (deliveryId, newId) =>
      write(context, async (write) => {
        const first = await readDelivery(write, deliveryId);
        // Held, so that of two requests at once the other one sees what this one wrote.
        if (first === null || !(await holdTarget(write, first.targetId))) return null;
        const { messageId, targetId, issueId, notification } = first;
        const [pending] = await messagesOf(write, targetId, eq(of.status, 'pending'), eq(of.messageId, messageId));
        if (pending !== undefined) return null;
        await insertDeliveries(write, [{ id: newId, messageId, targetId, issueId, notification }]);
        return await mustReadDelivery(write, newId);
      }),

    replayRange: (targetId, { from, before, onlyGivenUp }, nextId) =>
      write(context, async (write) => {
        if (!(await holdTarget(write, targetId))) return { replayed: 0, nextFrom: null };
        const ended = await selectReplayed(write, { onlyGivenUp }, { targetId, from, before });
        const shown = ended.slice(0, notificationBounds.replayed);
        const once = new Map(shown.toReversed().map((row) => [row.messageId, row]));
        const replays = [...once.values()]
          .toSorted((a, b) => a.ordinal - b.ordinal)
          .map(({ messageId, issueId, notification }) => ({
            id: nextId(),
            messageId,
            targetId,
            issueId,
            notification,
          }));
        for (const some of inChunks(replays)) await insertDeliveries(write, some);
        return { replayed: replays.length, nextFrom: ended[notificationBounds.replayed]?.createdAt ?? null };
      }),
  };
}

/** The messages of some deliveries of a target. */
function messagesOf({ context, db }: Handle, targetId: string | SQL, ...conditions: readonly SQL[]) {
  const { notificationDeliveries: of } = context.database.tables;
  return db
    .select({ messageId: of.messageId })
    .from(of)
    .where(and(eq(of.targetId, targetId), ...conditions));
}

async function readDelivery({ context, db }: Handle, id: string) {
  const { notificationDeliveries: of } = context.database.tables;
  const [row] = await db
    .select()
    .from(of)
    .where(and(eq(of.id, id), ofReadableIssue(context.database, db)));
  return row === undefined ? null : toDelivery(row);
}

async function mustReadDelivery(write: Write, id: string) {
  const delivery = await readDelivery(write, id);
  if (delivery === null) throw new Error('A delivery vanished in the middle of its own transaction.');
  return delivery;
}

/** Locks a target's row. False when there is none. */
async function holdTarget({ context, db }: Write, id: NotificationTarget['id']): Promise<boolean> {
  const { notificationTargets: targets } = context.database.tables;
  const held = await db
    .update(targets)
    .set({ updatedAt: sql`${targets.updatedAt}` })
    .where(eq(targets.id, id))
    .returning({ id: targets.id });
  return held.length > 0;
}

async function insertSecret({ context, db, now }: Write, targetId: string, secret: NewNotificationSecret) {
  const { id, encryptedToken } = secret;
  await db
    .insert(context.database.tables.notificationSecrets)
    .values({ id, targetId, ...encryptedToken, createdAt: now });
}

async function dropOldSecrets({ context, db }: Write, targetId: string): Promise<void> {
  const { notificationSecrets: secrets } = context.database.tables;
  const all = await db
    .select({ ordinal: secrets.ordinal })
    .from(secrets)
    .where(eq(secrets.targetId, targetId))
    .orderBy(desc(secrets.ordinal));
  const old = all.slice(notificationBounds.secrets).map(({ ordinal }) => ordinal);
  if (old.length > 0) await db.delete(secrets).where(inArray(secrets.ordinal, old));
}
