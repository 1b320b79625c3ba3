import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseRefusal } from '../src/engine/database-refusal.ts';
import { type Migration, readMigrations } from '../src/engine/migrations.ts';
import { migrateSqlite } from '../src/sqlite/migrate-sqlite.ts';
import { openWriter } from '../src/sqlite/sqlite-connections.ts';

const known = readMigrations('sqlite');
const first = known.slice(0, 1);
const firstRows = readFileSync(new URL('./first-schema-rows.sql', import.meta.url), 'utf8');

/**
 * Rebuilds `slots`, which `issues` references, and `users`, which everything references, as drizzle-kit changes a
 * table.
 */
const rebuild: Migration = {
  name: '9999_rebuild',
  sql: `PRAGMA foreign_keys=OFF;--> statement-breakpoint
    create table __new_users (id text primary key not null, email text, email_key text, name text, avatar_url text,
      codehost_id text, codehost_login text, created_at integer not null, extra text default 'x' not null);--> statement-breakpoint
    insert into __new_users
      select id, email, email_key, name, avatar_url, codehost_id, codehost_login, created_at, 'x' from users;--> statement-breakpoint
    drop table users;--> statement-breakpoint
    alter table __new_users rename to users;--> statement-breakpoint
    PRAGMA foreign_keys=ON;`,
};

