import { type IssueStatus, isPending, issueStatuses, mayHoldSlot, needsSlot, statusesWhere } from '@sluice/core/issue';
import { sql } from 'drizzle-orm';
import type { Kit } from './kit.ts';

// In checks, names stand unqualified and values in full: parameters are not allowed there, and SQLite rebuilds a
// table under another name.
const oneOf = (statuses: readonly IssueStatus[]) => `(${statuses.map((status) => `'${status}'`).join(', ')})`;
const everyStatus = oneOf(issueStatuses);
const needingSlot = oneOf(statusesWhere(needsSlot));
const withOrWithoutSlot = oneOf(statusesWhere((status) => mayHoldSlot(status) && !needsSlot(status)));
const pendingStatuses = oneOf(statusesWhere(isPending));

/** The rules of the issue machine for a row, enforced by the database. */
export function issueChecks(kit: Kit) {
  return [
    kit.check('issues_status_known', sql.raw(`status in ${everyStatus}`)),
    kit.check(
      'issues_slot_while_running',
      sql.raw(`status in ${withOrWithoutSlot} or (slot is not null) = (status in ${needingSlot})`),
    ),
    kit.check('issues_queue_while_pending', sql.raw(`queue_ordinal is null or status in ${pendingStatuses}`)),
    kit.check(
      'issues_queued_at_while_queued',
      sql.raw(`status not in ${pendingStatuses} or (queue_ordinal is null) = (queued_at is null)`),
    ),
    kit.check(
      'issues_remote_while_active',
      sql.raw(
        `(active_remote is not null) = (slot is not null or queue_ordinal is not null or status in ${withOrWithoutSlot})`,
      ),
    ),
    kit.check('issues_lease_whole', sql.raw('(lease_owner is null) = (lease_expires_at is null)')),
  ];
}
