import type { IssueId } from '@sluice/core/id';
import { repoSettingsSchema } from '@sluice/core/repo';
import type { ProjectCommands } from '@sluice/core/workspace';
import { until } from '@sluice/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FakeCommand, plainProject, testOutput, untilAborted } from './fake-sandbox.ts';
import { openWorld, type WorkerParts, type World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const OLD = testOutput(['old']);
const allowsRedBase = { settings: repoSettingsSchema.parse({ allow_red_base: true }) };

/** Fails before and after the change, with the same test. The output says which of the two it is. */
const alwaysRed: FakeCommand = ({ files }) => ({
  exitCode: 1,
  output: files.get('src/sum.js') === 'fixed' ? 'head\nnot ok 1 - old\n' : 'base\nnot ok 1 - old\n',
});

/** A worker that reads outputs starting with `of` as the test defines, and others correctly. */
function reading(of: 'base' | 'head', read: ProjectCommands['readTests']): WorkerParts {
  return {
    commands: { 'npm test': alwaysRed },
    options: { bounds: { testSendBacks: 0, reviewSendBacks: 0 } },
    deps: {
      commands: {
        detect: async () => ({ setup: null, test: 'npm test' }),
        ...plainProject,
        readTests: async (output, signal) => (output.startsWith(of) ? read(output, signal) : OLD),
      },
    },
  };
}

/** A worker that dies while reading: its calls never return, and its lease ends. */
async function dieWhileReading(of: 'base' | 'head', id: IssueId): Promise<void> {
  const begun = Promise.withResolvers<void>();
  const parts = reading(of, () => {
    begun.resolve();
    return new Promise(() => undefined);
  });
  const { abandon } = await world.startWorker(parts);
  if (of === 'head') await approved(id); // the base is read before the gate
  await begun.promise;
  abandon();
  await world.runs.expireLeases();
}

async function approved(id: IssueId): Promise<void> {
  if ((await world.get(id)).pipeline.approved != null) return;
  await world.untilStatus(id, 'awaiting_approval');
  await world.decide(id, { action: 'approve' });
}

const readings = (id: IssueId, round: number) => world.runs.journal(id, { stage: 'test', round });

it('lets the exit code alone judge the change when two processes died while they read its output', async () => {
  const { id } = await world.newIssue(allowsRedBase);
  await dieWhileReading('head', id);
  await dieWhileReading('head', id);
  let reads = 0;
  await world.startWorker(
    reading('head', async () => {
      reads += 1;
      return OLD;
    }),
  );
  const failed = await world.untilStatus(id, 'failed');
  expect(reads).toBe(0);
  expect(failed.pipeline.implementation?.tests).toMatchObject({ verdict: 'red', exit_code: 1 });
  expect(failed.error?.detail).toContain(
    'The failing tests are unknown, because the service died twice while it read their output: only the exit code counts.',
  );
  expect(await readings(id, 1)).toEqual([{ kind: 'reading_begun' }, { kind: 'reading_begun' }]);
});

it('continues this issue and others when two processes died while reading the output of the base', async () => {
  const { id } = await world.newIssue(allowsRedBase);
  await dieWhileReading('base', id);
  await dieWhileReading('base', id);
  await world.startWorker(reading('base', async () => OLD));
  const other = await world.newIssue(allowsRedBase);
  await approved(id);
  const failed = await world.untilStatus(id, 'failed');
  expect(failed.pipeline.prepared?.base_test).toMatchObject({ exit_code: 1, failing: [], unread: 'process_died' });
  expect(failed.pipeline.implementation?.tests?.verdict).toBe('red'); // what fails at the head may be new
  expect((await world.said(id)).join('\n')).toContain('the service died twice while it read their output');
  await approved(other.id);
  await world.untilStatus(other.id, 'completed');
});

it('reads the output again after one death', async () => {
  const { id } = await world.newIssue(allowsRedBase);
  await dieWhileReading('head', id);
  await world.startWorker(reading('head', async () => OLD));
  const done = await world.untilStatus(id, 'completed');
  expect(done.result?.tests?.verdict).toBe('red_as_before');
});

it.each<[string, ProjectCommands['readTests'], object]>([
  [
    'that a stop of the service has interrupted',
    (_, signal) => untilAborted(signal),
    { kind: 'reading_ended', outcome: 'interrupted' },
  ],
  [
    'that ended just as the service was told to stop',
    (_, signal) => untilAborted(signal).catch(() => OLD),
    { kind: 'reading_ended', outcome: 'read' },
  ],
])('does not count a reading %s', async (_what, read, end) => {
  const { id } = await world.newIssue(allowsRedBase);
  for (let stops = 0; stops < 3; stops += 1) {
    const begun = Promise.withResolvers<void>();
    const parts = reading('head', (output, signal) => {
      begun.resolve();
      return read(output, signal);
    });
    const { worker, abandon } = await world.startWorker(parts);
    await approved(id);
    await begun.promise;
    await worker.stop({ graceMs: 0 });
    abandon();
  }
  await world.startWorker(reading('head', async () => OLD));
  const done = await world.untilStatus(id, 'completed');
  expect(done.result?.tests?.verdict).toBe('red_as_before');
  const begun = { kind: 'reading_begun' };
  const last = [begun, { kind: 'reading_ended', outcome: 'read' }];
  expect(await readings(id, 1)).toEqual([begun, end, begun, end, begun, end, ...last]);
});

it.each(['base', 'head'] as const)('never passes red where the output of the %s could not be read', async (of) => {
  let reads = 0;
  await world.startWorker(
    reading(of, async () => {
      reads += 1;
      return null;
    }),
  );
  const { id } = await world.newIssue(allowsRedBase);
  await approved(id);
  const failed = await world.untilStatus(id, 'failed');
  expect(failed.pipeline.implementation?.tests?.verdict).toBe('red');
  expect([failed.error?.detail, ...(await world.said(id))].join('\n')).toContain(
    'reading their output took too much time or memory',
  );
  expect(reads).toBe(1);
});

it('does not begin again a reading that was given up, where the process died after it', async () => {
  const { id } = await world.newIssue(allowsRedBase);
  const givenUp = Promise.withResolvers<void>();
  const { abandon } = await world.startWorker({
    ...reading('head', async () => null),
    deps: {
      ...reading('head', async () => null).deps,
      issues: {
        ...world.issues,
        apply: (change) => {
          if (change.set?.pipeline?.implementation?.tests == null) return world.issues.apply(change);
          givenUp.resolve();
          return new Promise(() => undefined);
        },
      },
    },
  });
  await approved(id);
  await givenUp.promise;
  abandon();
  await world.runs.expireLeases();
  await world.startWorker(reading('head', async () => OLD));
  const failed = await world.untilStatus(id, 'failed');
  expect(failed.error?.detail).toContain('reading their output took too much time or memory');
});

it('mentions in the feedback to the coder that the output was not read', async () => {
  const { agents } = await world.startWorker({
    ...reading('head', async () => null),
    options: { bounds: { testSendBacks: 1, reviewSendBacks: 0 } },
  });
  const { id } = await world.newIssue(allowsRedBase);
  await approved(id);
  await until('the coder was asked again', () => agents.inputs.coder.length === 2);
  expect(agents.inputs.coder[1]?.feedback).toContain('The failing tests are unknown');
});
