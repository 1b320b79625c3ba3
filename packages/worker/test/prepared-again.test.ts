import { AppError } from '@sluice/core/error';
import type { IssueId } from '@sluice/core/id';
import { repoSettingsSchema } from '@sluice/core/repo';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FakeCommand, plainProject, tapTest, testOutput } from './fake-sandbox.ts';
import { answer, writeByTool } from './scripted-agents.ts';
import { openWorld, type WorkerParts, type World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const installed: FakeCommand = ({ files }) => {
  // What git ignores outlives a reset of the tree; this tree knows no ignored files.
  installedIn.add(files);
  return {};
};
const installedIn = new Set<Map<string, string>>();

/** A project whose tests need what `npm ci` installs. */
const project: WorkerParts = {
  deps: {
    commands: {
      detect: async () => ({ setup: 'npm ci', test: 'npm test' }),
      ...plainProject,
      readTests: async (output) => testOutput(output.includes('not ok') ? ['adds'] : []),
    },
  },
  commands: {
    'npm ci': installed,
    'npm test': (run) =>
      installedIn.has(run.files) ? tapTest(run) : { exitCode: 127, output: 'sh: 1: vitest: not found\n' },
  },
};

const allowNetwork = async (repoId: Parameters<World['repos']['update']>[0]) =>
  world.repos.update(repoId, { settings: repoSettingsSchema.parse({ setup_network: true }) });

async function approve(id: IssueId): Promise<void> {
  await world.untilStatus(id, 'awaiting_approval');
  await world.decide(id, { action: 'approve' });
}

const published = () => [...world.host.remote.values()].map(({ files }) => Object.fromEntries(files));

it('runs the setup and the tests of an issue whose environment failed, when the network was allowed', async () => {
  const { sandbox } = await world.startWorker(project);
  const { id, repoId } = await world.newIssue();
  expect((await world.untilStatus(id, 'failed')).error?.stage).toBe('prepare');
  await allowNetwork(repoId);
  expect(await world.retry(id)).toMatchObject({ stage: 'prepare' });
  await approve(id);
  expect((await world.untilStatus(id, 'completed')).result?.tests).toMatchObject({
    verdict: 'green',
    base_exit_code: 1,
  });
  expect(sandbox.runs.map(({ command }) => command)).toEqual(['npm test', 'npm ci', 'npm test', 'npm test']);
});

it('keeps the plan and its approval, and continues at the stage that failed', async () => {
  const { agents } = await world.startWorker(project);
  const { id, repoId } = await world.newIssue({ settings: repoSettingsSchema.parse({ test_before_gate: false }) });
  await approve(id);
  const failed = await world.untilStatus(id, 'failed');
  expect(failed.error?.stage).toBe('implement');
  await allowNetwork(repoId);
  expect(await world.retry(id)).toMatchObject({ stage: 'prepare', pipeline: { resume_at: 'implement' } });
  const done = await world.untilStatus(id, 'completed');
  expect(done).toMatchObject({
    plan: { revision: 1 },
    pipeline: { resume_at: null, approved: failed.pipeline.approved, prepared: { setup_command: 'npm ci' } },
    result: { tests: { base_exit_code: 1 } },
  });
  expect([agents.inputs.planner.length, agents.inputs.coder.length]).toEqual([1, 1]);
  expect(await world.said(id)).toContain(
    'The issue is prepared again, on the same base, and continues at `implement`.',
  );
  expect(published()).toEqual([{ 'src/sum.js': 'fixed' }]);
});

it.each([
  ['its tree', () => undefined],
  ['a new tree', (id: string) => world.host.lose(id)],
])('puts the unfinished work back into %s, and pays for no answer twice', async (_, leave) => {
  const asked: string[] = [];
  let isRefused = true;
  const setUp: (string | undefined)[] = [];
  const { agents } = await world.startWorker({
    commands: {
      './deps': ({ files }) => {
        setUp.push(files.get('src/sum.js'));
        return {};
      },
      './check': tapTest,
    },
    script: {
      coder: async (_input, context) => {
        await answer(context, 'one', { asked });
        await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
        if (isRefused) throw new AppError('model_key_refused');
        return { outcome: 'done', summary: 'done', outsidePlan: [] };
      },
    },
  });
  const { id, repoId } = await world.newIssue();
  await approve(id);
  await world.untilStatus(id, 'failed');
  isRefused = false;
  leave(id);
  await world.repos.update(repoId, { setupCommand: './deps', testCommand: './check' });
  expect(await world.retry(id)).toMatchObject({ stage: 'prepare' });
  const done = await world.untilStatus(id, 'completed');
  expect(setUp).toEqual(['broken']); // on the base, without the work
  expect(asked).toEqual(['one']);
  expect(agents.inputs.coder.map(({ round }) => round)).toEqual([1, 1]);
  expect(done.result?.tests).toMatchObject({ command: './check', verdict: 'green', base_exit_code: 1 });
  expect(published()).toEqual([{ 'src/sum.js': 'fixed' }]);
});

it.each([true, false])(
  'runs the command that is set now on the commit that failed, without asking the coder (test_before_gate: %s)',
  async (test_before_gate) => {
    const { agents } = await world.startWorker({
      // A failure without a name is never one that failed before.
      commands: { 'npm test': () => ({ exitCode: 1 }), './check': tapTest },
      options: { bounds: { testSendBacks: 0, reviewSendBacks: 0 } },
    });
    const { id, repoId } = await world.newIssue({ settings: repoSettingsSchema.parse({ test_before_gate }) });
    await approve(id);
    expect((await world.untilStatus(id, 'failed')).error?.stage).toBe('test');
    await world.repos.update(repoId, { testCommand: './check' });
    expect(await world.retry(id)).toMatchObject({ stage: 'prepare', pipeline: { resume_at: 'test' } });
    const done = await world.untilStatus(id, 'completed');
    expect(agents.inputs.coder).toHaveLength(1);
    expect(done.result?.tests).toMatchObject({ command: './check', verdict: 'green', base_exit_code: 1 });
  },
);

it('stays at `prepare` until it succeeds, and continues then where it was', async () => {
  await world.startWorker({ commands: { './broken': () => ({ exitCode: 1 }), './deps': () => ({}) }, script: {} });
  const { id, repoId } = await world.newIssue({ testCommand: './missing', ...beforeGateOff });
  await approve(id);
  await world.untilStatus(id, 'failed');
  await world.repos.update(repoId, { setupCommand: './broken', testCommand: 'npm test' });
  await world.retry(id);
  const broken = await world.untilStatus(id, 'failed');
  expect(broken).toMatchObject({ error: { stage: 'prepare' }, pipeline: { resume_at: 'implement' } });
  await world.repos.update(repoId, { setupCommand: './deps' });
  await world.retry(id);
  expect(await world.untilStatus(id, 'completed')).toMatchObject({ plan: { revision: 1 } });
});

const beforeGateOff = { settings: repoSettingsSchema.parse({ test_before_gate: false }) };
