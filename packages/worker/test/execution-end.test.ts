import { systemTimers, timersOver } from '@sluice/core/async';
import { AppError } from '@sluice/core/error';
import type { IssueId } from '@sluice/core/id';
import type { WorkerStage } from '@sluice/core/pipeline';
import type { SandboxCommand } from '@sluice/core/workspace';
import { until } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ExecutionEnded } from '../src/execution/issue-execution.ts';
import { untilAborted } from './fake-sandbox.ts';
import { CALL_USAGE } from './scripted-agents.ts';
import { fakeIndex, openWorld, type WorkerParts, type World } from './world.ts';

/** A stage that hangs until it is aborted, and reports when. */
function hanging() {
  const seen = { begun: false, abortedAt: 0 };
  return {
    seen,
    async hang(signal: AbortSignal): Promise<never> {
      seen.begun = true;
      try {
        return await untilAborted(signal);
      } finally {
        seen.abortedAt = performance.now();
      }
    },
  };
}

/** A worker that hangs, for each stage. */
const hangsIn: Record<
  WorkerStage,
  (world: World, hang: (signal: AbortSignal) => Promise<never>) => Pick<WorkerParts, 'deps' | 'script' | 'commands'>
> = {
  prepare: (world, hang) => ({
    deps: { workspaces: { ...world.host.workspaces, prepare: ({ signal }) => hang(signal) } },
  }),
  index: (_, hang) => ({
    deps: {
      codeIndex: {
        ...fakeIndex(),
        update: (_workspace, signal) => hang(signal),
      },
    },
  }),
  triage: (_, hang) => ({ script: { triager: (_input, { signal }) => hang(signal) } }),
  plan: (_, hang) => ({ script: { planner: (_input, { signal }) => hang(signal) } }),
  implement: (_, hang) => ({ script: { coder: (_input, { signal }) => hang(signal) } }),
  test: (_, hang) => ({
    commands: {
      'npm test': ({ signal, files }: SandboxCommand & { files: Map<string, string> }) =>
        files.get('src/sum.js') === 'fixed' ? hang(signal) : { exitCode: 1 },
    },
  }),
  review: (_, hang) => ({ script: { reviewer: (_input, { signal }) => hang(signal) } }),
  publish: (world, hang) => ({
    deps: {
      workspaces: {
        ...world.host.workspaces,
        prepare: async (request) => ({
          ...(await world.host.workspaces.prepare(request)),
          push: (_head: string, signal: AbortSignal) => hang(signal),
        }),
      },
    },
  }),
};

