import { type Caller, callerOf } from '@sluice/core/access';
import type { UserId } from '@sluice/core/id';
import { type IssueStatus, issueStatuses } from '@sluice/core/issue';
import { type PostgresDatabases, settableClock, sharedPostgres } from '@sluice/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillInstallationOnPg, idAt } from '../bench/fill-installation.ts';
import { listenToPlans, reportPlans } from '../bench/rows-read.ts';
import { openPostgres, type Stores } from '../src/index.ts';
import { migratedDatabase } from './scratch.ts';

const ISSUES = 4_000;
/** Lists of each status: Postgres plans a prepared statement for its values five times on a connection, and may keep the sixth plan. */
const ROUNDS = 2;
/** Rows read of one table, beside what the statement answers: somebody with some thirty issues needs no more. */
const MAX_READ = 300;
const clock = settableClock();
const page = { limit: 20, cursor: null };
const usual = callerOf(idAt('user', 62) as UserId);

const lists: Readonly<Record<string, (stores: Stores, readableBy: Caller, status: IssueStatus) => Promise<unknown>>> = {
  'all issues': ({ issues }, readableBy) => issues.list({ readableBy, ...page }),
  'issues in a status': ({ issues }, readableBy, status) => issues.list({ readableBy, statuses: [status], ...page }),
  'the number of issues in a status': ({ issues }, readableBy, status) =>
    issues.count({ readableBy, statuses: [status] }),
  'issues with a text': ({ issues }, readableBy, status) =>
    issues.list({ readableBy, statuses: [status], q: 'none has it', ...page }),
  'the inbox': ({ issues }, caller) => issues.inbox({ caller }),
};

let server: PostgresDatabases;
let url: string;
beforeAll(async () => {
  server = await sharedPostgres();
  url = await migratedDatabase(server);
  await (await openPostgres({ url, applicationName: 'test', clock })).close();
  const client = new Client(server.superuserUrl(url));
  await client.connect();
  await fillInstallationOnPg(client, { issues: ISSUES, now: clock.now().getTime() });
  await client.end();
  await reportPlans(server.superuserUrl(url));
});
afterAll(() => server[Symbol.asyncDispose]());

describe('a list on Postgres, of somebody with few of the issues', () => {
  it.each(Object.entries(lists))(
    'reads few rows, however often its connection has read it: %s',
    async (_name, read) => {
      await using stores = await openPostgres({ url, applicationName: 'test', clock, poolSize: 1 });
      using plans = listenToPlans();
      const wide: string[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const status of issueStatuses) {
          await read(stores, usual, status);
          const ran = plans.taken();
          expect(ran).not.toEqual([]);
          wide.push(
            ...ran
              .filter((statement) => statement.read > MAX_READ + statement.answered)
              .map((statement) => `round ${round}, ${status}: ${statement.read} rows for ${statement.answered}`),
          );
        }
      }
      expect(wide).toEqual([]);
    },
  );
});
