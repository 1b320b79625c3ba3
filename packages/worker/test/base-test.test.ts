import { repoSettingsSchema } from '@sluice/core/repo';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeCommand, plainProject, tapTest, testOutput } from './fake-sandbox.ts';
import { writeByTool } from './scripted-agents.ts';
import { openWorld, type WorkerParts, type World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const missing: FakeCommand = () => ({ exitCode: 127, output: '> vitest run\n\nsh: 1: vitest: not found\n' });

/** A project of which `npm ci` installs the dependencies. */
const withDependencies: Pick<NonNullable<WorkerParts['deps']>, 'commands'> = {
  commands: {
    detect: async () => ({ setup: 'npm ci', test: 'npm test' }),
    ...plainProject,
    readTests: async () => testOutput([]),
  },
};

const settings = (changed: object) => ({ settings: repoSettingsSchema.parse(changed) });

describe('the tests at the base', () => {
  it('run before the plan, so that the approver sees which of them fail', async () => {
    const { sandbox } = await world.startWorker();
    const { id } = await world.newIssue();
    const { gate, pipeline } = await world.untilStatus(id, 'awaiting_approval');
    expect(pipeline.prepared?.base_test).toMatchObject({ exit_code: 1, failing: ['adds'] });
    expect(gate?.reasons).toContainEqual(
      expect.stringMatching(/^The tests fail at the base already, before any change: adds\. .* Named so far: adds\.$/),
    );
    await world.decide(id, { action: 'approve' });
    expect((await world.untilStatus(id, 'completed')).result?.tests).toMatchObject({ base_exit_code: 1 });
    expect(sandbox.runs).toHaveLength(2);
  });

  it('run after the approval where the repository wants that', async () => {
    const { sandbox } = await world.startWorker();
    const { id } = await world.newIssue(settings({ test_before_gate: false }));
    expect((await world.untilStatus(id, 'awaiting_approval')).pipeline.prepared?.base_test).toBeNull();
    expect(sandbox.runs).toEqual([]);
    await world.decide(id, { action: 'approve' });
    expect((await world.untilStatus(id, 'completed')).result?.tests).toMatchObject({ base_exit_code: 1 });
    expect((await world.story(id)).filter((line) => line.startsWith('command.finished'))).toEqual([
      'command.finished npm test 1',
      'command.finished npm test 0',
    ]);
  });

  it('are told apart in the log from those of the change, which are the same command', async () => {
    await world.startWorker();
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    await world.untilStatus(id, 'completed');
    const started = (await world.events(id)).filter(({ type }) => type === 'command.started').map(({ seq }) => seq);
    const log = await world.runs.log(id, { after: 0, limit: 10 });
    expect(started).toHaveLength(2);
    expect(log.map(({ command, runSeq }) => [command, runSeq])).toEqual(started.map((seq) => ['npm test', seq]));
  });

  it('name the limit that ended them', async () => {
    await world.startWorker({ commands: { 'npm test': () => ({ exitCode: null, endedBy: 'timeout' }) } });
    const { id } = await world.newIssue();
    const { gate } = await world.untilStatus(id, 'awaiting_approval');
    expect(gate?.reasons[0]).toContain(
      'fail at the base already, before any change, because the limit on timeout ended',
    );
    const text =
      'The tests ran at the base, before any change: they fail there, because the limit on timeout ended them.';
    expect(await world.events(id)).toContainEqual(expect.objectContaining({ data: { agent: 'service', text } }));
  });

  it('are not mentioned at the gate of a repository without tests, or with green ones', async () => {
    await world.startWorker({ commands: { 'npm test': () => ({ exitCode: 0 }) } });
    for (const testCommand of ['', null]) {
      const { id } = await world.newIssue({ testCommand });
      const { gate } = await world.untilStatus(id, 'awaiting_approval');
      expect(gate?.reasons).toEqual(['No code is written before a person has approved the plan.']);
    }
  });
});

describe('a test command that cannot run', () => {
  it('ends the issue before a plan is made, with the output and what helps', async () => {
    const { agents } = await world.startWorker({ commands: { 'npm test': missing }, deps: withDependencies });
    const { id } = await world.newIssue();
    const { error } = await world.untilStatus(id, 'failed');
    expect(error).toEqual({
      stage: 'prepare',
      detail: [
        'The test command `npm test` cannot run in the sandbox (exit code 127: sh: 1: vitest: not found). The dependencies were not installed: `npm ci` needs the network, which is off. Allow it with `--setup-network` (`settings.setup_network`), or name another command with `--setup` (`setup_command`). Another test command is set with `--test` (`test_command`; empty: no tests). Then retry (`--continue`).',
        '> vitest run',
        'sh: 1: vitest: not found',
      ].join('\n'),
    });
    expect(agents.inputs).toMatchObject({ triager: [], planner: [] });
    expect(world.logged).toContainEqual(
      expect.objectContaining({ fields: expect.objectContaining({ code: 'environment_failed' }) }),
    );
  });

  it('ends it before the coder works where the base is tested after the approval', async () => {
    const { agents } = await world.startWorker({ commands: { 'npm test': missing } });
    const { id } = await world.newIssue({ ...settings({ test_before_gate: false }), setupCommand: '' });
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    const { error } = await world.untilStatus(id, 'failed');
    expect(error).toMatchObject({ stage: 'implement', detail: expect.stringContaining('No setup command ran') });
    expect(agents.inputs.coder).toEqual([]);
  });

  it('is sent back to the coder once where it ran before the change', async () => {
    const { agents } = await world.startWorker({
      commands: { 'npm test': (run) => (run.files.has('package.json') ? missing(run) : tapTest(run)) },
      script: {
        coder: async (_, context) => {
          await writeByTool(context, { path: 'package.json', text: 'another runner' });
          return { outcome: 'done', summary: 'done', outsidePlan: [] };
        },
      },
    });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    const { error } = await world.untilStatus(id, 'failed');
    expect(agents.inputs.coder.map(({ feedback }) => feedback)).toEqual([
      null,
      expect.stringMatching(/^The test command ran before the change, and cannot run with it\./),
    ]);
    expect(error?.stage).toBe('test');
    expect(error?.detail).toMatch(/^The test command `npm test` cannot run .*not installed/);
  });
});
