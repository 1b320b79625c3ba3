import { settableClock } from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readMigrations } from '../src/engine/migrations.ts';
import { openSqlite } from '../src/index.ts';
import { migrateSqlite } from '../src/sqlite/migrate-sqlite.ts';
import { callsOf } from './every-method/calls.ts';
import { planFaults } from './every-method/plan-faults.ts';
import { createWorld } from './every-method/world.ts';

/** What an operator does to a whole installation, and therefore reads it. */
const wholeInstallation = [
  'codehostSite.move',
  'codehostSite.forget',
  'encryptedSecrets.encryptedUnderOther',
  'encryptedSecrets.plain',
];

/** What a person does now and then, over all users or over the repositories of one: both are few. */
const fewRows = ['repos.list', 'users.find by login', 'users.accounts by a filter'];

describe('every method of every store', () => {
  let database: Sqlite.Database;
  beforeEach(() => {
    database = new Sqlite(':memory:');
    database.function('lower', (text) => text);
    migrateSqlite(database, readMigrations('sqlite'));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    database.close();
  });

  it('reads ranges of indexes, in their order', async () => {
    const statements = new Map<string, string>();
    let method = '';
    const { prepare } = Sqlite.prototype;
    vi.spyOn(Sqlite.prototype, 'prepare').mockImplementation(function (this: Sqlite.Database, source: string) {
      if (!statements.has(source)) statements.set(source, method);
      return prepare.call(this, source);
    } as typeof prepare);
    const clock = settableClock();
    await using stores = await openSqlite({ dataDir: null, clock, gateKeepsSlot: false, maxActivePipelinesPerUser: 3 });
    const world = await createWorld({ stores, clock });
    for (const { name, arrange } of callsOf(stores)) {
      method = name;
      const call = await arrange(world);
      await call();
      await world.endAll();
    }
    vi.restoreAllMocks();
    expect(statements.size).toBeGreaterThan(100);
    const faults = [...statements]
      .filter(([, by]) => ![...wholeInstallation, ...fewRows].includes(by))
      .flatMap(([text, by]) =>
        planFaults(database, text).map((step) => `${by}: ${step} in ${text.replaceAll(/\s+/g, ' ')}`),
      );
    expect(faults).toEqual([]);
  });

  it('is among the calls: one that is not is named', () => {
    const stores = { issues: { get: () => null, forgotten: () => null } };
    expect(() => callsOf(stores)).toThrow('issues.forgotten is not called');
  });

  it('is checked by the plan of the database, so a statement without an index is found', () => {
    expect(planFaults(database, 'select * from issues where title = ?')).toEqual(['SCAN issues']);
    expect(planFaults(database, 'select * from issues where id = ?')).toEqual([]);
    const history = 'select * from issues where user_id = ? and title = ?';
    expect(planFaults(database, history)).toEqual([expect.stringMatching(/^SEARCH issues .*\(user_id=\?\)$/)]);
    expect(planFaults(database, `${history} order by ordinal desc limit ?`)).toEqual([]);
    const inStatus = (status: string) =>
      `select * from issues where user_id = ? and ${status} = ? and ordinal < ? order by ordinal desc limit ?`;
    expect(planFaults(database, inStatus('"status"'))).toEqual([]);
    expect(planFaults(database, inStatus('+"status"'))).toEqual([
      expect.stringMatching(/\(user_id=\? AND ordinal<\?\)$/),
    ]);
    const sorted = 'select * from events where issue_id = ? order by at limit ?';
    expect(planFaults(database, sorted)).toEqual(['USE TEMP B-TREE FOR ORDER BY']);
  });
});
