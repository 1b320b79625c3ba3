import type { RunStore } from '@sluice/core/agent';
import type { IssueId } from '@sluice/core/id';
import { isOpenForDecision, isTerminal, nextStatus, statusesWhere } from '@sluice/core/issue';
import { and, asc, gte, inArray, isNotNull, lte, notInArray, or } from 'drizzle-orm';
import { freeGateSlots } from '../issue/admission.ts';
import { gatesHoldingSlots } from '../issue/gates-holding-slots.ts';
import { isVisible } from '../removal/is-visible.ts';
import { type GivenList, isAmong, listsOf } from '../store/given-list.ts';
import { type Given, prepared } from '../store/prepared.ts';
import type { StoreContext } from '../store/store-context.ts';

const ended = statusesWhere(isTerminal);
const mayBeRetried = ended.filter((status) => nextStatus(status, 'retried') !== null);

const selectExpiredGates = prepared(({ context, db }, given: Given<{ now: Date }>) => {
  const { issues } = context.database.tables;
  const isOver = lte(issues.gateExpiresAt, given('now', issues.gateExpiresAt));
  return db
    .select({ id: issues.id })
    .from(issues)
    .where(and(isOver, inArray(issues.status, statusesWhere(isOpenForDecision))))
    .orderBy(asc(issues.gateExpiresAt), asc(issues.ordinal));
});

const selectNeedingWorkspace = prepared(({ context, db }, given: Given<GivenList<IssueId> & { failedSince: Date }>) => {
  const { issues } = context.database.tables;
  const isToBeRetried = gte(issues.finishedAt, given('failedSince', issues.finishedAt));
  const isNeeding = or(notInArray(issues.status, ended), and(inArray(issues.status, mayBeRetried), isToBeRetried));
  return db
    .select({ id: issues.id })
    .from(issues)
    .where(and(isAmong(issues.id, given), isVisible(context.database, db), isNeeding));
});

const selectLeased = prepared(({ context, db }, given: Given<GivenList<IssueId>>) => {
  const { issues } = context.database.tables;
  return db
    .select({ id: issues.id })
    .from(issues)
    .where(and(isAmong(issues.id, given), isNotNull(issues.leaseOwner)));
});

/** Queries of the maintenance: expired gates, held slots, and working trees that may be deleted. */
export function createRunQueries(
  context: StoreContext,
): Pick<RunStore, 'expiredGates' | 'gatesHoldingSlots' | 'freeGateSlots' | 'needingWorkspace' | 'leased'> {
  const reading = { context, db: context.database.read };

  return {
    expiredGates: async (now) => (await selectExpiredGates(reading, { now })).map(({ id }) => id),

    gatesHoldingSlots: (requestedBy) => gatesHoldingSlots(context, requestedBy),
    freeGateSlots: () => freeGateSlots(context),

    needingWorkspace: async (issueIds, failedSince) => {
      const needing: string[] = [];
      for (const list of listsOf(issueIds as IssueId[])) {
        for (const { id } of await selectNeedingWorkspace(reading, { ...list, failedSince })) needing.push(id);
      }
      return needing;
    },

    leased: async (issueIds) => {
      const leased: string[] = [];
      for (const list of listsOf(issueIds as IssueId[])) {
        for (const { id } of await selectLeased(reading, list)) leased.push(id);
      }
      return leased;
    },
  };
}
