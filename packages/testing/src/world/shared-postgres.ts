import { randomUUID } from 'node:crypto';
import { databasesOn, type PostgresDatabases } from '../service/postgres-databases.ts';
import { startPostgres } from '../service/postgres-server.ts';
import { runService } from './run-services.ts';

/** The number that a server takes by default. The superuser is exempt, and tests use this role. */
const CONNECTIONS_PER_DATABASE = 100;
const ROLE = 'sluice';

/**
 * Databases on the Postgres server of this test run, which are dropped when this is disposed of. Test files use it at
 * the same time: a file that kills, freezes or alters its server, or measures it, starts one with `startPostgres`.
 */
export async function sharedPostgres(): Promise<PostgresDatabases> {
  const url = await runService('postgres');
  if (url === null) return await startPostgres();
  const created: string[] = [];
  const databases = databasesOn({
    urlOf: (database) => `${url}/${database}`,
    testUrlOf: (database) => `${url.replace('//postgres@', `//${ROLE}@`)}/${database}`,
    nextName: () => {
      const name = `sluice_${randomUUID().slice(-12)}`;
      created.push(name);
      return name;
    },
    options: `owner ${ROLE} connection limit ${CONNECTIONS_PER_DATABASE}`,
  });
  await databases.query(CREATE_ROLE);
  return {
    ...databases,
    [Symbol.asyncDispose]: async () => {
      for (const name of created.splice(0)) await databases.query(`drop database if exists ${name} with (force)`);
    },
  };
}

/**
 * A member of `postgres` may alter what `query` creates. Two files may ask at once, and `create role` has no `if not
 * exists`.
 */
const CREATE_ROLE = `select pg_advisory_lock(hashtext('${ROLE}'));
do $$ begin
  if not exists (select from pg_roles where rolname = '${ROLE}') then create role ${ROLE} login in role postgres; end if;
end $$`;
