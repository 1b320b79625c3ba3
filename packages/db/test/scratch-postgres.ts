import type { EventsWritten, IssueId } from '@sluice/core';
import { type OpenStores, type PostgresServer, settableClock } from '@sluice/testing';
import { openPostgres } from '../src/index.ts';
import { nameOf } from './pg-schema.ts';

const applicationName = 'sluice-test';

/** Deletes all rows but those of the migrations, and restarts the sequences. */
const EMPTY = `do $$
declare one text;
begin
  set local session_replication_role = replica; -- without the checks of foreign keys
  for one in select tablename from pg_tables where schemaname = 'public' and tablename <> 'migrations' loop
    execute format('delete from public.%I', one);
  end loop;
  for one in select sequencename from pg_sequences where schemaname = 'public' loop
    execute format('alter sequence public.%I restart', one);
  end loop;
end $$`;

/** Stores over an empty database of this server. Closed stores pass their database on: creating one takes longer. */
export function scratchStoresOn(server: () => PostgresServer): OpenStores {
  const free: string[] = [];
  return async (options = {}) => {
    const url = free.pop() ?? (await server().createDatabase());
    const clock = settableClock();
    const heard = { events: [] as EventsWritten[], runnable: [] as IssueId[] };
    const stores = await openPostgres({
      url,
      applicationName,
      clock,
      maxActivePipelines: 5,
      ...options,
      onEvents: (hint) => void heard.events.push(hint),
      onRunnable: (issueIds) => void heard.runnable.push(...issueIds),
    });
    return {
      ...stores,
      clock,
      heard,
      [Symbol.asyncDispose]: async () => {
        await stores.close();
        await server().query(EMPTY, nameOf(url));
        free.push(url);
      },
    };
  };
}
