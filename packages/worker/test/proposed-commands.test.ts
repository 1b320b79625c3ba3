import { AppError } from '@sluice/core/error';
import { repoSettingsSchema } from '@sluice/core/repo';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeCommand, plainProject, tapTest, testOutput } from './fake-sandbox.ts';
import { PLAN, type Script, writeByTool } from './scripted-agents.ts';
import { openWorld, type World } from './world.ts';

const PROPOSED = './check.sh --all';
const proposes =
  (test_command: string): Script['planner'] =>
  () => ({ ...PLAN, test_command });
const SETUP = './install.sh';
const proposesSetup: Script['planner'] = () => ({ ...PLAN, setup_command: SETUP, test_command: PROPOSED });
const commands: Record<string, FakeCommand> = { [PROPOSED]: tapTest, 'npm test': tapTest, [SETUP]: () => ({}) };
/** A repository in which no test command is found. */
const deps = {
  commands: {
    detect: async () => ({ setup: null, test: null }),
    ...plainProject,
    readTests: async () => testOutput([]),
  },
};

describe('a test command that the planner proposes', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  it('is shown at the gate, tests base and change after the approval, and is kept by the repository', async () => {
    const { sandbox, agents } = await world.startWorker({
      script: { planner: proposes(` ${PROPOSED} `) },
      commands,
      deps,
    });
    const { id, repoId } = await world.newIssue();
    const { gate, plan: made } = await world.untilStatus(id, 'awaiting_approval');
    expect(made?.test_command).toBe(PROPOSED);
    expect(made?.risks.join()).not.toContain('No test command');
    expect(gate?.reasons).toContain(
      `No test command is known for this repository, and the planner proposes \`${PROPOSED}\`. Approving sets it (\`test_command\`) and tests the base and the change with it. To use another one, set it before you approve.`,
    );
    expect(sandbox.runs).toEqual([]);

    await world.decide(id, { action: 'approve' });
    const done = await world.untilStatus(id, 'completed');
    expect(done.result?.tests).toMatchObject({ command: PROPOSED, verdict: 'green', base_exit_code: 1 });
    expect(sandbox.runs.map(({ command }) => command)).toEqual([PROPOSED, PROPOSED]);
    expect(agents.inputs.coder[0]?.testCommand).toBe(PROPOSED);
    expect((await world.repos.get(repoId))?.testCommand).toBe(PROPOSED);
    const { items } = await world.audit.list(done.userId, { limit: 10, cursor: null });
    expect(items.map(({ act }) => act)).toContainEqual(
      expect.objectContaining({
        action: 'repo.changed',
        detail: expect.objectContaining({ fields: ['test_command'] }),
      }),
    );
  });

  it('that cannot run at the base, because the change creates what it starts, tests the change alone', async () => {
    const starts: FakeCommand = ({ files }) =>
      files.get('src/sum.js') === 'fixed'
        ? { exitCode: 0 }
        : { exitCode: 127, output: 'sh: 1: ./check.sh: not found\n' };
    await world.startWorker({ script: { planner: proposes(PROPOSED) }, commands: { [PROPOSED]: starts }, deps });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    const done = await world.untilStatus(id, 'completed');
    expect(done.result?.tests).toMatchObject({ command: PROPOSED, verdict: 'green', base_exit_code: null });
    expect(await world.said(id)).toContainEqual(
      expect.stringMatching(/proposes cannot run at the base, so only the change is tested with it\. .*not found/),
    );
  });

  it('gives way to the one that the owner has set meanwhile', async () => {
    const { sandbox } = await world.startWorker({ script: { planner: proposes(PROPOSED) }, commands, deps });
    const { id, repoId } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.repos.update(repoId, { testCommand: 'npm test' });
    await world.decide(id, { action: 'approve' });
    await world.untilStatus(id, 'completed');
    expect(sandbox.runs.map(({ command }) => command)).toEqual(['npm test', 'npm test']);
    expect((await world.repos.get(repoId))?.testCommand).toBe('npm test');
  });

  it('is used by a retry that begins at the tests, even if the repository has lost it', async () => {
    let runs = 0;
    const failing: FakeCommand = (run) => {
      runs += 1;
      if (runs === 2) throw new AppError('workspace_unsafe', { detail: 'It has a nested repository.' });
      return tapTest(run);
    };
    await world.startWorker({ script: { planner: proposes(PROPOSED) }, commands: { [PROPOSED]: failing }, deps });
    const { id, repoId } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    expect((await world.untilStatus(id, 'failed')).error?.stage).toBe('test');
    await world.repos.update(repoId, { testCommand: null });
    await world.retry(id);
    const done = await world.untilStatus(id, 'completed');
    expect(done.result?.tests).toMatchObject({ command: PROPOSED, verdict: 'green' });
    expect(done.pipeline.prepared?.test_source).toBe('settings');
  });

  it('set while the coder works waits for the next round, and costs none of the work', async () => {
    const coder: Script['coder'] = async (_, context) => {
      const isAgain = context.journal.entries.length > 0;
      await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
      if (!isAgain) {
        await world.repos.update(context.workspace.repoId, { testCommand: 'npm test' });
        throw new AppError('model_overloaded');
      }
      return { outcome: 'done', summary: 'sum is fixed', outsidePlan: [] };
    };
    await world.startWorker({ script: { planner: () => PLAN, coder }, commands, deps });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    const done = await world.untilStatus(id, 'completed');
    expect(done.result).toMatchObject({ files_changed: 1, tests: null });
  });

  it('is not set by guidance or a rejection', async () => {
    await world.startWorker({ script: { planner: proposes(PROPOSED) }, commands, deps });
    const { id, repoId } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'reject' });
    expect((await world.repos.get(repoId))?.testCommand).toBeNull();
  });

  it.each([
    ['several lines', 'make\nmake test'],
    ['hidden characters', 'make\u200B test'],
    ['a backtick, which would end its quotation', 'make `id`'],
    ['nothing', ' '],
    ['too much', `echo ${'x'.repeat(600)}`],
  ])('is left out when it is %s', async (_, command) => {
    await world.startWorker({ script: { planner: proposes(command) }, commands, deps });
    const { id } = await world.newIssue();
    const { gate, plan: made } = await world.untilStatus(id, 'awaiting_approval');
    expect(made).not.toHaveProperty('test_command');
    expect(made?.risks.join()).toContain('No test command is known');
    expect(gate?.reasons.join()).not.toContain('proposes');
  });

  it.each([
    ['one is known', {}, { commands: { ...deps.commands, detect: async () => ({ setup: null, test: 'npm test' }) } }],
    ['the owner wants no tests', { testCommand: '' }, deps],
  ])('is left out when %s', async (_, repo, found) => {
    await world.startWorker({ script: { planner: proposes(PROPOSED) }, commands, deps: found });
    const { id } = await world.newIssue(repo);
    expect((await world.untilStatus(id, 'awaiting_approval')).plan).not.toHaveProperty('test_command');
  });
});

