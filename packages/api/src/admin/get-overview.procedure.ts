import { requireOperator } from '@sluice/core/account';
import * as z from 'zod';
import { readinessWire, readReadiness } from '../health/read-readiness.ts';
import { noInput } from '../input/no-input.ts';
import { scopedProcedure } from '../procedure/procedure.ts';
import { slotWire, toSlotWire, toWorkerWire, workerWire } from './overview.wire.ts';

const queueWire = z.object({
  waiting_for_slot: z.int().describe('Issues that wait for a slot.'),
  waiting_for_repo: z.int().describe('Issues that wait for another issue on their repository.'),
  oldest_queued_at: z.iso.datetime().nullable().describe('Since when the first waits for a slot; null: none does.'),
});

export const setVariableWire = z.object({
  name: z.string(),
  value: z.string().nullable().describe('Null: a secret, which is not shown.'),
  source: z.enum(['user file', '.env', 'env file', 'environment', 'flag']),
  path: z.string().nullable().describe('The file that sets it.'),
});

export const overviewWire = z.object({
  version: z.string(),
  commit: z.string().nullable().describe('The commit that the server runs; null where the build did not know it.'),
  queue: queueWire,
  slots: z.array(slotWire),
  workers: z.array(workerWire).describe('In the order of their start.'),
  readiness: readinessWire,
  configuration: z
    .array(setVariableWire)
    .describe('The variables that are set for the process that answers, without the values of secrets.'),
});

export const getOverview = scopedProcedure('admin', 'account')
  .meta({
    openapi: {
      method: 'GET',
      path: '/admin/overview',
      tags: ['admin'],
      summary: "Read the server's queue, slots, workers, readiness and configuration",
      description:
        'For operators. Shows the issues of all users that hold a slot, with their titles and owners. What cannot be reached is `down` in `readiness`. Workers refresh their entry every 20 s.',
    },
    refusals: ['operator_required'],
  })
  .input(noInput)
  .output(overviewWire)
  .query(async ({ ctx }): Promise<z.infer<typeof overviewWire>> => {
    requireOperator(ctx.actor.user);
    const [queue, workers, readiness] = await Promise.all([
      ctx.queueStats.overview(),
      ctx.workers.list(),
      readReadiness(ctx.health),
    ]);
    const { version, facts, configuration } = ctx.options;
    return {
      version,
      commit: facts.commit,
      queue: {
        waiting_for_slot: queue.waitingForSlot,
        waiting_for_repo: queue.waitingForRepo,
        oldest_queued_at: queue.oldestQueuedAt?.toISOString() ?? null,
      },
      slots: queue.slots.map(toSlotWire),
      workers: workers.map(toWorkerWire),
      readiness,
      configuration: [...configuration],
    };
  });
