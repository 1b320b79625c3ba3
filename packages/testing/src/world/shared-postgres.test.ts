import { Client } from 'pg';
import { expect, it } from 'vitest';
import { sharedPostgres } from './shared-postgres.ts';

const nameOf = (url: string) => new URL(url).pathname.slice(1);

/** The rows of a query on a connection as tests have it. */
async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

it('copies of one key are filled once, whichever file asks first, and differ from then on', async () => {
  await using one = await sharedPostgres();
  await using other = await sharedPostgres();
  const filled: string[] = [];
  const fill = async (url: string) => {
    filled.push(url);
    await ask(url, 'create table t (n integer)');
  };
  const key = `test_${process.pid}`;
  const [first, second] = await Promise.all([one.copyDatabase(key, fill), other.copyDatabase(key, fill)]);
  expect(filled).toHaveLength(1);
  await ask(first, 'insert into t values (1)');
  expect(await ask(first, 'select n from t')).toEqual([{ n: 1 }]);
  expect(await ask(second, 'select n from t')).toEqual([]);
});

it('a database is dropped with the file that created it, also with connections, and takes a bounded number', async () => {
  await using server = await sharedPostgres();
  let url: string;
  {
    await using own = await sharedPostgres();
    url = await own.createDatabase();
    const limits = await ask(
      url,
      'select datconnlimit as most, rolsuper as unbounded from pg_database, pg_roles where datname = current_database() and rolname = current_user',
    );
    expect(limits).toEqual([{ most: 100, unbounded: false }]);
    await server.query('create table made (n integer)', nameOf(url));
    await ask(url, 'alter table made add m integer'); // as its owner
  }
  expect(await server.query(`select from pg_database where datname = '${nameOf(url)}'`)).toEqual([]);
});

it('a file may run SQL that only a superuser may', async () => {
  await using server = await sharedPostgres();
  const url = await server.createDatabase();
  await expect(ask(url, 'set session_replication_role = replica')).rejects.toThrow(/permission/);
  expect(await server.query('set session_replication_role = replica', nameOf(url))).toEqual([]);
  expect(await ask(server.superuserUrl(url), 'set session_replication_role = replica')).toEqual([]);
});
