import { type IssueId, isOpenForDecision, isTerminal, nextStatus, type RunStore, statusesWhere } from '@sluice/core';
import { and, asc, gte, inArray, isNotNull, lte, notInArray, or, type SQL } from 'drizzle-orm';
import { inChunks } from '../event/append-events.ts';
import { freeGateSlots } from '../issue/admission.ts';
import { gatesHoldingSlots } from '../issue/gates-holding-slots.ts';
import { isVisible } from '../removal/is-visible.ts';
import type { StoreContext } from '../store/store-context.ts';

/** Queries of the maintenance: expired gates, held slots, and working trees that may be deleted. */
export function createRunQueries(
  context: StoreContext,
): Pick<RunStore, 'expiredGates' | 'gatesHoldingSlots' | 'freeGateSlots' | 'needingWorkspace' | 'leased'> {
  const { read, tables } = context.database;
  const { issues } = tables;
  const ended = statusesWhere(isTerminal);
  const mayBeRetried = ended.filter((status) => nextStatus(status, 'retried') !== null);

  /** The given ids of issues that match `condition`. */
  async function idsWhere(issueIds: readonly string[], condition: SQL | undefined): Promise<string[]> {
    const matching: string[] = [];
    for (const some of inChunks(issueIds)) {
      const found = await read
        .select({ id: issues.id })
        .from(issues)
        .where(and(inArray(issues.id, some as IssueId[]), condition));
      matching.push(...found.map(({ id }) => id));
    }
    return matching;
  }

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

    needingWorkspace: (issueIds, failedSince) =>
      idsWhere(
        issueIds,
        and(
          isVisible(context.database, read),
          or(
            notInArray(issues.status, ended),
            and(inArray(issues.status, mayBeRetried), gte(issues.finishedAt, failedSince)),
          ),
        ),
      ),

    leased: (issueIds) => idsWhere(issueIds, isNotNull(issues.leaseOwner)),
  };
}
