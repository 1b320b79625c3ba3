import { type PostgresDatabases, sharedPostgres, storeContracts } from '@sluice/testing';
import { afterAll, beforeAll } from 'vitest';
import { scratchStoresOn } from './scratch-postgres.ts';

let server: PostgresDatabases;
beforeAll(async () => {
  server = await sharedPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

storeContracts(
  'Postgres',
  scratchStoresOn(() => server),
);