describe('an execution that is ended from outside', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  /** Starts an issue and brings it to where `stage` has begun to hang. */
  async function hangingIn(stage: WorkerStage, parts: WorkerParts = {}) {
    const { seen, hang } = hanging();
    const made = await world.startWorker({ ...hangsIn[stage](world, hang), ...parts });
    const { id } = await world.newIssue();
    await until(`${stage} has begun`, async () => {
      const issue = await world.get(id);
      if (issue.gate !== null) await world.decide(id, { action: 'approve' }).catch(() => undefined);
      return seen.begun;
    });
    return { ...made, id, seen };
  }

  it.each(Object.keys(hangsIn) as WorkerStage[])(
    'a cancel stops the stage %s at once, and nothing is written after it',
    async (stage) => {
      // A worker that misses the signal finds out when it renews its lease.
      const { id, seen } = await hangingIn(stage, { options: { leaseMs: 180_000 } });
      const cancelledAt = performance.now();
      await world.cancel(id);
      const { lastSeq } = await world.get(id);
      await until('the stage was aborted', () => seen.abortedAt > 0);
      expect(seen.abortedAt - cancelledAt).toBeLessThan(20_000);
      await until('the execution is over', () => executionEnds(id) === 1);
      if (stage !== 'prepare') await until('the working tree is gone', () => world.host.discarded.includes(id));
      const issue = await world.get(id);
      expect(issue).toMatchObject({ status: 'cancelled', lastSeq, error: null });
      expect((await world.story(id)).at(-1)).toMatch(/-> cancelled$/);
    },
  );

  function executionEnds(id: IssueId): number {
    return world.logged.filter(
      ({ message, fields }) => message.startsWith('an execution ended') && fields.issueId === id,
    ).length;
  }

  it('removes the working tree of an issue that is cancelled while it waits for a person', async () => {
    await world.startWorker();
    const { id } = await world.newIssue();
    const waiting = await world.untilStatus(id, 'awaiting_approval');
    expect(world.host.trees.has(id)).toBe(true);
    await world.cancel(waiting.id);
    await until('the working tree is gone', () => world.host.discarded.includes(id));
  });

  it('writes nothing more once another worker has its issue', async () => {
    // The first worker is alive, but its renewals do not get through; it comes back when the second one is done.
    const stuck = hanging();
    const late: unknown[] = [];
    let resume: () => void = () => undefined;
    const resumed = new Promise<void>((resolve) => {
      resume = resolve;
    });
    await world.startWorker({
      options: { leaseMs: 300 },
      deps: {
        runs: {
          ...world.runs,
          renew: (...lease) => (stuck.seen.begun ? new Promise(() => undefined) : world.runs.renew(...lease)),
        },
      },
      script: {
        planner: async (_, { signal, journal }) => {
          await stuck.hang(signal).catch(() => undefined);
          await resumed;
          await journal
            .append({ entries: [{ kind: 'usage', usage: CALL_USAGE, model: 'test/late' }], events: [] })
            .catch((error: unknown) => late.push(error));
          return { summary: 'too late', steps: [], acceptance_criteria: [], risks: [], test_strategy: '' };
        },
      },
    });
    const { id } = await world.newIssue();
    await until('the first one plans', () => stuck.seen.begun);
    await world.startWorker({ options: { maintenanceMs: 20 } });
    await world.untilStatus(id, 'awaiting_approval');
    expect(executionEnds(id)).toBe(0);
    resume();
    await until('the first one has let go', () => executionEnds(id) === 1);
    expect(late).toEqual([expect.any(ExecutionEnded)]);
    const story = await world.story(id);
    expect(story.filter((line) => line.startsWith('stage.failed'))).toEqual([]);
    expect(story.filter((line) => line === 'plan.created')).toHaveLength(1);
    expect(await world.get(id)).toMatchObject({ plan: { summary: 'Fix sum.' }, usage: { input_tokens: 20 } });
  });

  it('leaves the tree to its successor before the lease, and takes it for each execution that needs it', async () => {
    const log: string[] = [];
    const hold: typeof world.host.workspaces.hold = async () => {
      log.push('held');
      return () => void log.push('left');
    };
    const release: typeof world.runs.release = async (...args) => {
      log.push('released');
      return world.runs.release(...args);
    };
    await world.startWorker({
      deps: { workspaces: { ...world.host.workspaces, hold }, runs: { ...world.runs, release } },
    });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await until('the lease was released', () => log.includes('released'));
    await world.decide(id, { action: 'approve' });
    await world.untilStatus(id, 'completed');
    await until('the lease was released', () => log.filter((line) => line === 'released').length === 2);
    expect(log).toEqual(['held', 'left', 'released', 'held', 'left', 'released']);
  });

  it('leaves the tree alone that it gets only after another worker took its issue', async () => {
    const asked = Promise.withResolvers<void>();
    const free = Promise.withResolvers<void>();
    let prepared = 0;
    await world.startWorker({
      options: { leaseMs: 180_000 }, // no renewal finds out before
      deps: {
        workspaces: {
          ...world.host.workspaces,
          hold: async () => {
            asked.resolve();
            await free.promise;
            return () => undefined;
          },
          prepare: (request) => {
            prepared += 1;
            return world.host.workspaces.prepare(request);
          },
        },
      },
    });
    const { id } = await world.newIssue();
    await asked.promise;
    await world.runs.expireLeases();
    expect(await world.runs.claim(id, { owner: 'other', ttlMs: 180_000 })).not.toBeNull();
    free.resolve();
    await until('the execution is over', () => executionEnds(id) === 1);
    expect(prepared).toBe(0);
  });

  it('does not count on a lease that would have ended before the store answered the claim', async () => {
    let awayMs = 0;
    const { now, after } = systemTimers;
    const { hang } = hanging();
    await world.startWorker({
      options: { leaseMs: 180_000 },
      deps: {
        ...hangsIn.prepare(world, hang).deps,
        timers: timersOver({ now: () => now() + awayMs, after }),
        runs: {
          ...world.runs,
          claim: async (...asked) => {
            const claimed = await world.runs.claim(...asked);
            awayMs = 180_000;
            return claimed;
          },
        },
      },
    });
    const { id } = await world.newIssue();
    await until('the execution is over', () => executionEnds(id) > 0);
    const end = world.logged.find(({ message }) => message.startsWith('an execution ended'));
    expect(end?.fields).toEqual({ issueId: id, reason: 'lease_lost' });
  });

  it('ends a stage that takes too long, and the issue with it', async () => {
    const { id, seen } = await hangingIn('triage', { options: { stageTimeoutMs: 3_000 } });
    const failed = await world.untilStatus(id, 'failed');
    expect(seen.abortedAt).toBeGreaterThan(0);
    expect(failed.error).toEqual({
      stage: 'triage',
      detail: 'The stage `triage` took longer than 3 s (STAGE_TIMEOUT) and was stopped.',
    });
    expect((await world.story(id)).slice(-2)).toEqual(['stage.failed triage 1', 'running -> failed']);
  });

  it('keeps the output and the end of a command that a stage time-out stopped', async () => {
    const { id } = await hangingIn('test', { options: { stageTimeoutMs: 4_000 } });
    await world.untilStatus(id, 'failed');
    expect((await world.story(id)).slice(-4)).toEqual([
      'command.started npm test',
      'command.finished npm test null',
      'stage.failed test 1',
      'running -> failed',
    ]);
  });

  it('reads its issue again after writes of others, and not after its own', async () => {
    let reads = 0;
    const get: typeof world.issues.get = (id) => {
      reads += 1;
      return world.issues.get(id);
    };
    const { id } = await hangingIn('plan', { deps: { issues: { ...world.issues, get } } });
    expect(reads).toBe(1);
    await world.note(id, 'Mind the last argument.');
    await until('the row was read twice', async () => reads === 2);
  });

  it('releases the issue as soon as the store answers again after an outage, long before its lease expires', async () => {
    let refusals = 0;
    let released = false;
    await world.startWorker({
      options: { leaseMs: 180_000 },
      deps: {
        issues: {
          ...world.issues,
          apply: async (change) => {
            if (refusals === 0) throw new AppError('not_ready', { detail: 'away' });
            return world.issues.apply(change);
          },
        },
        runs: {
          ...world.runs,
          release: async (...asked) => {
            refusals += 1;
            if (refusals < 3) throw new AppError('not_ready', { detail: 'away' });
            released ||= await world.runs.release(...asked);
            return released;
          },
        },
      },
    });
    await world.newIssue();
    await until('the issue is released', () => released);
    expect(refusals).toBe(3);
  });

  it('releases the issue on shutdown without a failure, and another worker continues at once', async () => {
    const { id, seen, worker } = await hangingIn('implement');
    await worker.stop({ graceMs: 30 });
    expect(seen.abortedAt).toBeGreaterThan(0);
    const story = await world.story(id);
    expect(story.filter((line) => line.startsWith('stage.failed'))).toEqual([]);
    await world.startWorker(); // leases last 15 s: it can only claim a released issue
    await world.untilStatus(id, 'completed');
    expect((await world.story(id)).filter((line) => line.startsWith('stage.started implement'))).toEqual([
      'stage.started implement 1',
      'stage.started implement 2',
    ]);
  });

  it('lets a stage end within the grace of a shutdown, and begins no other', async () => {
    const indexing = Promise.withResolvers<void>();
    const finished = Promise.withResolvers<void>();
    const codeIndex = {
      ...fakeIndex(),
      async update(...args: Parameters<ReturnType<typeof fakeIndex>['update']>) {
        indexing.resolve();
        await finished.promise;
        return await fakeIndex().update(...args);
      },
    };
    const { worker } = await world.startWorker({ deps: { codeIndex } });
    const { id } = await world.newIssue();
    await indexing.promise;
    const stopping = worker.stop({ graceMs: 10_000 });
    const late = await world.newIssue();
    finished.resolve();
    await stopping;
    expect((await world.story(id)).at(-1)).toBe('stage.completed index 1');
    expect(await world.get(id)).toMatchObject({ stage: 'triage' });
    expect((await world.story(late.id)).some((line) => line.startsWith('stage.'))).toBe(false);
  });
});