describe('a setup command that the planner proposes', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  it.each([
    ['without network', false, []],
    ['with the network that the operator allows for it', true, ['registry.example.test']],
  ])(
    'is shown at the gate, runs after the approval %s, and is kept by the repository',
    async (how, setup_network, allowHosts) => {
      const { sandbox, agents } = await world.startWorker({ script: { planner: proposesSetup }, commands, deps });
      const settings = repoSettingsSchema.parse({ setup_network });
      const { id, repoId } = await world.newIssue({ settings });
      const { gate, plan: made } = await world.untilStatus(id, 'awaiting_approval');
      expect(made?.setup_command).toBe(SETUP);
      expect(gate?.reasons).toContain(
        `No setup command is known for this repository, and the planner proposes \`${SETUP}\`. Approving sets it (\`setup_command\`) and runs it in the sandbox, ${how}. To use another one, set it before you approve.`,
      );
      expect(sandbox.runs).toEqual([]);

      await world.decide(id, { action: 'approve' });
      await world.untilStatus(id, 'completed');
      expect(sandbox.runs).toEqual([
        { command: SETUP, allowHosts },
        { command: PROPOSED, allowHosts: [] },
        { command: PROPOSED, allowHosts: [] },
      ]);
      expect(agents.inputs.coder[0]?.environment).toContain(`Setup command (set by the owner): \`${SETUP}\` ran.`);
      expect(await world.repos.get(repoId)).toMatchObject({ setupCommand: SETUP, testCommand: PROPOSED });
    },
  );

  it('lets a base that failed without it be tested again', async () => {
    const { sandbox } = await world.startWorker({ script: { planner: proposesSetup }, commands, deps });
    const { id } = await world.newIssue({ testCommand: 'npm test' });
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    await world.untilStatus(id, 'completed');
    expect(sandbox.runs.map(({ command }) => command)).toEqual(['npm test', SETUP, 'npm test', 'npm test']);
  });

  it('ends the issue before anything is written when it fails, and a retry runs the one that is set then', async () => {
    const failing = { ...commands, [SETUP]: () => ({ exitCode: 3 }), './other.sh': () => ({}) };
    const { agents } = await world.startWorker({ script: { planner: proposesSetup }, commands: failing, deps });
    const { id, repoId } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    expect((await world.untilStatus(id, 'failed')).error?.detail).toContain(`\`${SETUP}\` ended with exit code 3`);
    expect(agents.inputs.coder).toEqual([]);
    await world.repos.update(repoId, { setupCommand: './other.sh' });
    await world.retry(id);
    expect((await world.untilStatus(id, 'completed')).result?.tests?.verdict).toBe('green');
  });

  it.each([
    ['one is known', {}, { setup: 'npm ci', test: null }],
    ['the owner wants none', { setupCommand: '' }, { setup: null, test: null }],
  ])('is left out when %s', async (_, repo, found) => {
    const detects = { commands: { ...deps.commands, detect: async () => found } };
    await world.startWorker({ script: { planner: proposesSetup }, commands, deps: detects });
    const { id } = await world.newIssue(repo);
    expect((await world.untilStatus(id, 'awaiting_approval')).plan).not.toHaveProperty('setup_command');
  });

  it('is left out when the tests pass at the base without it', async () => {
    const green = { ...commands, 'npm test': () => ({ output: 'ok 1 - adds\n' }) };
    await world.startWorker({ script: { planner: proposesSetup }, commands: green, deps });
    const { id } = await world.newIssue({ testCommand: 'npm test' });
    expect((await world.untilStatus(id, 'awaiting_approval')).plan).not.toHaveProperty('setup_command');
  });
});
