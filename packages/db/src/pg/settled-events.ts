/** Runs one statement on a connection of the pool. */
type Query = (text: string) => Promise<{ readonly rows: readonly Record<string, unknown>[] }>;

// Order matters: a transaction that drew a number up to `last` already holds the lock, and either still holds it or has
// ended by the next poll.
// A sequence that no number was drawn from has its first number as its last value.
const LAST = (table: NumberedTable) =>
  `select (case when is_called then last_value else last_value - 1 end)::text as last from ${table}_ordinal_seq`;
const WRITERS = (table: NumberedTable) => `select virtualtransaction as writer from pg_locks
  where locktype = 'relation' and mode = 'RowExclusiveLock' and relation = '${table}'::regclass
    and database = (select oid from pg_database where datname = current_database())`;

/** The tables whose rows are read in the order of their numbers. */
type NumberedTable = 'events' | 'audit_entries';

/** The last ordinal that was drawn, also by an event that was rolled back or deleted. */
export async function lastEventOrdinal(query: Query): Promise<number> {
  return await lastOrdinal(query, 'events');
}

async function lastOrdinal(query: Query, table: NumberedTable): Promise<number> {
  const { rows } = await query(LAST(table));
  return Number(rows[0]?.last ?? 0);
}

export function createSettledEvents(query: Query): () => Promise<number> {
  return createSettled(query, 'events');
}

/** Like `createSettledEvents`, for the audit log. */
export function createSettledAudit(query: Query): () => Promise<number> {
  return createSettled(query, 'audit_entries');
}

/**
 * The ordinal up to which every row is committed or rolled back. Postgres assigns numbers on insert and shows rows on
 * commit, so a higher number can appear before a lower one. A transaction that writes rows locks their table until it
 * ends. Hence: read the last number, then the current writers; once those have ended, every number up to it is final.
 * It waits for no transaction, needs no clock, and is not delayed by other databases.
 */
function createSettled(query: Query, table: NumberedTable): () => Promise<number> {
  let settled = 0;
  let pending: { readonly upTo: number; readonly writers: readonly unknown[] } | null = null;
  return async () => {
    const upTo = await lastOrdinal(query, table);
    const { rows } = await query(WRITERS(table));
    const writing = new Set(rows.map(({ writer }) => writer));
    if (pending !== null && !pending.writers.some((writer) => writing.has(writer))) {
      settled = Math.max(settled, pending.upTo);
      pending = null;
    }
    if (writing.size === 0) {
      settled = Math.max(settled, upTo);
      pending = null;
    } else {
      pending ??= { upTo, writers: [...writing] };
    }
    return settled;
  };
}
