import { GATE_REMINDER_MS, type QueueStats } from '@sluice/core';
import { count, gt, min } from 'drizzle-orm';
import { prepared } from '../store/prepared.ts';
import type { StoreContext } from '../store/store-context.ts';
import { isQueued } from './admission.ts';
import { gatesHoldingSlots } from './gates-holding-slots.ts';

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
  };
}
