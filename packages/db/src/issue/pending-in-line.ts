import { isPending, statusesWhere } from '@sluice/core/issue';
import { inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/**
 * Whether an issue of a line is pending: a process of the release before leaves its place behind when it queues or ends it. Not
 * by an index of the status: drafts are pending too, and there are many.
 */
export function isPendingInLine(status: SQLWrapper): SQL {
  return inArray(sql`coalesce(${status}, '')`, statusesWhere(isPending));
}
