import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeCommand, noFacts, tapTest, testOutput } from './fake-sandbox.ts';
import type { Script } from './scripted-agents.ts';
import { openWorld, type World } from './world.ts';

const PROPOSED = './check.sh --all';
const plan = {
  summary: 'Fix sum.',
  steps: [{ title: 'Fix', detail: 'Reduce.', files: ['src/sum.js'] }],
  acceptance_criteria: ['sum(1, 2, 3) is 6'],
  risks: [],
  test_strategy: 'Run the tests.',
};
const proposes =
  (test_command: string): Script['planner'] =>
  () => ({ ...plan, test_command });
const commands: Record<string, FakeCommand> = { [PROPOSED]: tapTest, 'npm test': tapTest };
/** A repository in which no test command is found. */
const deps = {
  commands: {
    detect: async () => ({ setup: null, test: null }),
    facts: noFacts,
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
