import { GATE_REMINDER_MS, type QueueStats } from '@sluice/core';
import { count, gt, min } from 'drizzle-orm';
import type { StoreContext } from '../store/store-context.ts';
import { isQueued } from './admission.ts';
import { gatesHoldingSlots } from './gates-holding-slots.ts';

export function createQueueStats({ database, clock }: Pick<StoreContext, 'database' | 'clock'>): QueueStats {
  const { read } = database;
  const { issues } = database.tables;
  return {
    load: async () => {
      const [waiting] = await read
        .select({ queued: count(issues.queueOrdinal), oldest: min(issues.queuedAt) })
        .from(issues)
        .where(isQueued(database.tables));
      const [held] = await read.select({ active: count() }).from(issues).where(gt(issues.slot, 0));
      const oldest = waiting?.oldest ?? null;
      const now = clock.now().getTime();
      const longAtGate = await gatesHoldingSlots(database, new Date(now - GATE_REMINDER_MS));
      return {
        queued: waiting?.queued ?? 0,
        active: held?.active ?? 0,
        longAtGate: longAtGate.length,
        oldestQueuedMs: oldest === null ? 0 : Math.max(0, now - oldest.getTime()),
      };
    },
  };
}
