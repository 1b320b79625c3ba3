import { type PostgresDatabases, sharedPostgres } from '@sluice/testing';
import { Pool, type PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createNamedStatements } from './named-statements.ts';
import { createPgTransaction, type PgTransaction } from './pg-transaction.ts';
import type { StatementShapes } from './statement-batch.ts';

let server: PostgresDatabases;
let pool: Pool;
beforeAll(async () => {
  server = await sharedPostgres();
  pool = new Pool({ connectionString: await server.createDatabase(), max: 1 });
  pool.on('error', () => undefined); // the server ends before the pool
  await pool.query('create table t (n integer primary key, data jsonb, bytes bytea)');
});
afterAll(async () => {
  await pool.end();
  await server[Symbol.asyncDispose]();
});

describe('a transaction', () => {
  let client: PoolClient;
  let transaction: PgTransaction;
  let begin: () => void;
  let messages: number;
  const named = createNamedStatements();
  const insert = (n: number) => transaction.query({ text: 'insert into t (n) values ($1) returning n' }, [n]);
  const unreadable = (n: number) => {
    const types = {
      getTypeParser: () => () => {
        throw new Error('unreadable');
      },
    };
    return transaction.query({ text: 'insert into t (n) values ($1) returning n as m', types }, [n]);
  };
  const rows = async () => (await client.query('select n from t order by n')).rows.map(({ n }) => n);

  beforeEach(async () => {
    client = await pool.connect();
    await client.query('rollback');
    await client.query('truncate t');
    messages = 0;
    const counted = new Proxy(client, {
      get: (target, name) => {
        if (name === 'query') messages += 1;
        if (name === 'on') return () => target; // one client for many transactions
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const shapes: StatementShapes = new Map();
    begin = () => {
      transaction = createPgTransaction({ connect: async () => counted, named, shapesOf: () => shapes });
    };
    begin();
    return () => client.release();
  });

  it('sends the statements of one turn with `begin` in one message, and the last ones with `commit` in another', async () => {
    const results = await Promise.all([insert(1), insert(2)]);
    expect(results.map(({ rows: [row], rowCount }) => [row.n, rowCount])).toEqual([
      [1, 1],
      [2, 1],
    ]);
    await transaction.commit([() => insert(3), () => insert(4)]);
    expect(messages).toBe(2);
    expect(await rows()).toEqual([1, 2, 3, 4]);
  });

  it('sends nothing for a transaction without a statement', async () => {
    await transaction.commit([]);
    expect(messages).toBe(0);
  });

  it('gives the statements before a failed one their results, and the rest its error', async () => {
    const [first, twice, third] = await Promise.allSettled([insert(1), insert(1), insert(3)]);
    expect(first).toMatchObject({ status: 'fulfilled', value: { rows: [{ n: 1 }] } });
    expect(twice).toMatchObject({ status: 'rejected', reason: { code: '23505' } });
    expect(third).toMatchObject({ status: 'rejected', reason: { code: '23505' } });
    await transaction.rollback(null);
    expect(await rows()).toEqual([]);
  });

  it('runs no statement outside of the transaction whose `begin` failed', async () => {
    await transaction.query({ text: 'select 1' });
    await transaction.commit([]);
    await client.query('deallocate all'); // so Postgres does not know `begin` any more
    begin();
    await expect(insert(1)).rejects.toMatchObject({ code: '26000' });
    await transaction.rollback(null);
    named.renew();
    expect(await rows()).toEqual([]);
  });

  it('commits nothing when one of the last statements fails, before or after it was sent', async () => {
    await insert(1);
    await expect(transaction.commit([() => insert(2), () => insert(2)])).rejects.toMatchObject({ code: '23505' });
    await transaction.rollback(null);
    begin();
    await insert(1);
    const sent = messages;
    const notMade = async () => {
      throw new Error('no statement could be made');
    };
    await expect(transaction.commit([() => insert(2), notMade])).rejects.toThrow('no statement could be made');
    expect(messages).toBe(sent);
    await transaction.rollback(null);
    expect(await rows()).toEqual([]);
  });

  it('commits nothing when one of the last statements is not asked for in the turn of the commit', async () => {
    await insert(1);
    const late = () => new Promise<void>((resolve) => setImmediate(resolve)).then(() => insert(2));
    await expect(transaction.commit([late])).rejects.toThrow(/awaited something other/);
    expect(messages).toBe(1); // that of the insert
    await transaction.rollback(null);
    expect(await rows()).toEqual([]);
  });

  it('says so when it was committed without a statement that one of the last ones asked for too late', async () => {
    const late = () => new Promise<void>((resolve) => setImmediate(resolve)).then(() => insert(3));
    const two = async () => await Promise.all([insert(1), insert(2)]);
    await expect(transaction.commit([two, late])).rejects.toThrow(/committed without/);
    await transaction.rollback(null);
    expect(await rows()).toEqual([1, 2]);
  });

  it('gives the error of an answer that cannot be read to its own statement, and stays usable', async () => {
    const [unread, other] = await Promise.allSettled([unreadable(1), insert(2)]);
    expect(unread).toMatchObject({ status: 'rejected', reason: { message: 'unreadable' } });
    expect(other).toMatchObject({ status: 'fulfilled', value: { rows: [{ n: 2 }] } });
    await transaction.commit([() => insert(3)]);
    expect(await rows()).toEqual([1, 2, 3]);
  });

  it('is committed although the answer to one of the last statements cannot be read', async () => {
    await transaction.commit([() => unreadable(1), () => insert(2)]);
    expect(await rows()).toEqual([1, 2]);
  });

  it('does not take a rollback for a commit when the error of a statement was ignored', async () => {
    await insert(1);
    await insert(1).catch(() => undefined);
    await expect(transaction.commit([])).rejects.toThrow(/rolled back/);
  });

  it('refuses a statement that comes after the end', async () => {
    await insert(1);
    await transaction.commit([]);
    await expect(insert(2)).rejects.toThrow(/outside of its transaction/);
    expect(await rows()).toEqual([1]);
  });

  it('describes a prepared statement once, and reads its rows the same each time', async () => {
    const text = 'insert into t values ($1, $2, $3) returning n, data, bytes';
    const add = (n: number) => transaction.query({ text, rowMode: 'array' }, [n, `{"n":${n}}`, Buffer.from([n])]);
    const read = [await add(1), ...(await Promise.all([add(2), add(3)]))].map((result) => result.rows[0]);
    expect(read).toEqual([1, 2, 3].map((n) => [n, { n }, Buffer.from([n])]));
    await transaction.commit([]);
  });

  it('refuses a value that Postgres would have to guess at', async () => {
    await expect(transaction.query({ text: 'select $1' }, [new Date()])).rejects.toThrow(TypeError);
    await transaction.rollback(null);
  });
});
