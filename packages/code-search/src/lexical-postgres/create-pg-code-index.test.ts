import { type PostgresServer, startPostgres } from '@sluice/testing';
import { afterAll, beforeAll } from 'vitest';
import { codeIndexContract } from '../lexical/test/code-index.contract.ts';
import { pgIndexesOn } from './test/pg-indexes.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

codeIndexContract(
  'Postgres',
  pgIndexesOn(() => server),
);
