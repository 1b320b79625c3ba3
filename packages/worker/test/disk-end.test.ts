import { AppError } from '@sluice/core/error';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WorkerDeps } from '../src/execution/worker-deps.ts';
import { type FakeCommand, tapTest, untilAborted } from './fake-sandbox.ts';
import { openWorld, type World } from './world.ts';

describe('a command that fills the disk', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const filling: FakeCommand = ({ onOutput }) => {
    onOutput?.('stdout', 'filling\n');
    throw new AppError('disk_limit', { detail: 'The command filled the disk.' });
  };

  /** Writes and removals, in order. */
  function orderOfWrites(): { order: string[]; deps: Partial<WorkerDeps> } {
    const order: string[] = [];
    const { runs } = world;
    return {
      order,
      deps: {
        workspaces: {
          ...world.host.workspaces,
          reclaim: async (issueId) => {
            order.push('tree removed');
            await world.host.workspaces.reclaim(issueId);
          },
        },
        runs: {
          ...runs,
          appendLog: (...write) => {
            order.push('log written');
            return runs.appendLog(...write);
          },
          record: (lease, events) => {
            order.push(...events.map(({ type }) => type));
            return runs.record(lease, events);
          },
        },
      },
    };
  }

  it('loses its tree before anything is written of its end, and fails its issue with the reason', async () => {
    const { order, deps } = orderOfWrites();
    await world.startWorker({ deps, commands: { fill: filling } });
    const { id } = await world.newIssue({ setupCommand: 'fill' });
    const issue = await world.untilStatus(id, 'failed');
    expect(order).toEqual(['command.started', 'tree removed', 'log written', 'command.finished']);
    expect(issue.error).toEqual({ stage: 'prepare', detail: 'The command filled the disk.' });
    const [finished] = (await world.events(id)).filter(({ type }) => type === 'command.finished');
    expect(finished?.data).toMatchObject({ exit_code: null, text: 'The command filled the disk.' });
  });

  it('can be retried in a new tree', async () => {
    let fills = true;
    const command: FakeCommand = (run) => (fills ? filling(run) : { exitCode: 0 });
    await world.startWorker({ commands: { fill: command } });
    const { id } = await world.newIssue({ setupCommand: 'fill' });
    await world.untilStatus(id, 'failed');
    expect(world.host.trees.has(id)).toBe(false);
    fills = false;
    await world.retry(id);
    await world.untilStatus(id, 'awaiting_approval');
    expect(Object.fromEntries(world.host.trees.get(id) ?? [])).toEqual({ 'src/sum.js': 'broken' });
  });

  it('caused by another issue only delays this one, and its work continues', async () => {
    let runs = 0;
    const command: FakeCommand = (run) => {
      runs += 1;
      // The first run is the base's, the second one the change's.
      if (runs === 2) throw new AppError('disk_full', { retryAfterMs: 5 });
      return tapTest(run);
    };
    await world.startWorker({ commands: { 'npm test': command } });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    await world.untilStatus(id, 'completed');
    expect([...world.host.remote.values()].map(({ files }) => Object.fromEntries(files))).toEqual([
      { 'src/sum.js': 'fixed' },
    ]);
    expect((await world.story(id)).filter((line) => /stage\.\w+ test/.test(line))).toEqual([
      'stage.started test 1',
      'stage.failed test 1 will retry',
      'stage.started test 2',
      'stage.completed test 2',
    ]);
  });

  it('loses its tree also when it was cancelled, if the disk is nearly full then', async () => {
    const { deps, order } = orderOfWrites();
    const running = Promise.withResolvers<void>();
    const hanging: FakeCommand = ({ signal }) => {
      world.host.isSpaceLow = true;
      running.resolve();
      return untilAborted(signal);
    };
    const { worker } = await world.startWorker({ deps, commands: { fill: hanging } });
    const { id } = await world.newIssue({ setupCommand: 'fill' });
    await running.promise;
    await worker.stop({ graceMs: 0 });
    expect(order).toEqual(['command.started', 'tree removed']);
    expect(world.host.trees.has(id)).toBe(false);
  });
});
