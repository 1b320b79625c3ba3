import { AppError } from '@sluice/core/error';
import type { Decision, Issue } from '@sluice/core/issue';
import { until } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeHost } from './fake-host.ts';
import type { FakeCommand } from './fake-sandbox.ts';
import { openStores } from './open-stores.ts';
import { type Script, writeByTool } from './scripted-agents.ts';
import { openWorld, tapCommands, type World } from './world.ts';

const WORKFLOW = '.github/workflows/ci.yml';

/** A coder that adds another workflow in each round until guidance forbids it. */
const addsWorkflow: Script['coder'] = async ({ round, feedback }, context) => {
  await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
  if (feedback?.includes('Leave the workflow')) await context.workspace.files.remove(WORKFLOW);
  else await writeByTool(context, { path: WORKFLOW, text: `on: push # ${round}` });
  return { outcome: 'done', summary: 'sum is fixed', outsidePlan: [] };
};

/** An approval of the commit that waits. */
const confirmed = ({ gate }: Issue): Decision => ({ action: 'approve', headCommit: gate?.head_commit ?? '' });

describe('a change with a file that runs with secrets', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const toPublishGate = async (options: { gateTimeoutMs?: number; maintenanceMs?: number } = {}) => {
    const started = await world.startWorker({ script: { coder: addsWorkflow }, options });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    return { ...started, issue: await atGate(id, 'publish') };
  };
  const atGate = async (id: Parameters<World['get']>[0], kind: string, notHead?: string | null) => {
    await until(`the ${kind} gate is open`, async () => {
      const { status, gate } = await world.get(id);
      return status === 'awaiting_approval' && gate?.kind === kind && gate.head_commit !== notHead;
    });
    return world.get(id);
  };

  it('is not pushed before a person is asked, with each file and the deadline', async () => {
    const { issue } = await toPublishGate();
    expect(world.host.remote.size).toBe(0);
    expect(issue).toMatchObject({
      stage: 'publish',
      gate: {
        kind: 'publish',
        revision: 1,
        head_commit: issue.pipeline.implementation?.head_commit,
        expires_at: expect.any(String),
        reasons: [
          `\`${WORKFLOW}\` is a workflow: it runs with the secrets of the repository.`,
          `The change: 2 files, +2 −1: ${WORKFLOW}, src/sum.js.`,
          'The tests pass.',
          'A test that fails without the change: yes. Failed at the base and pass now: adds.',
          'The reviewer approved it: Fine.',
        ],
      },
    });
    expect((await world.story(issue.id)).slice(-3)).toEqual([
      'stage.completed publish 1',
      'review.requested',
      'running -> awaiting_approval',
    ]);
    // No worker holds it: any may execute it as soon as it is decided.
    await until('the worker has let go', async () => (await world.runs.claimable(10)).length === 0);
  });

  it('is published when that very commit is approved, and the word is written down with its files', async () => {
    const { issue } = await toPublishGate();
    const head = issue.gate?.head_commit ?? '';
    await world.decide(issue.id, { action: 'approve', revision: 1, headCommit: head });
    const done = await world.untilStatus(issue.id, 'completed');
    expect(done.result?.head_commit).toBe(head);
    expect(done.pipeline.publication?.confirmed).toEqual({ head_commit: head, files: [WORKFLOW] });
    expect([...world.host.remote.values()].map((branch) => branch.head)).toEqual([head]);
    expect((await world.story(issue.id)).filter((line) => line === 'review.decided')).toHaveLength(2);
  });

  it('frees its slot at either gate where gates do so, and is published once it has one again', async () => {
    await using freeing = await openWorld({
      cap: 1,
      open: (options) => openStores({ ...options, gateKeepsSlot: false }),
    });
    await freeing.startWorker({ script: { coder: addsWorkflow } });
    const [asked, other] = [await freeing.newIssue(), await freeing.newIssue()];
    for (const { id } of [asked, other]) await freeing.untilStatus(id, 'awaiting_approval');
    await freeing.decide(asked.id, { action: 'approve', revision: 1 });
    await until('the publish gate is open', async () => (await freeing.get(asked.id)).gate?.kind === 'publish');
    const { holdsSlot } = await freeing.get(asked.id);
    expect(holdsSlot).toBe(false);
    await freeing.decide(asked.id, confirmed(await freeing.get(asked.id)));
    const { result } = await freeing.untilStatus(asked.id, 'completed');
    expect([...freeing.host.remote.values()].map(({ head }) => head)).toEqual([result?.head_commit]);
    expect((await freeing.story(asked.id)).filter((line) => line.includes('->')).slice(-4)).toEqual([
      'running -> awaiting_approval',
      'awaiting_approval -> pending',
      'pending -> running',
      'running -> completed',
    ]);
  });

  it('is not published by the approval of its plan, sent once more', async () => {
    const { issue } = await toPublishGate();
    await expect(world.decide(issue.id, { action: 'approve', revision: 1 })).rejects.toMatchObject({
      code: 'issue_not_awaiting_publication',
      details: { body: { head_commit: issue.gate?.head_commit } },
    });
    expect((await world.get(issue.id)).gate).toEqual(issue.gate);
    expect(world.host.remote.size).toBe(0);
  });

  it('ends in `rejected`, with nothing pushed, when the person rejects it', async () => {
    const { issue } = await toPublishGate();
    const rejected = await world.decide(issue.id, { action: 'reject' });
    expect(rejected).toMatchObject({ status: 'rejected', gate: null });
    expect(world.host.remote.size).toBe(0);
  });

  it('returns to the coder with the guidance, on the same commit, and is tested and reviewed again', async () => {
    const { issue, agents, sandbox } = await toPublishGate();
    const ran = sandbox.runs.length;
    await world.decide(issue.id, { action: 'instruct', guidance: 'Leave the workflow as it was.' });
    const done = await world.untilStatus(issue.id, 'completed');
    expect(agents.inputs.coder.map(({ round }) => round)).toEqual([1, 2]);
    expect(agents.inputs.coder[1]?.feedback).toContain('Leave the workflow as it was.');
    expect(agents.inputs.planner).toHaveLength(1);
    expect(agents.inputs.reviewer).toHaveLength(2);
    expect(sandbox.runs.length).toBe(ran + 1);
    expect([...world.host.remote.values()].map(({ files }) => [...files.keys()])).toEqual([['src/sum.js']]);
    expect(done.pipeline.publication?.confirmed).toBeNull();
  });

  it('asks again for another commit: a word for the one before does not hold for it', async () => {
    const { issue } = await toPublishGate();
    const seen = issue.gate?.head_commit ?? '';
    await world.decide(issue.id, { action: 'instruct', guidance: 'Say more in it.' });
    const again = await atGate(issue.id, 'publish', seen);
    expect(again.gate?.head_commit).not.toBe(seen);
    await expect(world.decide(issue.id, { action: 'approve', headCommit: seen })).rejects.toMatchObject({
      code: 'issue_not_awaiting_publication',
    });
    expect(world.host.remote.size).toBe(0);
    await world.decide(issue.id, { action: 'approve', headCommit: again.gate?.head_commit ?? '' });
    expect((await world.untilStatus(issue.id, 'completed')).result?.head_commit).toBe(again.gate?.head_commit);
  });

  it('does not take a word that was read before another gate of the same plan opened', async () => {
    const { issue } = await toPublishGate();
    const seen = await world.get(issue.id);
    await world.decide(issue.id, { action: 'instruct', guidance: 'Say more in it.' });
    const again = await atGate(issue.id, 'publish', seen.gate?.head_commit);
    // Like a request that was authorized at the first gate and writes at the second.
    await expect(world.decideAsSeen(seen, confirmed(seen))).rejects.toMatchObject({
      code: 'issue_not_awaiting_publication',
    });
    expect((await world.get(again.id)).gate).toEqual(again.gate);
  });

  it('lets one of several decisions at once take effect', async () => {
    const { issue } = await toPublishGate();
    const decisions = await Promise.allSettled([
      world.decide(issue.id, confirmed(issue)),
      world.decide(issue.id, confirmed(issue)),
      world.decide(issue.id, { action: 'reject' }),
      world.decide(issue.id, { action: 'instruct', guidance: 'Leave the workflow.' }),
    ]);
    expect(decisions.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of decisions) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(AppError);
    await until('it has ended', async () => ['completed', 'rejected'].includes((await world.get(issue.id)).status));
    expect((await world.story(issue.id)).filter((line) => line === 'review.decided')).toHaveLength(2);
  });

  it('is cancelled when the gate expires, with the reason', async () => {
    await world.startWorker({
      script: { coder: addsWorkflow },
      options: { gateTimeoutMs: 6_000, maintenanceMs: 10 },
    });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    const cancelled = await world.untilStatus(id, 'cancelled');
    expect(cancelled.error).toMatchObject({ stage: 'publish' });
    expect(cancelled.error?.detail).toMatch(/^The publish gate expired at /);
    expect(world.host.remote.size).toBe(0);
  });

  it('does not depend on the base branch: the planned work is done', async () => {
    const { issue } = await toPublishGate();
    world.host.moveBase({ 'src/sum.js': 'moved' });
    world.host.isRemoteAway = true;
    await world.decide(issue.id, confirmed(issue));
    await world.untilStatus(issue.id, 'completed');
  });
});

