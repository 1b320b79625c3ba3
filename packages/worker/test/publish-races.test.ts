import type { CodeHost } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import type { Issue } from '@sluice/core/issue';
import { until } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WorkerDeps } from '../src/execution/worker-deps.ts';
import { importedIssue } from './imported-issue.ts';
import { publishingHost } from './publishing-host.ts';
import { openWorld, type World } from './world.ts';

let world: World;
let outside: ReturnType<typeof publishingHost>;
beforeEach(async () => {
  world = await openWorld();
  outside = publishingHost();
});
afterEach(() => world[Symbol.asyncDispose]());

const start = (host: Partial<CodeHost> = {}, deps: Partial<WorkerDeps> = {}) =>
  world.startWorker({
    deps: {
      ...deps,
      codehost: { ...outside.host, ...host },
      codehostTokens: outside.tokens,
      workspaces: outside.withPush(world.host.workspaces),
    },
  });

async function approved(): Promise<Issue> {
  const { id } = await importedIssue(world);
  return world.decideAsSeen(await world.untilStatus(id, 'awaiting_approval'), { action: 'approve' });
}

describe('a cancel while the pull request is being opened', () => {
  const cancelled = async ({ id }: Issue) => await world.cancel(id);

  it.each([
    ['with the answer', async () => undefined],
    [
      'and the answer is lost',
      async () => {
        throw new AppError('codehost_unavailable');
      },
    ],
  ])('that comes before the answer of the host still records the number: %s', async (_how, then) => {
    let issue: Issue | null = null;
    await start({
      openChangeRequest: async (call, repo, draft) => {
        const made = await outside.host.openChangeRequest(call, repo, draft);
        if (issue !== null) await cancelled(issue);
        await then();
        return made;
      },
    });
    issue = await approved();
    const { id } = issue;
    await until('it is written down', async () => (await world.get(id)).changeRequest !== null);
    const [made] = outside.changes;
    expect(outside.changes).toHaveLength(1);
    expect(await world.get(id)).toMatchObject({
      status: 'cancelled',
      changeRequest: { number: made?.number, state: 'draft' },
      pipeline: { publication: { change_request: { number: made?.number, url: made?.url } } },
      result: null,
    });
    const events = await world.events(id);
    expect(events.at(-1)).toMatchObject({
      type: 'change_request.updated',
      data: { number: made?.number, url: made?.url, state: 'draft' },
    });
    expect(outside.comments).toEqual([]);
  });

  it('does not hold up a shutdown', async () => {
    const asked = Promise.withResolvers<void>();
    const { worker } = await start({
      openChangeRequest: ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          asked.resolve();
        }),
    });
    const { id } = await approved();
    await asked.promise;
    const began = performance.now();
    await worker.stop({ graceMs: 0 });
    expect(performance.now() - began).toBeLessThan(4_000); // a cancelled one would have five seconds
    expect((await world.get(id)).status).toBe('running');
  });
});

it('writes one comment when a late worker continues after another one has finished', async () => {
  const searched = Promise.withResolvers<void>();
  const wake = Promise.withResolvers<void>();
  const refused = Promise.withResolvers<unknown>();
  const hearsNothing = { ...world.signals, subscribe: () => () => undefined };
  const sleeping: Partial<CodeHost> = {
    putComment: (call, repo, comment) => {
      const beforeWrite = async () => {
        searched.resolve();
        await wake.promise;
        await call.beforeWrite?.();
      };
      const put = outside.host.putComment({ ...call, beforeWrite }, repo, comment);
      put.then(refused.resolve, refused.resolve);
      return put;
    },
  };
  const sleeper = await start(sleeping, { signals: hearsNothing });
  const { id } = await approved();
  await searched.promise;
  sleeper.unplug();
  await world.runs.expireLeases(); // it has slept that long
  await start();
  await world.untilStatus(id, 'completed');
  expect(outside.comments).toHaveLength(1);
  wake.resolve();
  expect(String(await refused.promise)).toContain('lease_lost');
  expect(outside.comments).toHaveLength(1);
});
