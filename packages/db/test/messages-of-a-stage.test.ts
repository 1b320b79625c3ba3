import { settableClock, sharedPostgres } from '@sluice/testing';
import { Client } from 'pg';
import { expect, it, vi } from 'vitest';
import { aLease } from '../bench/a-lease.ts';
import { bookStages } from '../bench/book-stage.ts';
import { openPostgres } from '../src/index.ts';
import { migratedDatabase } from './scratch.ts';

it('sends Postgres the ten statements of a stage in four messages', async () => {
  await using server = await sharedPostgres();
  const url = await migratedDatabase(server);
  await using stores = await openPostgres({ url, applicationName: 'counted', clock: settableClock() });
  const bookStage = bookStages(stores, await aLease(stores));
  await bookStage();
  const query = vi.spyOn(Client.prototype, 'query');
  await bookStage();
  expect(query).toHaveBeenCalledTimes(4);
  query.mockRestore();
});