describe('migrations on SQLite', () => {
  let folder: string;
  let writer: Sqlite.Database;
  const tables = () =>
    writer
      .prepare<[], string>(
        "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by 1",
      )
      .pluck()
      .all()
      .filter((name) => name !== 'migrations');
  const rowCounts = () =>
    Object.fromEntries(tables().map((name) => [name, writer.prepare(`select count(*) from "${name}"`).pluck().get()]));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-migrate-'));
    writer = openWriter(join(folder, 'sluice.db'));
  });
  afterEach(() => {
    writer.close();
    rmSync(folder, { recursive: true });
  });

  function fillFirstSchema(): Record<string, unknown> {
    migrateSqlite(writer, first);
    writer.exec(firstRows);
    const counts = rowCounts();
    expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([]);
    return counts;
  }

  it('give the events of the first release their user', () => {
    fillFirstSchema();
    migrateSqlite(writer, known);
    const whose = writer.prepare(
      'select count(*) as n from events join issues on issues.id = events.issue_id and issues.user_id = events.user_id',
    );
    expect(whose.get()).toEqual({ n: 3 });
  });

  it('keep every row of a filled database', () => {
    const before = fillFirstSchema();
    migrateSqlite(writer, known);
    expect(rowCounts()).toMatchObject(before);
    expect(writer.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(writer.pragma('foreign_key_check')).toEqual([]);
  });

  it.each([
    ['all of them', 'delete from issues'],
    ['the last ones', 'delete from issues where ordinal > 1'],
  ])('number issues on from the last one though %s were deleted', (_which, deletion) => {
    fillFirstSchema();
    const lastNumber = writer.prepare("select seq from sqlite_sequence where name = 'issues'").pluck();
    const last = lastNumber.get();
    writer.exec(deletion);
    migrateSqlite(writer, known);
    expect(last).toBeGreaterThan(1);
    expect(lastNumber.get()).toBe(last);
  });

  it('keep the rows that refer to a table that is rebuilt', () => {
    const before = fillFirstSchema();
    migrateSqlite(writer, [...first, rebuild]);
    expect(rowCounts()).toEqual(before);
    expect(writer.prepare('select extra from users').pluck().all()).toEqual(['x', 'x']);
    expect(writer.pragma('foreign_keys', { simple: true })).toBe(1);
  });

  it('would lose those rows with foreign keys on, which is why they are off', () => {
    fillFirstSchema();
    writer.exec(`begin; ${rebuild.sql} commit;`);
    expect(rowCounts()).toMatchObject({ users: 2, issues: 0, events: 0 });
  });

  it('apply once', () => {
    migrateSqlite(writer, known);
    migrateSqlite(writer, known);
    expect(writer.prepare('select name from migrations').pluck().all()).toEqual(known.map(({ name }) => name));
  });

  it('apply one that was merged late, whatever came after it', () => {
    const late = { name: '0000_late', sql: 'create table late (n integer)' };
    const later = { name: '0001_later', sql: 'create table later (n integer)' };
    migrateSqlite(writer, [...first, later]);
    migrateSqlite(writer, [...first, late, later]);
    expect(tables()).toEqual(expect.arrayContaining(['late', 'later']));
  });

  it('leave a copy of the database as it was before', () => {
    fillFirstSchema();
    const path = join(folder, 'sluice.db.before-9999_rebuild');
    expect(existsSync(path)).toBe(false);
    migrateSqlite(writer, [...first, rebuild]);
    const copy = new Sqlite(path, { readonly: true });
    expect(copy.prepare('select count(*) from events').pluck().get()).toBe(3);
    expect(() => copy.prepare('select extra from users')).toThrow(/no such column/);
    copy.close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  const copies = () =>
    readdirSync(folder)
      .filter((name) => name.startsWith('sluice.db.before-'))
      .map((name) => name.slice('sluice.db.before-'.length))
      .toSorted();
  const table = (name: string): Migration => ({ name, sql: `create table t${name} (n integer)` });
  function upgradeThreeTimes(): void {
    const migrations = [...first];
    for (const name of ['9997_a', '9998_b', '9999_c']) {
      migrations.push(table(name));
      migrateSqlite(writer, migrations);
    }
  }

  it('keep the copies of the last two upgrades', () => {
    fillFirstSchema();
    upgradeThreeTimes();
    expect(copies()).toEqual(['9998_b', '9999_c']);
  });

  it('keep the copies that an operator has made', () => {
    fillFirstSchema();
    writeFileSync(join(folder, 'sluice.db.before-move'), '');
    upgradeThreeTimes();
    expect(copies()).toEqual(['9998_b', '9999_c', 'move']);
  });

  it('succeed though a copy cannot be removed', () => {
    fillFirstSchema();
    const stuck = join(folder, 'sluice.db.before-9997_a');
    migrateSqlite(writer, [...first, table('9997_a')]);
    rmSync(stuck);
    mkdirSync(stuck);
    utimesSync(stuck, 1, 1);
    const migrations = [...first, table('9997_a'), table('9998_b')];
    migrateSqlite(writer, migrations);
    expect(migrateSqlite(writer, [...migrations, table('9999_c')])).toEqual(['9999_c']);
  });

  it('keep the copy from before an upgrade that fails half-way, and make another for the next upgrade', () => {
    fillFirstSchema();
    const broken = (name: string) => ({ name, sql: 'create table users (n integer)' });
    const upgrade = ['9994_a', '9995_b', '9996_c', '9997_d'].map(table);
    for (let failsAt = 1; failsAt < upgrade.length; failsAt += 1) {
      const failing = upgrade.with(failsAt, broken(upgrade[failsAt]?.name ?? ''));
      expect(() => migrateSqlite(writer, [...first, ...failing])).toThrow(/already exists/);
    }
    migrateSqlite(writer, [...first, ...upgrade]);
    expect(copies()).toEqual(['9994_a']);
    migrateSqlite(writer, [...first, ...upgrade, table('9998_e')]);
    expect(copies()).toEqual(['9994_a', '9998_e']);
  });

  it('are undone as a whole when a statement fails', () => {
    const before = fillFirstSchema();
    const broken = { name: '9999_broken', sql: 'drop table command_log; create table users (n integer)' };
    expect(() => migrateSqlite(writer, [...first, broken])).toThrow(/already exists/);
    expect(rowCounts()).toEqual(before);
    expect(writer.pragma('foreign_keys', { simple: true })).toBe(1);
  });

  it('are rolled back when they would leave dangling references', () => {
    const before = fillFirstSchema();
    const orphaning = { name: '9999_orphaning', sql: 'delete from repos' };
    expect(() => migrateSqlite(writer, [...first, orphaning])).toThrow(DatabaseRefusal);
    expect(rowCounts()).toEqual(before);
  });

  it('refuse a database of a newer version, and name the fix', () => {
    migrateSqlite(writer, [...known, rebuild]);
    expect(() => migrateSqlite(writer, known)).toThrow(
      expect.objectContaining({
        reason: 'newer',
        message: expect.stringMatching(/newer version.*9999_rebuild.*start/),
      }),
    );
  });
});
