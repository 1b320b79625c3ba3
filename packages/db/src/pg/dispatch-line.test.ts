import { aNewIssue, aNewRepo, aNewUser, eventually, type PostgresDatabases, sharedPostgres } from '@sluice/testing';
import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migratedDatabase } from '../../test/scratch.ts';
import { openPostgres } from '../open-database.ts';
import { createDispatchLine, createPgTransactions } from './pg-transactions.ts';

const CREATES = 24; // more than twice the connections of a pool

let server: PostgresDatabases;
beforeAll(async () => {
  server = await sharedPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

describe('the dispatch lock', () => {
  it('leaves reads, renewals and the health check their connections while others wait for it', async () => {
    const url = await migratedDatabase(server);
    const database = new URL(url).pathname.slice(1);
    const clock = { now: () => new Date() };
    await using stores = await openPostgres({ url, applicationName: 'in-line', clock });
    const user = aNewUser();
    await stores.users.create(user);
    const create = async () => {
      const repo = aNewRepo({ userId: user.id });
      await stores.repos.create(repo);
      return aNewIssue({ userId: user.id, repoId: repo.id });
    };
    const running = await create();
    await stores.issues.create(running, { queue: true });
    const lease = await stores.runs.claim(running.id, { owner: 'me', ttlMs: 60_000 });
    if (lease === null) throw new Error('It is claimable.');
    const issues = [];
    while (issues.length < CREATES) issues.push(await create());

    // Held as if by another process that stands still.
    const held = await server.idleTransaction(`select pg_advisory_xact_lock(${0x736c75696365})`, database);
    const created = issues.map((issue) => stores.issues.create(issue, { queue: true }));
    const waiting = () =>
      server.query(
        `select pid from pg_stat_activity where application_name = 'in-line' and wait_event_type = 'Lock'`,
        database,
      );
    await eventually(async () => expect((await waiting()).length).toBeGreaterThan(0));
    expect(await stores.users.get(user.id)).not.toBeNull();
    expect(await stores.runs.renew(lease.lease, 60_000)).toBe(true);
    await stores.health.check(new AbortController().signal);
    expect(await waiting()).toHaveLength(1);

    await held[Symbol.asyncDispose]();
    const outcomes = await Promise.all(created);
    expect(outcomes.map(({ kind }) => kind)).toEqual(issues.map(() => 'applied'));
  });
});

describe('a transaction under the dispatch lock', () => {
  it('asks for it together with its first statement, which sees what was committed while it waited', async () => {
    const url = await server.createDatabase();
    const pool = new Pool({ connectionString: url });
    let messages = 0;
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...args: unknown[]) => unknown;
      client.query = ((...args: unknown[]) => {
        messages += 1;
        return query(...args);
      }) as typeof client.query;
    });
    await pool.query('create table t (n integer)');
    const [holder, waiter] = [0, 1].map(() => createPgTransactions(pool, { dispatchWaitMs: 60_000 }));
    if (holder === undefined || waiter === undefined) throw new Error('There are two.');
    const isHeld = Promise.withResolvers<void>();
    const isDone = Promise.withResolvers<void>();
    const held = holder.run(async () => {
      await holder.lockDispatch();
      await holder.query('insert into t values ($1)', [1]);
      isHeld.resolve();
      await isDone.promise;
    });
    await isHeld.promise;
    messages = 0;
    const waited = waiter.run(async (db) => {
      await waiter.lockDispatch();
      return await (db as unknown as NodePgDatabase).execute(sql`select n from t`);
    });
    const waiting = `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    const database = new URL(url).pathname.slice(1);
    await eventually(async () => expect(await server.query(waiting, database)).toHaveLength(1));
    isDone.resolve();
    await held;
    expect((await waited).rows).toEqual([{ n: 1 }]);
    expect(messages).toBe(3); // two commits, and all else
    await pool.end();
  });
});

describe('a line', () => {
  it('refuses those whose turn does not come in time, and lets the others in, one at a time', async () => {
    const line = createDispatchLine(1);
    const locked = Promise.withResolvers<void>();
    await line.enter(() => locked.promise);
    await expect(line.enter(() => Promise.resolve())).rejects.toMatchObject({ code: 'not_ready' });
    locked.resolve();
    await line.enter(() => Promise.resolve());
  });

  it('passes on the turn when the lock is refused', async () => {
    const line = createDispatchLine(60_000);
    await line.enter(() => Promise.reject(new Error('away')));
    await line.enter(() => Promise.resolve());
  });
});
