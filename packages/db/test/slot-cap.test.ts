import { rmSync } from 'node:fs';
import type { Issue } from '@sluice/core/issue';
import { aNewIssue, aNewRepo, aNewUser, settableClock } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenOptions, openSqlite, type Stores } from '../src/index.ts';
import { migratedFolder } from './scratch.ts';

describe('the cap on pipelines', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await migratedFolder();
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  const open = (maxActivePipelines?: number, options: Partial<OpenOptions> = {}) =>
    openSqlite({ dataDir, clock: settableClock(), maxActivePipelines, ...options });

  it('is five by default', async () => {
    await using stores = await open();
    await createIssues(stores, 7);
    expect(await running(stores)).toHaveLength(5);
  });

  it('is the last one set, also for a process that does not set it', async () => {
    await (await open(2)).close();
    const changes: unknown[] = [];
    await using stores = await open(undefined, { onCapChanged: (change) => changes.push(change) });
    await createIssues(stores, 4);
    expect(await running(stores)).toHaveLength(2);
    expect(changes).toEqual([]);
  });

  it('starts waiting issues when it is raised, oldest first', async () => {
    const before = await open(1);
    const issues = await createIssues(before, 4);
    await before.close();
    const changes: unknown[] = [];
    const told: string[] = [];
    await using stores = await open(3, {
      onCapChanged: (change) => changes.push(change),
      onRunnable: (ids) => told.push(...ids),
    });
    expect(changes).toEqual([{ from: 1, to: 3 }]);
    expect(told).toEqual([issues[1]?.id, issues[2]?.id]);
    expect((await running(stores)).map(({ id }) => id)).toEqual(issues.slice(0, 3).map(({ id }) => id));
  });

  it('stops no issue when it is lowered, and takes effect as issues end', async () => {
    const before = await open(4);
    const issues = await createIssues(before, 6);
    await before.close();
    await using stores = await open(2);
    const left = async () => (await running(stores)).map(({ id }) => issues.findIndex((issue) => issue.id === id));
    expect(await left()).toEqual([0, 1, 2, 3]);
    await cancel(stores, issues[0]);
    expect(await left()).toEqual([1, 2, 3]);
    await cancel(stores, issues[3]);
    expect(await left()).toEqual([1, 2]);
    await cancel(stores, issues[1]);
    expect(await left()).toEqual([2, 4]);
    await cancel(stores, issues[2]);
    expect(await left()).toEqual([4, 5]);
  });

  it('counts those who run already when it is lowered below the free slots', async () => {
    const before = await open(5);
    await createIssues(before, 2);
    await before.close();
    await using stores = await open(2);
    await createIssues(stores, 2);
    expect(await running(stores)).toHaveLength(2);
  });

  it('gives retired slots back when it is raised again', async () => {
    const before = await open(3);
    await createIssues(before, 5);
    await before.close();
    await (await open(1)).close();
    await using stores = await open(4);
    expect(await running(stores)).toHaveLength(4);
  });

  it.each([0, -1, 1.5, Number.NaN])('is rejected when it is %d, and the folder is released', async (cap) => {
    await expect(open(cap)).rejects.toThrow(/maxActivePipelines/);
    await (await open(1)).close();
  });
});

async function createIssues(stores: Stores, count: number): Promise<Issue[]> {
  const user = aNewUser();
  await stores.users.create(user);
  const issues: Issue[] = [];
  for (let index = 0; index < count; index += 1) {
    const repo = aNewRepo({ userId: user.id });
    await stores.repos.create(repo);
    const outcome = await stores.issues.create(aNewIssue({ userId: user.id, repoId: repo.id }), { queue: true });
    if (outcome.kind === 'applied') issues.push(outcome.issue);
  }
  return issues;
}

/** The issues that occupy a slot; no test here claims or releases one. */
async function running(stores: Stores): Promise<Issue[]> {
  const ids = await stores.runs.claimable(100);
  const issues = await Promise.all(ids.map((id) => stores.issues.get(id)));
  return issues.filter((issue) => issue !== null);
}

async function cancel(stores: Stores, issue: Issue | undefined): Promise<void> {
  if (issue === undefined) throw new Error('there is no such issue');
  await stores.issues.apply({ issueId: issue.id, from: { status: 'running' }, trigger: 'cancelled', events: [] });
}
