import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWriter } from './sqlite-connections.ts';
import { optimize, releasePages } from './sqlite-upkeep.ts';

let folder: string;
let writer: Sqlite.Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-upkeep-'));
  writer = openWriter(join(folder, 'sluice.db'));
  writer.exec(`create table t (n integer primary key, of integer, text text); create index t_of on t (of);
    insert into t with recursive r(n) as (select 1 union all select n + 1 from r where n < 20000)
      select n, n % 7, hex(zeroblob(500)) from r`);
});
afterEach(() => {
  writer.close();
  rmSync(folder, { recursive: true });
});

const figure = (name: string) => writer.pragma(name, { simple: true }) as number;

describe('the pages of a new database', () => {
  it('go back to the disk a little at a time once their rows are deleted, but for a reserve', () => {
    expect(releasePages(writer)).toBe(false);
    const full = figure('page_count');
    writer.exec('delete from t');
    let last = figure('page_count');
    while (releasePages(writer)) {
      expect(last - figure('page_count')).toBeLessThan(150);
      last = figure('page_count');
    }
    expect(figure('freelist_count')).toBe(1_024);
    expect(figure('page_count')).toBeLessThan(full / 2);
  });

  it('stay where they are in a database of an earlier release', () => {
    writer.pragma('auto_vacuum = NONE');
    writer.pragma('journal_mode = DELETE');
    writer.exec('vacuum; delete from t');
    expect(figure('freelist_count')).toBeGreaterThan(1_024);
    expect(releasePages(writer)).toBe(false);
  });
});

it('counts the rows of tables that this connection has not read', () => {
  writer.close();
  writer = openWriter(join(folder, 'sluice.db'));
  optimize(writer);
  expect(writer.prepare("select stat from sqlite_stat1 where idx = 't_of'").pluck().get()).toMatch(/^2\d{4} /);
});

it('counts an index of some rows as one of a thousand, because there may be as many soon', () => {
  writer.exec('alter table t add column due integer; create index t_due on t (of, due) where due is not null');
  optimize(writer);
  const counted = () => writer.prepare("select stat from sqlite_stat1 where idx = 't_due'").pluck().get();
  expect(counted()).toBe('1000 10 1');
  writer.exec('update t set due = n; analyze');
  optimize(writer);
  expect(counted()).toMatch(/^20000 /);
});
