import type { RunStore } from '@sluice/core/agent';
import { systemTimers } from '@sluice/core/async';
import type { CodeIndex } from '@sluice/core/code-search';
import type { IssueId } from '@sluice/core/id';
import { GATE_REMINDER_MS } from '@sluice/core/issue';
import { until } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmbeddedDriver } from '../src/queue/embedded-driver.ts';
import { fakeIndex, openWorld, type World } from './world.ts';

describe('a worker and its sweep', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  it('runs a whole pipeline from the signals of commits, without polling the store', async () => {
    const asked: number[] = [];
    const runs: RunStore = {
      ...world.runs,
      claimable: (limit) => {
        asked.push(limit);
        return world.runs.claimable(limit);
      },
    };
    await world.startWorker({ deps: { runs } });
    await until('the sweep at the start has asked', () => asked.length === 1);
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    await world.untilStatus(id, 'completed');
    expect(asked).toHaveLength(1);
  });

  it('finds runnable issues at its start without a signal', async () => {
    const { id } = await world.newIssue();
    await world.startWorker();
    await world.untilStatus(id, 'awaiting_approval');
  });

  it('removes the clone and the index of a repository that is gone, and no other', async () => {
    const { worker } = await world.startWorker();
    const [gone, kept] = [await world.newIssue(), await world.newIssue()];
    for (const { id } of [gone, kept]) await world.untilStatus(id, 'awaiting_approval');
    await world.cancel(gone.id);
    await worker.stop({ graceMs: 0 });
    expect(await world.repos.remove(gone.repoId)).toBe('removed');
    expect([...world.host.clones]).toEqual([gone.repoId, kept.repoId]);

    const dropped: string[] = [];
    const codeIndex: CodeIndex = {
      ...fakeIndex(),
      drop: async (repoId) => void dropped.push(repoId),
    };
    await world.startWorker({ deps: { codeIndex } });
    await until('the clone is gone', () => world.host.clones.size === 1);
    expect([...world.host.clones]).toEqual([kept.repoId]);
    expect(dropped).toEqual([gone.repoId]);
  });

  it('finds what a worker left behind that died under a lease', async () => {
    const { id } = await world.newIssue();
    expect(await world.runs.claim(id, { owner: 'a worker that is dead', ttlMs: 100 })).not.toBeNull();
    await world.startWorker({ options: { maintenanceMs: 20 } });
    await world.untilStatus(id, 'awaiting_approval');
  });

  it('looks at its start for issues whose repository was freed without them', async () => {
    let asked = 0;
    const queueWaiting = async () => {
      asked += 1;
      return await world.issues.queueWaiting();
    };
    await world.startWorker({ deps: { issues: { ...world.issues, queueWaiting } } });
    await until('the sweep has asked', () => asked > 0);
  });

  it('does the second of the two writes that open the review when a worker died between them', async () => {
    let thaw: () => void = () => undefined;
    const frozen = new Promise<void>((resolve) => {
      thaw = resolve;
    });
    const { unplug } = await world.startWorker({
      deps: {
        issues: {
          ...world.issues,
          apply: async (change) => {
            if (change.trigger === 'review_opened') await frozen;
            return world.issues.apply(change);
          },
        },
      },
    });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'human_review');
    unplug();
    await world.runs.expireLeases();
    const { agents } = await world.startWorker();
    const issue = await world.untilStatus(id, 'awaiting_approval');
    expect(issue.plan?.revision).toBe(1);
    expect(agents.inputs.planner).toEqual([]);
    expect((await world.story(id)).slice(-2)).toEqual(['running -> human_review', 'human_review -> awaiting_approval']);
    thaw(); // not dead after all: its write comes too late
  });

  it('cancels an issue whose gate has expired, with the reason', async () => {
    await world.startWorker({ options: { gateTimeoutMs: 30, maintenanceMs: 10 } });
    const { id } = await world.newIssue();
    const cancelled = await world.untilStatus(id, 'cancelled');
    expect(cancelled.gate).toBeNull();
    expect(cancelled.error?.detail).toMatch(/^The plan gate expired at /);
    await until('the working tree is gone', () => world.host.discarded.includes(id));
  });

  it('lets a plan wait for ever where the time-out is 0', async () => {
    await world.startWorker({ options: { gateTimeoutMs: 0 } });
    const { id } = await world.newIssue();
    expect((await world.untilStatus(id, 'awaiting_approval')).gate?.expires_at).toBeNull();
  });

  it('reminds once of a gate that has held a slot for a day, with two workers too', async () => {
    let ahead = 0;
    const clock = { now: () => new Date(Date.now() + ahead) };
    const parts = { deps: { clock }, options: { gateTimeoutMs: 0, maintenanceMs: 5 } };
    await world.startWorker(parts);
    await world.startWorker(parts);
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    ahead = GATE_REMINDER_MS;
    const reminders = async () => (await world.events(id)).filter(({ type }) => type === 'gate.reminder').length;
    await until('the first reminder is there', async () => (await reminders()) > 0);
    ahead = 2 * GATE_REMINDER_MS;
    await until('the second reminder is there', async () => (await reminders()) > 1);
    expect(await reminders()).toBe(2);
    await world.decide(id, { action: 'approve', revision: 1 });
    await world.untilStatus(id, 'completed');
  });

  it('does not cancel an issue whose plan was revised during the check', async () => {
    const { id } = await world.newIssue();
    const stale: RunStore = { ...world.runs, expiredGates: async () => [id] };
    await world.startWorker({ deps: { runs: stale }, options: { maintenanceMs: 5 } });
    await world.untilStatus(id, 'awaiting_approval');
    const asked = new Promise<void>((resolve) => {
      let left = 3;
      const original = stale.claimable.bind(world.runs);
      (stale as { claimable: RunStore['claimable'] }).claimable = (limit) => {
        left -= 1;
        if (left === 0) resolve();
        return original(limit);
      };
    });
    await asked;
    expect((await world.get(id)).gate).not.toBeNull();
  });

  it('removes trees that belong to no issue, and keeps those that an issue needs', async () => {
    world.host.trees.set('0198a1b2-0000-7000-8000-00000000dead', new Map());
    await world.startWorker({ options: { maintenanceMs: 10 } });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await until('the orphan is gone', () => !world.host.trees.has('0198a1b2-0000-7000-8000-00000000dead'));
    expect(world.host.trees.has(id)).toBe(true);
  });

  it('keeps the tree of a failed issue for a while', async () => {
    await world.startWorker({
      options: { maintenanceMs: 10, workspaceTtlMs: 4_000 },
      script: { coder: () => ({ outcome: 'blocked', summary: 'no', outsidePlan: [] }) },
    });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    const { finishedAt } = await world.untilStatus(id, 'failed');
    expect(world.host.trees.has(id)).toBe(true);
    await until('the tree is gone', () => world.host.discarded.includes(id));
    expect(Date.now() - (finishedAt?.getTime() ?? 0)).toBeGreaterThanOrEqual(3_900);
  });

  it('starts the sixth issue when one of five has ended', async () => {
    await world.startWorker();
    const issues = [];
    for (let i = 0; i < 6; i += 1) issues.push(await world.newIssue());
    const sixth = issues[5]?.id as IssueId;
    for (const { id } of issues.slice(0, 5)) await world.untilStatus(id, 'awaiting_approval');
    expect(await world.get(sixth)).toMatchObject({ status: 'pending', queuePosition: 1 });
    await world.cancel(issues[2]?.id as IssueId);
    await world.untilStatus(sixth, 'awaiting_approval');
  });

  it('continues after the store failed for a while', async () => {
    let broken = true;
    const runs: RunStore = {
      ...world.runs,
      claim: (...args) => (broken ? Promise.reject(new Error('disk full')) : world.runs.claim(...args)),
    };
    await world.startWorker({
      deps: { runs },
      driver: createEmbeddedDriver(() => runs, systemTimers),
      options: { maintenanceMs: 10 },
    });
    const { id } = await world.newIssue();
    await until('it was tried', () => world.logged.some(({ message }) => message === 'could not execute an issue'));
    broken = false;
    await world.untilStatus(id, 'awaiting_approval');
  });
});
