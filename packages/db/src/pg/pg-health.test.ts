import { eventually, type PostgresServer, startPostgres } from '@sluice/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgres } from '../open-database.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

it('shares one health check between concurrent callers, and starts another for later ones', async () => {
  const url = await server.createDatabase();
  const clock = { now: () => new Date() };
  await using stores = await openPostgres({ url, applicationName: 'looked-at', clock });
  const waiting = async () => {
    const [found] = await server.query(
      `select count(*)::int as count from pg_stat_activity where application_name = 'looked-at' and wait_event_type = 'Lock'`,
    );
    return found?.count;
  };
  const held = await server.idleTransaction(
    'lock table slots in access exclusive mode',
    new URL(url).pathname.slice(1),
  );
  const { signal } = new AbortController();
  const looks = Array.from({ length: 5 }, () => stores.health.check(signal));
  await eventually(async () => expect(await waiting()).toBeGreaterThan(0));
  expect(
    await server.query(
      `select count(*)::int as count from pg_stat_activity where application_name = 'looked-at' and state = 'active'`,
    ),
  ).toEqual([{ count: 1 }]);
  await held[Symbol.asyncDispose]();
  await Promise.all(looks);
  await server.kill();
  await expect(stores.health.check(signal)).rejects.toMatchObject({ code: 'not_ready' });
});
