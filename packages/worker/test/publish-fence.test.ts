import { systemTimers } from '@sluice/core/async';
import type { CodeHost, CodeHostTokens } from '@sluice/core/code-host';
import type { Issue } from '@sluice/core/issue';
import type { Workspaces } from '@sluice/core/workspace';
import { until } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WorkerDeps } from '../src/execution/worker-deps.ts';
import { importedIssue } from './imported-issue.ts';
import { publishingHost } from './publishing-host.ts';
import { fakeIndex, openWorld, type World } from './world.ts';

let world: World;
let outside: ReturnType<typeof publishingHost>;
beforeEach(async () => {
  world = await openWorld();
  outside = publishingHost();
});
afterEach(() => world[Symbol.asyncDispose]());

const start = (deps: Partial<WorkerDeps> = {}) =>
  world.startWorker({ deps: { codehost: outside.host, codehostTokens: outside.tokens, ...deps } });

/** A worker that hears of nothing until it asks. */
const startDeaf = (deps: Partial<WorkerDeps>) =>
  start({ ...deps, signals: { ...world.signals, subscribe: () => () => undefined } });

async function approved(): Promise<Issue> {
  const { id } = await importedIssue(world);
  return world.decideAsSeen(await world.untilStatus(id, 'awaiting_approval'), { action: 'approve' });
}

/** A place where a process falls asleep, once. */
function sleepingPlace() {
  const asleep = Promise.withResolvers<void>();
  const woken = Promise.withResolvers<void>();
  return {
    asleep: asleep.promise,
    wake: woken.resolve,
    async pass(): Promise<void> {
      asleep.resolve();
      await woken.promise;
    },
  };
}

const hasLetGo = () =>
  until('the sleeper has let go', () =>
    world.logged.some(({ message }) => message === 'an execution ended before its pipeline'),
  );

describe('a worker that slept in the middle of a push, after its look at the remote', () => {
  /** Between the look at the remote and what is sent, as in `git push`. */
  function sleepyPush() {
    const place = sleepingPlace();
    const workspaces: Workspaces = {
      ...world.host.workspaces,
      prepare: async (request) => {
        const workspace = await world.host.workspaces.prepare(request);
        return {
          ...workspace,
          push: async (head, signal, beforeWrite) => {
            await place.pass();
            await workspace.push(head, signal, beforeWrite);
          },
        };
      },
    };
    return { workspaces, ...place };
  }

  it('makes no branch for an issue that was cancelled meanwhile', async () => {
    const sleepy = sleepyPush();
    const sleeper = await startDeaf({ workspaces: sleepy.workspaces });
    const { id } = await approved();
    await sleepy.asleep;
    sleeper.unplug();
    await world.cancel(id);
    sleepy.wake();
    await hasLetGo();
    expect([...world.host.remote.keys()]).toEqual([]);
  });

  it('does not bring back a branch that was merged and deleted meanwhile', async () => {
    const sleepy = sleepyPush();
    const sleeper = await startDeaf({ workspaces: sleepy.workspaces });
    const { id } = await approved();
    await sleepy.asleep;
    sleeper.unplug();
    await world.runs.expireLeases(); // it has slept that long
    await start();
    const { result } = await world.untilStatus(id, 'completed');
    world.host.remote.delete(result?.branch ?? '');
    sleepy.wake();
    await hasLetGo();
    expect([...world.host.remote.keys()]).toEqual([]);
  });
});

describe('a worker that slept after it found no pull request', () => {
  function sleepyFind() {
    const place = sleepingPlace();
    const codehost: CodeHost = {
      ...outside.host,
      findChangeRequest: async (...args) => {
        const found = await outside.host.findChangeRequest(...args);
        await place.pass();
        return found;
      },
    };
    return { codehost, ...place };
  }

  it('opens none where another worker did, and a person closed that one', async () => {
    const sleepy = sleepyFind();
    const sleeper = await startDeaf({ codehost: sleepy.codehost });
    const { id } = await approved();
    await sleepy.asleep;
    sleeper.unplug();
    await world.runs.expireLeases();
    await start();
    const { changeRequest } = await world.untilStatus(id, 'completed');
    for (const change of outside.changes) Object.assign(change, { state: 'closed' });
    sleepy.wake();
    await hasLetGo();
    expect(outside.changes.map(({ number }) => number)).toEqual([changeRequest?.number]);
  });

  it('opens none for an issue that was cancelled meanwhile', async () => {
    const sleepy = sleepyFind();
    await startDeaf({ codehost: sleepy.codehost });
    const { id } = await approved();
    await sleepy.asleep;
    await world.cancel(id);
    sleepy.wake();
    await hasLetGo();
    expect(outside.changes).toEqual([]);
  });
});

it('opens no pull request that was not sent yet when its issue was cancelled, while the grant was read', async () => {
  const place = sleepingPlace();
  let isFound = false;
  const tokens: CodeHostTokens = {
    ...outside.tokens,
    callAsUser: async (userId, signal, work) => {
      if (isFound) await place.pass();
      return outside.tokens.callAsUser(userId, signal, work);
    },
  };
  const codehost: CodeHost = {
    ...outside.host,
    findChangeRequest: async (...args) => {
      const found = await outside.host.findChangeRequest(...args);
      isFound = true;
      return found;
    },
  };
  await start({ codehost, codehostTokens: tokens });
  const { id } = await approved();
  await place.asleep;
  await world.cancel(id); // acknowledged, and heard of
  place.wake();
  await hasLetGo();
  expect(outside.changes).toEqual([]);
});

it('asks no model in the name of an issue that was cancelled meanwhile', async () => {
  const place = sleepingPlace();
  let sleptMs = 0;
  let isAsked = false;
  await world.startWorker({
    deps: {
      signals: { ...world.signals, subscribe: () => () => undefined },
      timers: { ...systemTimers, now: () => systemTimers.now() + sleptMs },
    },
    script: {
      triager: async (_input, context) => {
        await place.pass();
        await context.beforeModelCall();
        isAsked = true;
        throw new Error('It was asked.');
      },
    },
  });
  const { id } = await world.newIssue();
  await place.asleep;
  await world.cancel(id);
  sleptMs = 1_000; // until then, what the store said last counts
  place.wake();
  await hasLetGo();
  expect(isAsked).toBe(false);
});

it('embeds no more code in the name of an issue that was cancelled meanwhile', async () => {
  const place = sleepingPlace();
  let sleptMs = 0;
  let batches = 0;
  await world.startWorker({
    deps: {
      signals: { ...world.signals, subscribe: () => () => undefined },
      timers: { ...systemTimers, now: () => systemTimers.now() + sleptMs },
      codeIndex: {
        ...fakeIndex(),
        update: async (workspace, signal, beforeCall) => {
          await beforeCall?.();
          batches += 1;
          await place.pass();
          await beforeCall?.();
          batches += 1;
          return fakeIndex().update(workspace, signal);
        },
      },
    },
  });
  const { id } = await world.newIssue();
  await place.asleep;
  await world.cancel(id);
  sleptMs = 1_000;
  place.wake();
  await hasLetGo();
  expect(batches).toBe(1);
});
