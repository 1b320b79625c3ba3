import type { IssueId } from '@sluice/core/id';
import type { EventsWritten } from '@sluice/core/issue';
import { type OpenStores, type PostgresDatabases, settableClock } from '@sluice/testing';
import { openPostgres } from '../src/index.ts';
import { nameOf } from './pg-schema.ts';
import { migratedDatabase } from './scratch.ts';

const applicationName = 'sluice-test';

/** Deletes all rows but those of the migrations, and restarts the sequences. */
const EMPTY = `do $$
declare one text;
begin
  set local session_replication_role = replica; -- without the checks of foreign keys
  for one in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
    and relname <> 'migrations' and pg_relation_size(oid) > 0
  loop
    execute format('delete from public.%I', one);
  end loop;
  perform setval(oid::regclass, 1, false) from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S';
end $$`;

/** Stores over an empty database of this server. Closed stores pass their database on: creating one takes longer. */
export function scratchStoresOn(server: () => PostgresDatabases): OpenStores {
  const free: string[] = [];
  return async (options = {}) => {
    const url = free.pop() ?? (await migratedDatabase(server()));
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
