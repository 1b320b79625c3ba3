import { type IssueId, isOpenForDecision, statusesWhere } from '@sluice/core';
import { and, asc, gt, inArray } from 'drizzle-orm';
import type { Database } from '../engine/database.ts';

/** Issues that hold a slot at a gate opened at `requestedBy` or before, lowest slot first. */
export async function gatesHoldingSlots(
  { read, tables: { issues } }: Pick<Database, 'read' | 'tables'>,
  requestedBy: Date,
): Promise<IssueId[]> {
  // There are at most as many rows as slots, so the time in the JSON document is compared here.
  const atGate = await read
    .select({ id: issues.id, gate: issues.gate })
    .from(issues)
    .where(and(gt(issues.slot, 0), inArray(issues.status, statusesWhere(isOpenForDecision))))
    .orderBy(asc(issues.slot));
  return atGate.flatMap(({ id, gate }) => (gate !== null && new Date(gate.requested_at) <= requestedBy ? [id] : []));
}
