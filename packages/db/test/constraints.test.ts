import { readFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMigrations } from '../src/migrations.ts';
import { migrateSqlite } from '../src/sqlite/migrate-sqlite.ts';

const rows = readFileSync(new URL('./first-schema-rows.sql', import.meta.url), 'utf8');

// The rules hold whatever the code does: here there is no code, only SQL.
describe('the database by itself', () => {
  let database: Sqlite.Database;
  beforeEach(() => {
    database = new Sqlite(':memory:');
    migrateSqlite(database, readMigrations('sqlite'));
    database.exec(rows); // one running issue (on slot 2) and one pending one
  });
  afterEach(() => database.close());

  const running = "id like '%d1'";
  const pending = "id like '%d2'";
  it.each([
    [
      'a second active issue on a remote',
      `queue_ordinal = 1, queued_at = 1, active_remote = 'https://example.test/acme/sum' where ${pending}`,
      /UNIQUE.*active_remote/,
    ],
    [
      'a second issue in a slot',
      `status = 'running', slot = 2, active_remote = 'other' where ${pending}`,
      /UNIQUE.*slot/,
    ],
    [
      'a slot that does not exist',
      `status = 'running', slot = 3, active_remote = 'other' where ${pending}`,
      /FOREIGN KEY/,
    ],
    ['a running issue without a slot', `slot = null where ${running}`, /issues_slot_while_running/],
    ['an ended issue that keeps its slot', `status = 'failed' where ${running}`, /issues_slot_while_running/],
    ['an active issue that holds no remote', `active_remote = null where ${running}`, /issues_remote_while_active/],
    [
      'an ended issue that keeps its remote',
      `status = 'failed', slot = null where ${running}`,
      /issues_remote_while_active/,
    ],
    ['a running issue in the queue', `queue_ordinal = 1 where ${running}`, /issues_queue_while_pending/],
    ['a pending issue that is half queued', `queued_at = 1 where ${pending}`, /issues_queued_at_while_queued/],
    ['a status that nobody knows', `status = 'done' where ${pending}`, /issues_status_known/],
    ['a lease without an end', `lease_owner = 'w' where ${running}`, /issues_lease_whole/],
  ])('refuses %s', (_, change, refusal) => {
    expect(() => database.exec(`update issues set ${change}`)).toThrow(refusal);
  });

  it('lets a pending issue be queued and started', () => {
    database.exec(`update issues set queue_ordinal = 1, queued_at = 1, active_remote = 'other' where ${pending}`);
    database.exec(`update issues set status = 'running', queue_ordinal = null, slot = 1 where ${pending}`);
  });

  it('refuses two events with one number, and two attempts with one number', () => {
    const again = (table: string, columns: string) =>
      `insert into ${table} (${columns}) select ${columns} from ${table} limit 1`;
    expect(() => database.exec(again('events', 'issue_id, seq, type, data, at'))).toThrow(/UNIQUE/);
    expect(() => database.exec(again('steps', 'issue_id, stage, round, attempt, agent, started_at'))).toThrow(/UNIQUE/);
  });
});
