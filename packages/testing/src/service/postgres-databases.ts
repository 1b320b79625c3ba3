import { Client } from 'pg';

/** The databases of a Postgres server. */
export interface PostgresDatabases extends AsyncDisposable {
  /** A new database: empty, or a copy of another one without connections. */
  createDatabase(template?: string): Promise<string>;
  /**
   * A new database: a copy of the one that `fill` filled, which the server keeps under that key.
   *
   * @param fill leaves no connection open
   */
  copyDatabase(key: string, fill: (url: string) => Promise<void>): Promise<string>;
  /** The address of the same database for the superuser. */
  superuserUrl(url: string): string;
  /** Runs SQL as the superuser. */
  query(sql: string, database?: string): Promise<Record<string, unknown>[]>;
  /** Begins a transaction, runs SQL in it, and leaves it idle until it is disposed of. */
  idleTransaction(sql: string, database: string): Promise<AsyncDisposable>;
}

interface Naming {
  /** The address of a database for its superuser. */
  readonly urlOf: (database: string) => string;
  /** The name of the next database. */
  readonly nextName: () => string;
  /** What follows `create database NAME template NAME`. */
  readonly options?: string;
  /** The address of a new database for tests, if that is not the superuser's. */
  readonly testUrlOf?: (database: string) => string;
}

/** Databases on a server that runs. */
export function databasesOn(naming: Naming): Omit<PostgresDatabases, keyof AsyncDisposable> {
  const { urlOf, nextName, options = '', testUrlOf = urlOf } = naming;

  async function connected<T>(database: string, work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client(urlOf(database));
    client.on('error', () => undefined); // the broken query reports it
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  async function createDatabase(template = 'template1'): Promise<string> {
    const name = nextName();
    await connected('postgres', async (client) => {
      const { rows } = await client.query('show server_version_num');
      // Up to Postgres 14 the only way, and half the time of the other one.
      const strategy = Number(rows[0].server_version_num) < 150_000 ? '' : 'strategy file_copy';
      await client.query(`create database ${name} template ${template} ${strategy} ${options}`);
    });
    return testUrlOf(name);
  }

  return {
    createDatabase,
    superuserUrl: (url) => urlOf(new URL(url).pathname.slice(1)),
    copyDatabase: async (key, fill) => {
      const template = `template_${key}`;
      await connected('postgres', async (client) => {
        await client.query('select pg_advisory_lock(hashtext($1))', [template]); // until the connection ends
        const { rowCount } = await client.query('select from pg_database where datname = $1', [template]);
        if (rowCount !== 0) return;
        const url = await createDatabase();
        await fill(url);
        await client.query(`alter database ${new URL(url).pathname.slice(1)} rename to ${template}`);
      });
      return await createDatabase(template);
    },
    query: (sql, database = 'postgres') => connected(database, async (client) => (await client.query(sql)).rows),
    idleTransaction: async (sql, database) => {
      const client = new Client(urlOf(database));
      client.on('error', () => undefined); // the broken query reports it
      await client.connect();
      await client.query('begin');
      await client.query(sql);
      return { [Symbol.asyncDispose]: () => client.end() };
    },
  };
}
