import { type PostgresDatabases, sharedPostgres } from '@sluice/testing';
import { afterAll, beforeAll } from 'vitest';
import { codeIndexContract } from '../../src/lexical/test/code-index.contract.ts';
import { pgIndexesOn } from '../../src/lexical-postgres/test/pg-indexes.ts';

// Usual way: packages/code-search/src/lexical/create-code-index.test.ts

let server: PostgresDatabases;
beforeAll(async () => {
  server = await sharedPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

codeIndexContract(
  'Postgres',
  pgIndexesOn(() => server),
);