describe('a change with which fewer tests run', () => {
  /** Counts a test for each line that begins with `it(`, except where the program ends the process. */
  const runner: FakeCommand = ({ files }) => {
    const tests = [...(files.get('test/sum.test.js') ?? '').matchAll(/^it\('(.*)', /gm)].map(([, name]) => name);
    const ran = files.get('src/sum.js')?.includes('process.exit') ? tests.slice(0, 1) : tests;
    return { exitCode: 0, output: ran.map((name) => `ok 1 - ${name}\n`).join('') };
  };
  const commands = {
    ...tapCommands,
    readTests: async (output: string) => {
      const passing = [...output.matchAll(/^ok 1 - (.*)$/gm)].map(([, name]) => name ?? '');
      return { failing: [], passing, counts: { passed: passing.length, failed: 0, skipped: 0 } };
    },
  };
  const test = (name: string, sum: string) => `it('${name}', () => assert.equal(sum(${sum}), 3));\n`;
  const ADDS = test('adds', '1, 2');
  const TESTS = `${ADDS}${test('adds more', '1, 1, 1')}`;
  const changing =
    (sum: string, tests = TESTS): Script['coder'] =>
    async (_, context) => {
      await writeByTool(context, { path: 'src/sum.js', text: sum });
      if (tests !== TESTS) await writeByTool(context, { path: 'test/sum.test.js', text: tests });
      return { outcome: 'done', summary: 'done', outsidePlan: [] };
    };
  const started = async (world: World, coder: Script['coder']) => {
    await world.startWorker({ script: { coder }, commands: { 'npm test': runner }, deps: { commands } });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    return id;
  };
  const openTested = () => openWorld({ host: fakeHost({ 'src/sum.js': 'broken', 'test/sum.test.js': TESTS }) });

  it('waits for a person with what is missing, where nothing in the change explains it', async () => {
    await using world = await openTested();
    const id = await started(world, changing('process.exit(0)'));
    await until('the publish gate is open', async () => (await world.get(id)).gate?.kind === 'publish');
    const waiting = await world.get(id);
    const reasons = [
      '1 test fewer ran with the change than at the base, and the change removes none.',
      'These tests ran at the base but not with the change, although the change does not touch them: adds more.',
    ];
    expect(waiting.gate?.reasons.slice(0, 2)).toEqual(reasons);
    expect(waiting.gate?.reasons.filter((reason) => reasons.includes(reason))).toHaveLength(2);
    await world.decide(id, confirmed(waiting));
    expect((await world.untilStatus(id, 'completed')).result?.tests?.missing).toEqual(reasons);
  });

  it.each([
    ['renames one', TESTS.replace('adds more', 'adds most')],
    ['adds one and renames another', `${TESTS.replace('adds more', 'adds most')}${test('adds zero', '0, 3')}`],
  ])('is published without a question where the change %s', async (_what, tests) => {
    await using world = await openTested();
    const id = await started(world, changing('fixed', tests));
    expect((await world.untilStatus(id, 'completed')).result?.tests?.missing).toEqual([]);
  });

  it('is published with its own finding alone where the change removes one', async () => {
    await using world = await openTested();
    const id = await started(world, changing('fixed', ADDS));
    await until('the publish gate is open', async () => (await world.get(id)).gate?.kind === 'publish');
    expect((await world.get(id)).gate?.reasons[0]).toContain('The test is gone: "adds more".');
    expect((await world.get(id)).pipeline.implementation?.tests).toMatchObject({ not_run: ['adds more'], missing: [] });
  });
});

describe('a change whose tests prove less than before', () => {
  const silent: Script['coder'] = async (_, context) => {
    await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
    await writeByTool(context, { path: 'src/mean.js', text: '// @ts-nocheck' });
    await writeByTool(context, { path: 'sum.js.orig', text: 'broken' });
    return { outcome: 'done', summary: 'sum is fixed', outsidePlan: [] };
  };
  const reason = '`src/mean.js:1`: The change turns the type checker off for this file.';
  const leftover = {
    kind: 'scratch_file',
    path: 'sum.js.orig',
    line: null,
    detail: 'The new file looks like a leftover, and the plan does not name it.',
  };

  it('is shown to the reviewer, waits for a person with the reason, and says so in its result', async () => {
    await using world = await openWorld();
    const { agents } = await world.startWorker({ script: { coder: silent } });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    await until('the publish gate is open', async () => (await world.get(id)).gate?.kind === 'publish');
    const waiting = await world.get(id);
    expect(waiting.gate?.reasons).toContain(reason);
    expect(world.host.remote.size).toBe(0);
    expect(agents.inputs.reviewer[0]?.findings).toMatchObject([{ kind: 'checks_disabled', line: 1 }, leftover]);
    await world.decide(id, confirmed(waiting));
    const { result } = await world.untilStatus(id, 'completed');
    expect(result?.findings).toMatchObject([{ kind: 'checks_disabled' }, leftover]);
  });

  it('waits for a person where the service could not tell', async () => {
    await using world = await openWorld();
    const commands = { ...tapCommands, findings: async () => null };
    await world.startWorker({ script: { coder: silent }, deps: { commands } });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    await until('the publish gate is open', async () => (await world.get(id)).gate?.kind === 'publish');
    expect((await world.get(id)).gate?.reasons[0]).toBe(
      '`src/mean.js`: The change was not compared with the base, because that took too much time: see the diff.',
    );
  });

  it('is published without a question where all that was found is a leftover', async () => {
    await using world = await openWorld();
    const script: Partial<Script> = {
      coder: async (_, context) => {
        await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
        await writeByTool(context, { path: 'sum.js.orig', text: 'broken' });
        return { outcome: 'done', summary: 'sum is fixed', outsidePlan: [] };
      },
    };
    await world.startWorker({ script });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    expect((await world.untilStatus(id, 'completed')).result?.findings).toEqual([leftover]);
  });
});
