import { type PostgresDatabases, sharedPostgres } from '@sluice/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMigrations } from '../src/engine/migrations.ts';
import { upgradeDatabase } from '../src/index.ts';
import { firstSchemaRowsForPg } from './first-schema-rows.ts';
import { nameOf } from './pg-schema.ts';

/** Changes that take away what an older release uses, each with the release since which none does. */
const contracting: Readonly<Record<string, string>> = {};

/** What breaks the queries of a process that does not know of the change. */
const BREAKING: readonly [string, RegExp][] = [
  ['drops a table', /\bdrop\s+table\b/i],
  ['drops a column', /\bdrop\s+column\b/i],
  ['renames', /\brename\b/i],
  ['makes a column mandatory', /\bset\s+not\s+null\b/i],
  ['takes a default away', /\bdrop\s+default\b/i],
  ['changes a type', /\bset\s+data\s+type\b|\balter\s+column\s+\S+\s+type\b/i],
  ['adds a mandatory column without a default', /\badd\s+column\b(?=[^;]*\bnot\s+null\b)(?![^;]*\bdefault\b)/i],
];

const later = readMigrations('pg').slice(1);
const faultsOf = (sql: string) => BREAKING.filter(([, pattern]) => pattern.test(sql)).map(([fault]) => fault);

describe('a change of the tables on Postgres', () => {
  it.each(later.filter(({ name }) => !(name in contracting)))(
    'leaves to the release before what it uses: $name',
    ({ sql }) => {
      expect(faultsOf(sql)).toEqual([]);
    },
  );

  it.each([
    'ALTER TABLE "issues" DROP COLUMN "slot";',
    'ALTER TABLE "issues" RENAME COLUMN "slot" TO "place";',
    'ALTER TABLE "issues" ALTER COLUMN "stage" SET NOT NULL;',
    'ALTER TABLE "issues" ALTER COLUMN "stage" SET DATA TYPE integer;',
    'ALTER TABLE "issues" ADD COLUMN "n" integer NOT NULL;',
    'DROP TABLE "issues" CASCADE;',
  ])('is detected when it does not: %s', (sql) => {
    expect(faultsOf(sql)).toHaveLength(1);
  });
});

describe('the first release beside this one', () => {
  let server: PostgresDatabases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it('writes every table of its own on the tables of today', async () => {
    const url = await server.createDatabase();
    await upgradeDatabase({ url, applicationName: 'sluice-test' }, { dryRun: false });
    await server.query(firstSchemaRowsForPg(), nameOf(url));
    // The stream of everything finds them by their user, which that release does not write.
    const found = 'select count(events.user_id)::int as n from events join issues on issues.id = events.issue_id';
    expect(await server.query(found, nameOf(url))).toEqual([{ n: 3 }]);
  });
});
