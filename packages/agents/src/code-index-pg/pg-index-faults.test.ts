import { type PostgresServer, startPostgres } from '@sluice/testing';
import { afterAll, beforeAll } from 'vitest';
import { codeIndexFaultsContract } from '../code-index/test/code-index-faults.contract.ts';
import { pgIndexesOn } from './test/pg-indexes.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

codeIndexFaultsContract(
  'Postgres',
  pgIndexesOn(() => server),
);
