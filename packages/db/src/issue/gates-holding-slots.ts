import type { IssueId } from '@sluice/core/id';
import { isOpenForDecision, statusesWhere } from '@sluice/core/issue';
import { and, asc, gt, inArray } from 'drizzle-orm';
import type { Db } from '../schema/kit.ts';
import type { Tables } from '../schema/schema.ts';
import { prepared } from '../store/prepared.ts';
import type { StoreContext } from '../store/store-context.ts';

/** The issues that hold a slot at a gate, lowest slot first. */
export function selectGates(db: Db, { issues }: Tables) {
  return db
    .select({ id: issues.id, gate: issues.gate })
    .from(issues)
    .where(and(gt(issues.slot, 0), inArray(issues.status, statusesWhere(isOpenForDecision))))
    .orderBy(asc(issues.slot));
}

/**
 * The issues whose gate opened at `requestedBy` or before, at most as many as slots: the time is in the JSON document.
 */
export function openedBy(gates: Awaited<ReturnType<typeof selectGates>>, requestedBy: Date): IssueId[] {
  return gates.flatMap(({ id, gate }) => (gate !== null && new Date(gate.requested_at) <= requestedBy ? [id] : []));
}

const readGates = prepared(({ context, db }) => selectGates(db, context.database.tables));

/** Issues that hold a slot at a gate opened at `requestedBy` or before, lowest slot first. */
export async function gatesHoldingSlots(context: StoreContext, requestedBy: Date): Promise<IssueId[]> {
  return openedBy(await readGates({ context, db: context.database.read }, {}), requestedBy);
}
