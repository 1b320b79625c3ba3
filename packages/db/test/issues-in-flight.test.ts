import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IssueId } from '@sluice/core/id';
import { issueStatuses } from '@sluice/core/issue';
import { type PostgresDatabases, settableClock, sharedPostgres } from '@sluice/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMigrations } from '../src/engine/migrations.ts';
import { openPostgres, openSqlite, type Stores, upgradeDatabase } from '../src/index.ts';
import { migratePg } from '../src/pg/migrate-pg.ts';
import { connectionOf } from '../src/pg/pg-connection.ts';
import { migrateSqlite } from '../src/sqlite/migrate-sqlite.ts';
import { openWriter } from '../src/sqlite/sqlite-connections.ts';
import { forPg, rowsOf } from './first-schema-rows.ts';

const CHANGE = '0009_slots_at_the_gate';
const before = (dialect: 'sqlite' | 'pg') => readMigrations(dialect).filter(({ name }) => name < CHANGE);
const rows = `${rowsOf('first-schema-rows.sql')}\n${rowsOf('issues-in-every-status.sql')}`;
const asked = '00000000-0000-7000-8000-0000000000e1' as IssueId;
const queued = '00000000-0000-7000-8000-0000000000e3' as IssueId;
const EVERY_ISSUE = 'select * from issues order by id';
const EVERY_STATUS = [...issueStatuses].sort();

describe('the change that lets a gate free its slot', () => {
  let server: PostgresDatabases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it('leaves an issue of every status as it was, and it goes on: SQLite', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sluice-in-flight-'));
    const writer = openWriter(join(dataDir, 'sluice.db'));
    migrateSqlite(writer, before('sqlite'));
    writer.exec(rows);
    const issues = writer.prepare<[], { status: string }>(EVERY_ISSUE).all();
    expect([...new Set(issues.map(({ status }) => status))].sort()).toEqual(EVERY_STATUS);
    expect(migrateSqlite(writer, readMigrations('sqlite'))).toContain(CHANGE);
    expect(writer.prepare(EVERY_ISSUE).all()).toEqual(issues.map(withNewColumns));
    expect(writer.pragma('foreign_key_check')).toEqual([]);
    writer.close();
    {
      await using stores = await openSqlite({ dataDir, clock: settableClock(), maxActivePipelines: 4, ...FREEING });
      await expectToGoOn(stores);
    }
    rmSync(dataDir, { recursive: true });
  });

  it('leaves an issue of every status as it was, and it goes on: Postgres', async () => {
    const url = await server.createDatabase();
    const options = { url, applicationName: 'sluice-test' };
    await migratePg({ connection: connectionOf(options), known: before('pg') });
    const client = new Client(connectionOf(options));
    await client.connect();
    await client.query(forPg(rows));
    const { rows: issues } = await client.query(EVERY_ISSUE);
    expect([...new Set(issues.map(({ status }) => status))].sort()).toEqual(EVERY_STATUS);
    expect(await upgradeDatabase(options, { dryRun: false })).toContain(CHANGE);
    expect((await client.query(EVERY_ISSUE)).rows).toEqual(issues.map(withNewColumns));
    await client.end();
    await using stores = await openPostgres({ ...options, clock: settableClock(), maxActivePipelines: 4, ...FREEING });
    await expectToGoOn(stores);
  });
});

/** A row with the columns that later changes add. */
function withNewColumns<Row extends object>(row: Row) {
  return { ...row, waiting_ordinal: null, held_by_budget: null };
}

const FREEING = { gateKeepsSlot: false };

/** The gate gives its slot away, and is decided without one. */
async function expectToGoOn({ issues, runs }: Stores): Promise<void> {
  expect(await issues.get(queued)).toMatchObject({ status: 'running', holdsSlot: true }); // the fourth slot was free
  expect(await runs.freeGateSlots()).toBe(1);
  expect(await issues.get(asked)).toMatchObject({ status: 'awaiting_approval', holdsSlot: false });
  const decided = await issues.apply({
    issueId: asked,
    from: { status: 'awaiting_approval' },
    trigger: 'plan_decided_without_slot',
    set: { stage: 'implement', gate: null },
    events: [],
  });
  expect(decided).toMatchObject({ kind: 'applied', issue: { status: 'running', stage: 'implement' } });
}
