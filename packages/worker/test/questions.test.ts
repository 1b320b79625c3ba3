import { AppError } from '@sluice/core/error';
import { until } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importedIssue, IMPORTED_NUMBER as NUMBER } from './imported-issue.ts';
import { publishingHost } from './publishing-host.ts';
import { PLAN, type Script } from './scripted-agents.ts';
import { openWorld, type World } from './world.ts';

const answered: Script['planner'] = () => ({
  ...PLAN,
  summary: 'Where sum begins.',
  steps: [],
  kind: 'question',
  risk: 'low',
  answer: 'In `src/sum.js`. See #1, @acme.',
});

describe('a question', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  it('ends with its answer: without a gate, a change or a branch', async () => {
    const { agents } = await world.startWorker({ script: { planner: answered } });
    const { id } = await world.newIssue();
    const done = await world.untilStatus(id, 'completed');
    expect(done).toMatchObject({ stage: 'plan', plan: null, gate: null, pipeline: { triage: { kind: 'bug' } } });
    expect(done.result).toEqual({
      branch: null,
      base_commit: done.pipeline.prepared?.base_commit,
      head_commit: done.pipeline.prepared?.base_commit,
      change_request_url: null,
      summary: 'Where sum begins.',
      files_changed: 0,
      additions: 0,
      deletions: 0,
      tests: null,
      findings: [],
      answer: 'In `src/sum.js`. See #1, @acme.',
    });
    expect((await world.story(id)).slice(-3)).toEqual([
      'stage.completed plan 1',
      'result.published',
      'running -> completed',
    ]);
    expect(agents.inputs.coder).toEqual([]);
    expect([...world.host.remote]).toEqual([]);
  });

  it('is answered by a comment on the imported issue, in which nothing acts on the code host', async () => {
    const outside = publishingHost();
    await world.startWorker({
      script: { planner: answered },
      deps: { codehost: outside.host, codehostTokens: outside.tokens },
    });
    const { id } = await importedIssue(world);
    await until('it has ended', async () => (await world.get(id)).finishedAt !== null);
    expect(outside.comments).toMatchObject([{ number: NUMBER, body: expect.stringContaining('> In \\`src\\/sum') }]);
    expect(outside.comments[0]?.body).not.toMatch(/#1|@acme/);
    expect(outside.changes).toEqual([]);
  });

  it.each([
    ['is called a bug', { kind: 'bug' as const, answer: 'I could not find the cause.' }],
    ['has a word for none as its answer', { kind: 'question' as const, answer: 'N/A' }],
  ])('that %s ends in failed, with the reason', async (_, said) => {
    const planner = () => ({ ...PLAN, summary: 'It works.', steps: [], ...said });
    await world.startWorker({ script: { planner } });
    const { id } = await world.newIssue();
    const failed = await world.untilStatus(id, 'failed');
    expect([failed.error?.detail, failed.result]).toEqual(['There is nothing to do: It works.', null]);
  });

  it('that the planner plans a change for waits for a decision as any issue', async () => {
    await world.startWorker({ script: { planner: () => ({ ...PLAN, kind: 'question', answer: 'It is wrong.' }) } });
    const { id } = await world.newIssue();
    expect((await world.untilStatus(id, 'awaiting_approval')).result).toBeNull();
  });
});

describe('the paths of a plan', () => {
  it('are shown at the gate: which are new, and which may be misspelled', async () => {
    await using world = await openWorld();
    const files = ['src/sum.js', 'src/product.js', '/etc/hosts'];
    await world.startWorker({ script: { planner: () => ({ ...PLAN, steps: [{ title: 't', detail: 'd', files }] }) } });
    const { id } = await world.newIssue();
    const { gate } = await world.untilStatus(id, 'awaiting_approval');
    expect(gate?.reasons.slice(-3, -1)).toEqual([
      'Files of the plan: `/etc/hosts` is absolute; name files relative to the root.',
      'New files: `src/product.js`.',
    ]);
  });
});

describe('the triage of an issue', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  it('is not worth a failure: without a usable answer the planner goes on alone', async () => {
    const error = new AppError('agent_output_invalid', { detail: 'The triager gave an unusable answer.' });
    const { agents } = await world.startWorker({ script: { triager: () => Promise.reject(error) } });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    expect(agents.inputs.planner).toMatchObject([{ triage: null }]);
    expect(await world.said(id)).toContain('The issue goes on without triage. The triager gave an unusable answer.');
  });

  it('is the planner’s where it does it, with the questions that the issue leaves open', async () => {
    const found = { kind: 'feature' as const, risk: 'medium' as const, open_questions: ['Round up?'] };
    const { agents } = await world.startWorker({
      script: { planner: () => ({ ...PLAN, ...found }) },
      plannerTriages: true,
    });
    const { id } = await world.newIssue();
    const { pipeline, plan: stored } = await world.untilStatus(id, 'awaiting_approval');
    expect(pipeline.triage).toEqual({
      ...found,
      summary: PLAN.summary,
      acceptance_criteria: PLAN.acceptance_criteria,
    });
    expect(stored).not.toHaveProperty('kind');
    expect(agents.inputs.triager).toEqual([]);
    const created = (await world.events(id)).find(({ type }) => type === 'plan.created');
    expect(created?.data).toMatchObject({ triage: found });
  });
});
