import { readFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMigrations } from '../src/engine/migrations.ts';
import { migrateSqlite } from '../src/sqlite/migrate-sqlite.ts';

const rows = readFileSync(new URL('./first-schema-rows.sql', import.meta.url), 'utf8');

const target = (id: string, channel: string, url: string | null) =>
  `insert into notification_targets (id, user_id, channel, url, format, events, created_at, updated_at)
    select '${id}', id, '${channel}', ${url}, 'standard', '[]', 0, 0 from users limit 1`;
/** @param values status, next attempt, owner, end of the hold, end */
const delivery = (values: string) =>
  `insert into notification_deliveries (id, message_id, target_id, notification, attempts, created_at, status,
    next_attempt_at, owner, held_until, ended_at) values ('d-1', 'msg_d-1', 't-1', '{}', 0, 0, ${values})`;

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
    [
      'an issue at its gate that holds no remote',
      `status = 'awaiting_approval', slot = null, active_remote = null where ${running}`,
      /issues_remote_while_active/,
    ],
    ['a running issue in the queue', `queue_ordinal = 1 where ${running}`, /issues_queue_while_pending/],
    ['a pending issue that is half queued', `queued_at = 1 where ${pending}`, /issues_queued_at_while_queued/],
    ['a status that nobody knows', `status = 'done' where ${pending}`, /issues_status_known/],
    ['a lease without an end', `lease_owner = 'w' where ${running}`, /issues_lease_whole/],
  ])('refuses %s', (_, change, refusal) => {
    expect(() => database.exec(`update issues set ${change}`)).toThrow(refusal);
  });

  it.each([null, 2])('takes an issue at its gate with or without a slot: %s', (slot) => {
    expect(() =>
      database.exec(`update issues set status = 'awaiting_approval', slot = ${slot} where ${running}`),
    ).not.toThrow();
  });

  it.each([
    ['one account for two users', `update users set codehost_id = '7'`, /UNIQUE.*codehost_id/],
    ['one number twice in a repository', 'update issues set codehost_number = 7', /UNIQUE.*codehost_number/],
    ['one comment twice in a repository', `update issues set codehost_comment_id = 'c'`, /UNIQUE.*codehost_comment_id/],
    ['a second code host', `insert into codehost_sites values (2, 'https://b.test', 0)`, /codehost_sites_one/],
    [
      'a token without its nonce',
      `insert into codehost_grants select id, '1:AA==', null, null, 1, 0, 0 from users`,
      /codehost_grants_token_whole/,
    ],
    [
      'a hold without an end',
      `insert into codehost_inbox values (1, '41', 'issue', 7, 1, 0, 0, 'w', null, 0)`,
      /codehost_inbox_hold_whole/,
    ],
    [
      'a hold of what is settled',
      `insert into codehost_inbox values (1, '41', 'issue', 7, 1, 0, null, 'w', 1, 0)`,
      /codehost_inbox_held_while_marked/,
    ],
    ['a second target for e-mails', target('t-2', 'email', null), /UNIQUE.*user_id/],
    ['a webhook without a URL', target('t-2', 'webhook', null), /notification_targets_url_of_webhook/],
    ['a delivery that ended and is due', delivery("'delivered', 0, null, null, 0"), /due_while_pending/],
    ['a delivery that is pending and ended', delivery("'pending', 0, null, null, 0"), /ended_whole/],
    ['a hold of a delivery that has ended', delivery("'given_up', null, 'w', 0, 0"), /held_while_pending/],
    ['a hold of a delivery without an end', delivery("'pending', 0, 'w', null, null"), /hold_whole/],
  ])('refuses %s', (_, change, refusal) => {
    database.exec(target('t-1', 'email', null));
    expect(() => database.exec(change)).toThrow(refusal);
  });

  it('deletes the data of a user with the user', () => {
    database.exec(`insert into codehost_grants select id, '1:AA==', 'BB==', null, 1, 0, 0 from users`);
    database.exec(`insert into login_grants select id, 'c', id, 0, null, null from users`);
    database.exec(target('t-1', 'email', null));
    database.exec(delivery("'pending', 0, null, null, null"));
    database.exec('delete from users');
    for (const table of [
      'notification_targets',
      'notification_deliveries',
      'codehost_grants',
      'login_grants',
      'repos',
      'issues',
    ]) {
      expect(database.prepare(`select count(*) from ${table}`).pluck().get(), table).toBe(0);
    }
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
