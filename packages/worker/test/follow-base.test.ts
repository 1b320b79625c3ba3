import type { CodeIndex } from '@sluice/core/code-search';
import type { IssueId } from '@sluice/core/id';
import { until } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BASE_COMMIT } from './fake-host.ts';
import type { FakeCommand } from './fake-sandbox.ts';
import { mortalLife } from './mortal.ts';
import { fakeIndex, openWorld, type World } from './world.ts';

const BASE_IS_RED = 'The tests ran at the base, before any change: they fail there.';

describe('a revised plan', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const setUp: Record<string, FakeCommand> = { 'npm ci': () => ({ exitCode: 0 }) };

  /** An index that records the bases to which it was updated. */
  function countedIndex(notes: readonly string[] = []): { codeIndex: CodeIndex; bases: string[] } {
    const bases: string[] = [];
    const index = fakeIndex();
    return {
      bases,
      codeIndex: {
        ...index,
        update: async (workspace, signal) => {
          bases.push(workspace.baseCommit);
          return { ...(await index.update(workspace, signal)), notes };
        },
      },
    };
  }

  async function waiting(): Promise<IssueId> {
    const { id } = await world.newIssue({ setupCommand: 'npm ci' });
    await world.untilStatus(id, 'awaiting_approval');
    return id;
  }

  async function instruct(id: IssueId): Promise<void> {
    await world.decide(id, { action: 'instruct', guidance: 'Smaller.' });
    await until('the second plan is open', async () => (await world.get(id)).gate?.revision === 2);
    await world.untilStatus(id, 'awaiting_approval');
  }

  it('is based on the current commit, in a tree that is set up and indexed again', async () => {
    const { codeIndex, bases } = countedIndex(['Meaning is not searched.']);
    const { agents, sandbox } = await world.startWorker({ commands: setUp, deps: { codeIndex } });
    const id = await waiting();
    const tip = world.host.moveBase({ 'src/sum.js': 'broken in another way', 'new.js': 'new' });
    await expect(world.decide(id, { action: 'approve' })).rejects.toMatchObject({ code: 'plan_stale' });
    await instruct(id);
    expect(agents.inputs.planner.map(({ baseMoved }) => baseMoved)).toEqual([null, ['new.js', 'src/sum.js']]);
    expect(await world.get(id)).toMatchObject({
      gate: { revision: 2, base_commit: tip },
      pipeline: { prepared: { base_commit: tip }, planning: { base_moved: null } },
    });
    expect(Object.fromEntries(world.host.trees.get(id) ?? [])).toEqual({
      'src/sum.js': 'broken in another way',
      'new.js': 'new',
    });
    expect(bases).toEqual([BASE_COMMIT, tip]);
    expect(await world.said(id)).toEqual([
      BASE_IS_RED,
      'Meaning is not searched.',
      `\`main\` has moved since the last plan, in 2 files. The next plan is based on its commit ${tip.slice(0, 12)}.`,
      'The working tree had to be prepared again.',
      BASE_IS_RED,
      'Meaning is not searched.',
    ]);
    await world.decide(id, { action: 'approve' });
    const { result } = await world.untilStatus(id, 'completed');
    expect(result).toMatchObject({ base_commit: tip, files_changed: 1 });
    expect(sandbox.runs.map(({ command }) => command)).toEqual([
      'npm ci',
      'npm test',
      'npm ci',
      'npm test',
      'npm test',
    ]);
  });

  it('stays on its base without a note when the branch has not moved', async () => {
    const { codeIndex, bases } = countedIndex();
    const { agents, sandbox } = await world.startWorker({ commands: setUp, deps: { codeIndex } });
    const id = await waiting();
    await instruct(id);
    expect(agents.inputs.planner[1]?.baseMoved).toBeNull();
    expect(bases).toEqual([BASE_COMMIT, BASE_COMMIT]); // the index may have been lost meanwhile
    expect(sandbox.runs.map(({ command }) => command)).toEqual(['npm ci', 'npm test']);
    expect(await world.said(id)).toEqual([BASE_IS_RED]);
  });

  it('is based on the old commit, with a note, when the remote cannot be reached', async () => {
    await world.startWorker({ commands: setUp });
    const id = await waiting();
    world.host.moveBase({ 'new.js': 'new' });
    world.host.isRemoteAway = true;
    await instruct(id);
    expect((await world.get(id)).gate?.base_commit).toBe(BASE_COMMIT);
    expect(await world.said(id)).toEqual([
      BASE_IS_RED,
      'Could not check whether `main` has moved: The repository could not be reached. The plan is based on the commit that the issue has.',
    ]);
  });

  it('follows its base however often, and the planner hears of each move once', async () => {
    const { agents } = await world.startWorker({ commands: setUp });
    const id = await waiting();
    world.host.moveBase({ 'a.js': '1' });
    await instruct(id);
    world.host.moveBase({ 'b.js': '1' });
    await world.decide(id, { action: 'instruct', guidance: 'Smaller still.' });
    await until('the third plan is open', async () => (await world.get(id)).gate?.revision === 3);
    expect(agents.inputs.planner.map(({ baseMoved }) => baseMoved)).toEqual([null, ['a.js'], ['b.js']]);
  });

  /** Dies after the `lastWrite`th write since the guidance. False when the plan was made before. */
  async function diesWhileFollowing(lastWrite: number): Promise<boolean> {
    await using world = await openWorld();
    const before = await world.startWorker({ commands: setUp });
    const { id } = await world.newIssue({ setupCommand: 'npm ci' });
    await world.untilStatus(id, 'awaiting_approval');
    await before.worker.stop({ graceMs: 0 });
    before.unplug();
    const tip = world.host.moveBase({ 'new.js': 'new' });
    await world.decide(id, { action: 'instruct', guidance: 'Smaller.' });

    const life = mortalLife(lastWrite);
    const { codeIndex, bases } = countedIndex();
    const parts = world.makeWorker({ commands: setUp });
    const dying = await world.startWorker({
      deps: {
        issues: life.wrap('issues', world.issues),
        runs: life.wrap('runs', world.runs),
        repos: life.wrap('repos', world.repos),
        workspaces: life.wrap('workspaces', world.host.workspaces),
        sandbox: life.wrap('sandbox', parts.sandbox),
        codeIndex,
      },
    });
    await until('it died or has planned', async () => {
      const { gate, status } = await world.get(id);
      return life.dead || (gate?.revision === 2 && status === 'awaiting_approval');
    });
    const hasDied = life.dead;
    dying.abandon(); // it may still die at the release, after its gate opened
    if (!hasDied) return false;
    await world.runs.expireLeases();
    const next = await world.startWorker({ commands: setUp, deps: { codeIndex } });
    await world.untilStatus(id, 'awaiting_approval');
    const where = `death after write ${lastWrite}, ${life.writes.at(-1)}`;
    const issue = await world.get(id);
    expect(issue, where).toMatchObject({ plan: { revision: 2 }, gate: { base_commit: tip } });
    expect(issue.usage, where).toMatchObject({ input_tokens: 30 });
    expect(bases, where).toContain(tip);
    expect(parts.sandbox.runs.length + next.sandbox.runs.length, where).toBeGreaterThan(0);
    const moved = (await world.said(id)).filter((text) => text.includes('has moved since'));
    expect(moved, where).toHaveLength(1);
    const heard = [...dying.agents.inputs.planner, ...next.agents.inputs.planner].map(({ baseMoved }) => baseMoved);
    for (const files of heard) expect(files, where).toEqual(['new.js']);
    await world.decide(id, { action: 'approve' });
    const { result } = await world.untilStatus(id, 'completed');
    expect(result, where).toMatchObject({ base_commit: tip, files_changed: 1 });
    return true;
  }

  it('follows its base whichever write its worker died after', async () => {
    let deaths = 0;
    while (await diesWhileFollowing(deaths + 1)) deaths += 1;
    expect(deaths).toBeGreaterThan(10);
  });
});
