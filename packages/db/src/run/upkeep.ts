import { type IssueId, isOpenForDecision, isTerminal, nextStatus, type RunStore, statusesWhere } from '@sluice/core';
import { and, asc, gte, inArray, lte, notInArray, or } from 'drizzle-orm';
import { freeGateSlots } from '../issue/admission.ts';
import { inChunks } from '../issue/append-events.ts';
import { gatesHoldingSlots } from '../issue/gates-holding-slots.ts';
import type { StoreContext } from '../store-context.ts';

/** What a worker asks from time to time to clear away what nobody waits for any more. */
export function createUpkeep(
  context: StoreContext,
): Pick<RunStore, 'expiredGates' | 'gatesHoldingSlots' | 'freeGateSlots' | 'needingWorkspace'> {
  const { read, tables } = context.database;
  const { issues } = tables;
  const ended = statusesWhere(isTerminal);
  const mayBeRetried = ended.filter((status) => nextStatus(status, 'retried') !== null);
  return {
    expiredGates: async (now) => {
      const found = await read
        .select({ id: issues.id })
        .from(issues)
        .where(and(lte(issues.gateExpiresAt, now), inArray(issues.status, statusesWhere(isOpenForDecision))))
        .orderBy(asc(issues.gateExpiresAt), asc(issues.ordinal));
      return found.map(({ id }) => id);
    },

    gatesHoldingSlots: (requestedBy) => gatesHoldingSlots(context.database, requestedBy),
    freeGateSlots: () => freeGateSlots(context),

    needingWorkspace: async (issueIds, failedSince) => {
      const needing: string[] = [];
      const mayGoOn = or(
        notInArray(issues.status, ended),
        and(inArray(issues.status, mayBeRetried), gte(issues.finishedAt, failedSince)),
      );
      for (const some of inChunks(issueIds)) {
        const found = await read
          .select({ id: issues.id })
          .from(issues)
          .where(and(inArray(issues.id, some as IssueId[]), mayGoOn));
        needing.push(...found.map(({ id }) => id));
      }
      return needing;
    },
  };
}
