import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { settableClock } from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { largestOf } from '../bench/fill-installation.ts';
import { openSqlite } from '../src/index.ts';
import { openReader } from '../src/sqlite/sqlite-connections.ts';
import { callsOf } from './every-method/calls.ts';
import { copyOf, filledFolders, type Regime, regimes } from './every-method/filled-folders.ts';
import { harmless, newSteps } from './every-method/plan-changes.ts';
import { planFaults, stepsOf } from './every-method/plan-faults.ts';
import { createWorld } from './every-method/world.ts';

/** What an operator does to a whole installation, and therefore reads it. */
const wholeInstallation = [
  'codehostSite.move',
  'codehostSite.forget',
  'encryptedSecrets.encryptedUnderOther',
  'encryptedSecrets.plain',
];

/**
 * Queries that a person makes now and then, over all users, over budgets, or over the repositories of one: all are few.
 */
const fewRows = ['repos.list', 'users.find by login', 'users.accounts by a filter', 'budgets.list'];

const [, ...counting] = regimes;

/** Enough for SQLite to prefer the plans that it prefers with a hundred times as many. */
const ISSUES = 2_000;

const clock = settableClock();
const options = { clock, gateKeepsSlot: false, maxActivePipelinesPerUser: 3 } as const;

describe('every method of every store', () => {
  let folders: Readonly<Record<Regime, string>>;
  /** The statements of every call, each with a call that runs it. */
  let judged: readonly (readonly [text: string, by: string])[];
  beforeAll(async () => {
    folders = await filledFolders(options, ISSUES);
    const copy = copyOf(folders['counted while busy']);
    const statements = await statementsIn(copy);
    rmSync(copy, { recursive: true });
    judged = [...statements].filter(([, by]) => !wholeInstallation.includes(by));
  });
  afterAll(() => {
    for (const folder of Object.values(folders)) rmSync(folder, { recursive: true });
  });

  it.each(regimes)('reads ranges of indexes, in their order: %s', (regime) => {
    using opened = reopened(folders[regime]);
    expect(judged.length).toBeGreaterThan(100);
    const faults = judged
      .filter(([, by]) => !fewRows.includes(by))
      .flatMap(([text, by]) => planFaults(opened.database, text).map((step) => shown(by, step, text)));
    expect(faults).toEqual([]);
  });

  it('reads no more by what SQLite has counted than before it has', () => {
    using uncounted = reopened(folders['nothing counted']);
    const changes = counting.flatMap((regime) => {
      using counted = reopened(folders[regime]);
      return judged.flatMap(([text, by]) =>
        newSteps(stepsOf(counted.database, text), stepsOf(uncounted.database, text)).map((step) => ({
          step,
          text,
          by,
        })),
      );
    });
    const isOf = ({ to, of }: (typeof harmless)[number], { step, text }: { step: string; text: string }) =>
      to.test(step) && (of === undefined || of.test(text));
    const harmful = changes.filter((change) => !harmless.some((kind) => isOf(kind, change)));
    expect(harmful.map(({ by, step, text }) => shown(by, step, text))).toEqual([]);
    expect(harmless.filter((kind) => !changes.some((change) => isOf(kind, change)))).toEqual([]);
  });

  it('is among the calls: one that is not is named', () => {
    const stores = { issues: { get: () => null, forgotten: () => null } };
    expect(() => callsOf(stores)).toThrow('issues.forgotten is not called');
  });

  it('is checked by the plan of the database, so a statement without an index is found', () => {
    using opened = reopened(folders['nothing counted']);
    const { database } = opened;
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

/** The statements of every call, on a filled folder. */
async function statementsIn(dataDir: string): Promise<ReadonlyMap<string, string>> {
  const statements = new Map<string, string>();
  const { prepare } = Sqlite.prototype;
  let method = 'opening';
  const spy = vi.spyOn(Sqlite.prototype, 'prepare').mockImplementation(function (
    this: Sqlite.Database,
    source: string,
  ) {
    if (!statements.has(source)) statements.set(source, method);
    return prepare.call(this, source);
  } as typeof prepare);
  const stores = await openSqlite({ ...options, dataDir });
  const world = await createWorld({ stores, clock }, largestOf(ISSUES));
  for (const { name, arrange } of callsOf(stores)) {
    method = name;
    const call = await arrange(world);
    await call();
    await world.endAll();
  }
  spy.mockRestore();
  await stores.close();
  return statements;
}

/** The database as the service reads it after a start: with what was counted before. */
function reopened(dataDir: string): Disposable & { readonly database: Sqlite.Database } {
  const database = openReader(join(dataDir, 'sluice.db'));
  return { database, [Symbol.dispose]: () => void database.close() };
}

function shown(by: string, step: string, text: string): string {
  return `${by}: ${step} in ${text.replaceAll(/\s+/g, ' ')}`;
}
