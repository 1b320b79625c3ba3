import { AppError } from '@sluice/core/error';
import { isTerminal } from '@sluice/core/issue';
import { until } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainProject, testOutput } from './fake-sandbox.ts';
import { PLAN, RAN, writeByTool } from './scripted-agents.ts';
import { fakeIndex, openWorld, type World } from './world.ts';

describe('a pipeline', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  it('leads from a report to a pushed branch, with an event for each step in order', async () => {
    const { agents } = await world.startWorker();
    const { id } = await world.newIssue();
    const waiting = await world.untilStatus(id, 'awaiting_approval');
    expect(waiting).toMatchObject({
      stage: 'human_review',
      plan: { revision: 1, summary: 'Fix sum.', guidance: null },
      gate: { kind: 'plan', revision: 1 },
    });
    await world.decide(id, { action: 'approve' });
    const done = await world.untilStatus(id, 'completed');

    const story = await world.story(id);
    expect(story.slice(story.indexOf('stage.started prepare 1'))).toEqual([
      'stage.started prepare 1',
      'command.started npm test',
      'command.finished npm test 1',
      'agent.message',
      'stage.completed prepare 1',
      'stage.started index 1',
      'stage.completed index 1',
      'stage.started triage 1',
      'stage.completed triage 1',
      'stage.started plan 1',
      'stage.completed plan 1',
      'plan.created',
      'review.requested',
      'running -> human_review',
      'human_review -> awaiting_approval',
      'review.decided',
      'awaiting_approval -> running',
      'stage.started implement 1',
      'agent.tool_call',
      'agent.tool_result',
      'diff.updated',
      'stage.completed implement 1',
      'stage.started test 1',
      'command.started npm test',
      'command.finished npm test 0',
      'stage.completed test 1',
      'stage.started review 1',
      'stage.completed review 1',
      'stage.started publish 1',
      'stage.completed publish 1',
      'result.published',
      'running -> completed',
    ]);
    const events = await world.events(id);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    const [branch] = [...world.host.remote];
    expect(done.result).toMatchObject({
      branch: branch?.[0],
      head_commit: branch?.[1].head,
      files_changed: 1,
      additions: 1,
      deletions: 1,
      change_request_url: null,
      tests: { verdict: 'green', exit_code: 0, base_exit_code: 1, new_failures: [] },
    });
    expect(done.result?.summary).toContain('Made by: scripted.');
    expect(branch?.[1].files.get('src/sum.js')).toBe('fixed');
    expect(done.usage).toEqual({ input_tokens: 40, output_tokens: 20, cost_usd: 0 });
    expect(agents.inputs.reviewer[0]).toMatchObject({ diff: { head_commit: done.result?.head_commit }, ran: RAN });
    await until('the working tree is gone', () => world.host.discarded.includes(id));
  });

  it('makes a new plan with the guidance that a person gave', async () => {
    const { agents } = await world.startWorker();
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'instruct', guidance: 'use reduce' });
    await until('the second plan exists', async () => (await world.get(id)).plan?.revision === 2);
    const issue = await world.untilStatus(id, 'awaiting_approval');
    expect(issue.plan).toMatchObject({ revision: 2, summary: 'Fix sum: use reduce', guidance: 'use reduce' });
    expect(agents.inputs.planner[1]).toMatchObject({ guidance: 'use reduce', lastPlan: { revision: 1 } });
    await world.decide(id, { action: 'approve', revision: 2 });
    await world.untilStatus(id, 'completed');
    expect(agents.inputs.coder[0]?.plan.revision).toBe(2);
  });

  it('ends where a person rejects the plan, and removes the working tree', async () => {
    await world.startWorker();
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'reject' });
    await world.untilStatus(id, 'rejected');
    await until('the working tree is gone', () => world.host.discarded.includes(id));
    expect(world.host.remote.size).toBe(0);
  });

  it('sends red tests back to the coder with the failures, and continues when they are green', async () => {
    const { agents } = await world.startWorker({
      script: {
        coder: async ({ round }, context) => {
          await writeByTool(context, { path: 'src/sum.js', text: round < 3 ? `wrong ${round}` : 'fixed' });
          return { outcome: 'done', summary: `round ${round}`, outsidePlan: [] };
        },
      },
    });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    const done = await world.untilStatus(id, 'completed');
    expect(agents.inputs.coder.map(({ round }) => round)).toEqual([1, 2, 3]);
    expect(agents.inputs.coder[0]?.feedback).toBeNull();
    expect(agents.inputs.coder[1]?.feedback).toContain('Failing: adds.');
    expect(agents.inputs.coder[1]?.feedback).toContain('not ok 1 - adds');
    expect(done.pipeline).toMatchObject({ rounds: { implement: 3, test_send_backs: 2 }, feedback: null });
    const story = await world.story(id);
    expect(story.filter((line) => line.startsWith('stage.started test'))).toHaveLength(3);
    expect(story.filter((line) => line.startsWith('command.started'))).toHaveLength(4); // the base once, the head three times
  });

  it('gives up on red tests after three send-backs, naming the failures', async () => {
    await world.startWorker({
      script: {
        coder: async ({ round }, context) => {
          await writeByTool(context, { path: 'src/sum.js', text: `wrong ${round}` });
          return { outcome: 'done', summary: 'tried', outsidePlan: [] };
        },
      },
    });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    const failed = await world.untilStatus(id, 'failed');
    expect(failed.error).toMatchObject({ stage: 'test', detail: expect.stringContaining('Failing: adds.') });
    expect(failed.pipeline).toMatchObject({
      rounds: { test_send_backs: 3 },
      implementation: { tests: { verdict: 'red' } },
    });
    expect((await world.story(id)).slice(-2)).toEqual(['stage.failed test 1', 'running -> failed']);
    expect(world.host.remote.size).toBe(0);
    expect(world.host.trees.has(id)).toBe(true); // kept for a while, for inspection
  });

  it('sends a refused review back to the coder with the findings, twice at most', async () => {
    const { agents } = await world.startWorker({
      script: {
        reviewer: () => ({ decision: 'request_changes', summary: 'Not yet.', findings: ['a secret in line 3'] }),
      },
    });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    const failed = await world.untilStatus(id, 'failed');
    expect(failed.error).toMatchObject({ stage: 'review', detail: expect.stringContaining('a secret in line 3') });
    expect(agents.inputs.coder.map(({ round }) => round)).toEqual([1, 2, 3]);
    expect(agents.inputs.coder[1]?.feedback).toContain('a secret in line 3');
    const said = agents.inputs.reviewer.map(({ authorSays }) => authorSays);
    expect(said).toEqual([null, expect.any(String), expect.any(String)]);
    expect(failed.pipeline).toMatchObject({
      rounds: { review_send_backs: 2 },
      implementation: { review: { decision: 'request_changes' } },
    });
    expect(failed.usage).toEqual({ input_tokens: 80, output_tokens: 40, cost_usd: 0 }); // the last refusal is paid for too
  });

  it('fails with the reason of a coder who is blocked', async () => {
    await world.startWorker({
      script: { coder: () => ({ outcome: 'blocked', summary: 'Writing code needs a model.', outsidePlan: [] }) },
    });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    const failed = await world.untilStatus(id, 'failed');
    expect(failed.error).toEqual({
      stage: 'implement',
      detail: 'The coder could not carry out the plan: Writing code needs a model.',
    });
  });

  it('fails when the implementation changed nothing', async () => {
    await world.startWorker({ script: { coder: () => ({ outcome: 'done', summary: 'all fine', outsidePlan: [] }) } });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    const failed = await world.untilStatus(id, 'failed');
    expect(failed.error).toMatchObject({ stage: 'implement', detail: expect.stringContaining('changed no file') });
  });

  it('publishes what the coder made and nothing that the tests wrote, and shows the coder none of it', async () => {
    const seen: string[][] = [];
    await world.startWorker({
      script: {
        coder: async ({ round }, context) => {
          seen.push([...(await context.workspace.files.list())]);
          await writeByTool(context, { path: 'src/sum.js', text: round === 1 ? 'wrong' : 'fixed' });
          return { outcome: 'done', summary: 'done', outsidePlan: [] };
        },
      },
      commands: {
        'npm test': ({ files }) => {
          const green = files.get('src/sum.js') === 'fixed';
          files.set('src/sum.js', 'a back door');
          files.set('coverage/index.html', 'junk');
          return green ? { exitCode: 0 } : { exitCode: 1, output: 'not ok 1 - adds\n' };
        },
      },
    });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    await world.untilStatus(id, 'completed');
    expect(seen).toEqual([['src/sum.js'], ['src/sum.js']]);
    const [published] = [...world.host.remote.values()];
    expect(Object.fromEntries(published?.files ?? [])).toEqual({ 'src/sum.js': 'fixed' });
    expect((await world.runs.diff(id))?.files).toEqual([{ path: 'src/sum.js', additions: 1, deletions: 1 }]);
  });

  it('shows the change while the coder is still at work', async () => {
    let early: unknown;
    await world.startWorker({
      script: {
        coder: async ({ issue }, context) => {
          await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
          await until('the change can be read', async () => (await world.runs.diff(issue.id)) !== null);
          early = await world.runs.diff(issue.id);
          return { outcome: 'done', summary: 'done', outsidePlan: [] };
        },
      },
    });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    await world.untilStatus(id, 'completed');
    expect(early).toMatchObject({ head_commit: null, files: [{ path: 'src/sum.js', additions: 1, deletions: 1 }] });
    expect((await world.story(id)).filter((line) => line === 'diff.updated')).toHaveLength(1);
  });

  it('notes in the plan and in the log that nothing was tested when no test command is known', async () => {
    await world.startWorker({
      deps: {
        commands: {
          detect: async () => ({ setup: null, test: null }),
          ...plainProject,
          readTests: async () => testOutput([]),
        },
      },
    });
    const { id } = await world.newIssue();
    const waiting = await world.untilStatus(id, 'awaiting_approval');
    expect(waiting.plan?.risks).toEqual([expect.stringContaining('No test command is known')]);
    await world.decide(id, { action: 'approve' });
    const done = await world.untilStatus(id, 'completed');
    expect(done.result?.tests).toBeNull();
    const said = (await world.events(id)).flatMap((event) => (event.type === 'agent.message' ? [event.data] : []));
    expect(said).toEqual([{ agent: 'service', text: expect.stringContaining('was not tested') }]);
  });

  it('continues without the code index when it fails, with a note', async () => {
    await world.startWorker({
      deps: {
        codeIndex: {
          ...fakeIndex(),
          update: async () => {
            throw new AppError('git_failed', { detail: 'A blob could not be read.' });
          },
        },
      },
    });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    const said = (await world.events(id)).flatMap((event) => (event.type === 'agent.message' ? [event.data.text] : []));
    expect(said).toContainEqual(expect.stringContaining('A blob could not be read.'));
  });

  it('executes as many issues at once as allowed, oldest first', async () => {
    let inPlan = 0;
    let most = 0;
    const order: string[] = [];
    await world.startWorker({
      options: { concurrency: 2 },
      script: {
        planner: async ({ issue }) => {
          order.push(issue.id);
          inPlan += 1;
          most = Math.max(most, inPlan);
          // Each pair is there at once, and the last one is alone.
          const place = order.length;
          await until(
            'the other one of the pair is there',
            () => order.length > place || place % 2 === 0 || place === 7,
          );
          inPlan -= 1;
          return PLAN;
        },
      },
    });
    const issues = [];
    for (let i = 0; i < 7; i += 1) issues.push(await world.newIssue());
    for (const { id } of issues) {
      await world.untilStatus(id, 'awaiting_approval');
      await world.decide(id, { action: 'approve' });
    }
    for (const { id } of issues) {
      await until('it has ended', async () => isTerminal((await world.get(id)).status));
      expect((await world.get(id)).status).toBe('completed');
    }
    // Which of a pair is planned first is open: both were taken, and are prepared at once. Ids ascend with time.
    expect([0, 2, 4, 6].flatMap((at) => order.slice(at, at + 2).sort())).toEqual(issues.map(({ id }) => id));
    expect(most).toBe(2);
  });
});
