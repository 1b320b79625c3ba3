import { GATE_REMINDER_MS, type QueueStats, type SlotUse } from '@sluice/core/issue';
import { and, asc, count, eq, gt, isNull, min } from 'drizzle-orm';
import { prepared } from '../store/prepared.ts';
import type { StoreContext } from '../store/store-context.ts';
import { gatesHoldingSlots } from './gates-holding-slots.ts';
import { isPendingInLine } from './pending-in-line.ts';
import { isQueued } from './queue-place.ts';

const countQueued = prepared(({ context, db }) => {
  const { issues } = context.database.tables;
  return db
    .select({ queued: count(issues.queueOrdinal), oldest: min(issues.queuedAt) })
    .from(issues)
    .where(isQueued(context.database.tables));
});

const countActive = prepared(({ context, db }) => {
  const { issues } = context.database.tables;
  return db.select({ active: count() }).from(issues).where(gt(issues.slot, 0));
});

/** A process of a release that knows no lines leaves a place behind when it queues or ends an issue. */
const countWaiting = prepared(({ context, db }) => {
  const { issues } = context.database.tables;
  return db
    .select({ waiting: count() })
    .from(issues)
    .where(and(gt(issues.waitingOrdinal, 0), isPendingInLine(issues.status), isNull(issues.queuedAt)));
});

const selectSlots = prepared(({ context, db }) => {
  const { issues, slots, users } = context.database.tables;
  const { id: issueId, title, status, stage, startedAt, leaseOwner } = issues;
  return db
    .select({
      number: slots.number,
      isRetired: slots.retired,
      issue: { issueId, title, status, stage, startedAt, leaseOwner },
      owner: { id: users.id, email: users.email, codehostLogin: users.codehostLogin },
    })
    .from(slots)
    .leftJoin(issues, eq(issues.slot, slots.number))
    .leftJoin(users, eq(users.id, issues.userId))
    .orderBy(asc(slots.number));
});

export function createQueueStats(context: StoreContext): QueueStats {
  const reading = { context, db: context.database.read };
  return {
    load: async () => {
      const [waiting] = await countQueued(reading, {});
      const [held] = await countActive(reading, {});
      const oldest = waiting?.oldest ?? null;
      const now = context.clock.now().getTime();
      const longAtGate = await gatesHoldingSlots(context, new Date(now - GATE_REMINDER_MS));
      return {
        queued: waiting?.queued ?? 0,
        active: held?.active ?? 0,
        longAtGate: longAtGate.length,
        oldestQueuedMs: oldest === null ? 0 : Math.max(0, now - oldest.getTime()),
      };
    },

    overview: async () => {
      const [queued] = await countQueued(reading, {});
      const [lined] = await countWaiting(reading, {});
      const slots = await selectSlots(reading, {});
      return {
        waitingForSlot: queued?.queued ?? 0,
        waitingForRepo: lined?.waiting ?? 0,
        oldestQueuedAt: queued?.oldest ?? null,
        slots: slots.map(({ number, isRetired, issue, owner }): SlotUse => {
          if (issue === null || owner === null) return { number, isRetired, holder: null };
          const { startedAt: since, leaseOwner: workerId, ...held } = issue;
          return { number, isRetired, holder: { ...held, owner, since, workerId } };
        }),
      };
    },
  };
}
