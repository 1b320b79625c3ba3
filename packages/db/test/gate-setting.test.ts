import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Issue } from '@sluice/core/issue';
import { aNewUser, type PostgresDatabases, settableClock, sharedPostgres } from '@sluice/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenOptions, openPostgres, openSqlite, type Stores } from '../src/index.ts';
import { atGate, queuedIssue } from './issues-at-gates.ts';
import { migratedDatabase, migratedFolder } from './scratch.ts';

type Open = (options?: Partial<OpenOptions>) => Promise<Stores>;

describe('a setting of the slots that changes from one start to the next', () => {
  let server: PostgresDatabases;
  let dataDir: string;
  beforeAll(async () => {
    server = await sharedPostgres();
    dataDir = mkdtempSync(join(tmpdir(), 'sluice-gate-setting-'));
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(dataDir, { recursive: true });
  });
  const common = { clock: settableClock(), maxActivePipelines: 1 };
  const engines: [string, () => Promise<Open>][] = [
    [
      'SQLite',
      async () => {
        const folder = await migratedFolder(dataDir);
        return (options) => openSqlite({ ...common, dataDir: folder, ...options });
      },
    ],
    [
      'Postgres',
      async () => {
        const url = await migratedDatabase(server);
        return (options) => openPostgres({ ...common, url, applicationName: 'sluice-test', ...options });
      },
    ],
  ];

  it.each(engines)('frees the slots of gates once it is off, and leaves them free once it is on: %s', async (_, on) => {
    const open = await on();
    let gate: Issue;
    let next: Issue;
    {
      await using stores = await open();
      gate = await atGate(stores, await queuedIssue(stores));
      next = await queuedIssue(stores);
      expect(await stores.runs.freeGateSlots()).toBe(0);
      expect([gate.holdsSlot, next.status]).toEqual([true, 'pending']);
    }
    {
      await using stores = await open({ gateKeepsSlot: false });
      expect(await stores.runs.freeGateSlots()).toBe(1);
      expect(await stores.runs.freeGateSlots()).toBe(0);
      expect(await stores.issues.get(gate.id)).toMatchObject({ status: gate.status, holdsSlot: false });
      expect((await stores.issues.get(next.id))?.status).toBe('running');
    }
    await using stores = await open();
    const kept = await atGate(stores, next);
    expect(kept.holdsSlot).toBe(true);
    expect((await stores.issues.get(gate.id))?.holdsSlot).toBe(false);
    const decided = await stores.issues.apply({
      issueId: gate.id,
      from: { status: gate.status },
      trigger: 'plan_decided_without_slot',
      set: { stage: 'implement', gate: null },
      events: [],
    });
    expect(decided).toMatchObject({ kind: 'applied', issue: { status: 'pending', queuePosition: 1 } });
  });

  it.each(engines)('lets waiting issues start when the limit per user is raised, or removed: %s', async (_, on) => {
    const open = await on();
    const running = async (stores: Stores, ids: readonly Issue['id'][]) => {
      const issues = await Promise.all(ids.map((id) => stores.issues.get(id)));
      return issues.filter((issue) => issue?.status === 'running').length;
    };
    const five = { maxActivePipelines: 5 };
    const ids: Issue['id'][] = [];
    {
      await using stores = await open({ ...five, maxActivePipelinesPerUser: 1 });
      const user = aNewUser();
      await stores.users.create(user);
      for (let count = 0; count < 4; count += 1) ids.push((await queuedIssue(stores, user.id)).id);
      expect(await running(stores, ids)).toBe(1);
    }
    {
      await using stores = await open({ maxActivePipelines: undefined, maxActivePipelinesPerUser: 2 });
      expect(await running(stores, ids)).toBe(2);
    }
    await using stores = await open({ maxActivePipelines: undefined, maxActivePipelinesPerUser: null });
    expect(await running(stores, ids)).toBe(4);
  });
});
