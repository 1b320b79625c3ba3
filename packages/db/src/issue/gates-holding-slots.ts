import { type IssueId, isOpenForDecision, statusesWhere } from '@sluice/core';
import { and, asc, gt, inArray } from 'drizzle-orm';
import type { Database } from '../engine/database.ts';

/** Issues that hold a slot at a gate that was opened at `requestedBy` or before, the oldest slot first. */
export async function gatesHoldingSlots(
  { read, tables: { issues } }: Pick<Database, 'read' | 'tables'>,
  requestedBy: Date,
): Promise<IssueId[]> {
  // At most as many rows as there are slots, so the time inside the document is compared here.
  const atGate = await read
    .select({ id: issues.id, gate: issues.gate })
    .from(issues)
    .where(and(gt(issues.slot, 0), inArray(issues.status, statusesWhere(isOpenForDecision))))
    .orderBy(asc(issues.slot));
  return atGate.flatMap(({ id, gate }) => (gate !== null && new Date(gate.requested_at) <= requestedBy ? [id] : []));
}
