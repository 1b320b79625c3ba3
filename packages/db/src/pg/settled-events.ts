/** Runs one statement on a connection of the pool. */
type Query = (text: string) => Promise<{ readonly rows: readonly Record<string, unknown>[] }>;

// In this order: whoever has drawn a number up to `last` had the lock before, and has it or has ended by the next look.
const LAST = `select last_value::text as last from events_ordinal_seq`;
const WRITERS = `select virtualtransaction as writer from pg_locks
  where locktype = 'relation' and mode = 'RowExclusiveLock' and relation = 'events'::regclass
    and database = (select oid from pg_database where datname = current_database())`;

/**
 * The ordinal up to which every event is committed or undone. Postgres gives out numbers when rows are written and shows
 * rows when they are committed, so a higher one can be seen before a lower one. A transaction that writes events holds
 * their table's lock until it has ended and what it wrote is seen. So: take the last number and then the writers; once
 * those have ended, all up to that number is decided. It waits for nobody, asks nothing of clocks, and other databases'
 * transactions do not hold it up.
 */
export function createSettledEvents(query: Query): () => Promise<number> {
  let settled = 0;
  let pending: { readonly upTo: number; readonly writers: readonly unknown[] } | null = null;
  return async () => {
    const { rows: numbers } = await query(LAST);
    const upTo = Number(numbers[0]?.last ?? 0);
    const { rows } = await query(WRITERS);
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
