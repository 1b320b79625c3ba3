import { AppError } from '@sluice/core/error';
import type { IssueId } from '@sluice/core/id';
import { activeMs } from '@sluice/core/issue';
import type { Budget } from '@sluice/core/pipeline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeCommand, untilAborted as hangs, tapTest } from './fake-sandbox.ts';
import { answer, CALL_USAGE, type Script, writeByTool } from './scripted-agents.ts';
import { openWorld, type WorkerParts, type World } from './world.ts';

const NONE: Budget = { tokens: null, cost_usd: null, active_ms: null };
const tokens = (limit: number): Budget => ({ ...NONE, tokens: limit });

describe('the budget of an issue', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  /** A coder with five answers of 15 tokens each and a file after all but the last; records its requests. */
  function fiveAnswers(): { asked: string[]; coder: Script['coder'] } {
    const asked: string[] = [];
    return {
      asked,
      coder: async (_, context) => {
        for (const turn of [1, 2, 3, 4]) {
          await answer(context, `turn ${turn}`, { asked });
          const file = turn === 4 ? { path: 'src/sum.js', text: 'fixed' } : { path: `${turn}.txt`, text: `${turn}` };
          await writeByTool(context, file);
        }
        return { outcome: 'done', summary: 'five', outsidePlan: [] };
      },
    };
  }

  async function approved(): Promise<IssueId> {
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    return id;
  }

  /** Approves the plan and starts a worker with that many milliseconds for the rest. */
  async function approvedWithTimeLeft(leftMs: number, parts: WorkerParts) {
    const { worker, unplug } = await world.startWorker();
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await worker.stop({ graceMs: 0 });
    unplug();
    const active_ms = activeMs(await world.runs.attempts(id)) + leftMs;
    const made = await world.startWorker({ ...parts, options: { budget: { ...NONE, active_ms } } });
    await world.decide(id, { action: 'approve' });
    return { ...made, id };
  }

  const warnings = async (id: IssueId) => (await world.said(id)).filter((text) => text.includes('budget is used'));

  it('causes one warning at 80 %, and the work continues', async () => {
    const { coder } = fiveAnswers();
    await world.startWorker({ script: { coder }, options: { budget: tokens(150) } });
    const id = await approved();
    const { usage } = await world.untilStatus(id, 'completed');
    expect(usage).toMatchObject({ input_tokens: 80, output_tokens: 40 });
    expect(await warnings(id)).toEqual([
      "80 % of the issue's budget is used: 120 of 150 tokens. At 100 % the work stops and is kept.",
    ]);
    const events = await world.events(id);
    expect(events.filter(({ type }) => type === 'budget.warning').map(({ data }) => data)).toEqual([
      { share: 0.8, detail: '120 of 150 tokens' },
    ]);
  });

  /** Where the tree is when the retry comes. */
  const leaves = [
    { where: 'in its tree', leave: () => undefined },
    { where: 'in a new tree', leave: (id: string) => world.host.lose(id) },
    { where: 'on another host', leave: (id: string) => world.host.lose(id, 'commits') },
  ];

  it.each(leaves)(
    'stops the work before the next answer and keeps it; a higher budget continues $where',
    async (place) => {
      const { asked, coder } = fiveAnswers();
      const { agents } = await world.startWorker({ script: { coder }, options: { budget: tokens(75) } });
      const id = await approved();
      const failed = await world.untilStatus(id, 'failed');
      expect(asked).toEqual(['turn 1', 'turn 2', 'turn 3']);
      expect(failed.error).toEqual({
        stage: 'implement',
        detail:
          'The budget of the issue is used up: 75 of 75 tokens. The work is kept: retry with a higher budget to continue it. What it left was tested: `npm test` fails (exit code 1).',
      });
      expect(failed.pipeline).toMatchObject({ rounds: { resumable: true }, budget: { warned: true } });
      expect(await warnings(id)).toHaveLength(1);
      const diff = await world.runs.diff(id);
      expect(diff?.files.map(({ path }) => path)).toEqual(['1.txt', '2.txt', '3.txt']);
      expect(world.host.trees.has(id)).toBe(true);

      place.leave(id);
      await expect(world.retry(id, { server: tokens(75) })).rejects.toMatchObject({ code: 'budget_too_low' });
      await world.retry(id, { own: { tokens: 130 }, server: tokens(75) });
      const done = await world.untilStatus(id, 'completed');
      expect(asked).toEqual(['turn 1', 'turn 2', 'turn 3', 'turn 4']);
      expect(agents.inputs.coder.map(({ round }) => round)).toEqual([1, 1]);
      expect(done.usage).toEqual({ input_tokens: 80, output_tokens: 40, cost_usd: 0 });
      expect(done.pipeline).toMatchObject({ budget: { limit: tokens(130) }, rounds: { resumable: false } });
      const [published] = [...world.host.remote.values()];
      expect([...(published?.files.keys() ?? [])].sort()).toEqual(['1.txt', '2.txt', '3.txt', 'src/sum.js']);
      expect(await warnings(id)).toHaveLength(2); // of either budget
      expect((await world.runs.attempts(id)).filter(({ stage }) => stage === 'implement')).toMatchObject([
        { round: 1, attempt: 1, outcome: 'failed', usage: { input_tokens: 30 } },
        { round: 1, attempt: 2, outcome: 'completed', usage: { input_tokens: 20 } },
      ]);
    },
  );

  it('does not keep work from being tested and published once the last answer is given', async () => {
    await world.startWorker({ options: { budget: tokens(60) } });
    const id = await approved();
    const { usage } = await world.untilStatus(id, 'completed');
    expect(usage.input_tokens + usage.output_tokens).toBe(60);
    expect(await warnings(id)).toEqual([
      "The issue's budget is used up: 60 of 60 tokens. No further model is called; the work is kept.",
    ]);
  });

  it('runs the tests on what it leaves, and keeps the tree as the agent left it', async () => {
    const coder: Script['coder'] = async (_, context) => {
      await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
      throw new AppError('agent_turns_exceeded');
    };
    const littering: FakeCommand = (run) => {
      run.files.set('report.xml', 'left by the tests');
      return tapTest(run);
    };
    await world.startWorker({ script: { coder }, commands: { 'npm test': littering } });
    const id = await approved();
    const failed = await world.untilStatus(id, 'failed');
    expect(failed.error?.detail).toMatch(/ What it left was tested: `npm test` passes\.$/);
    expect([...(world.host.trees.get(id)?.keys() ?? [])]).not.toContain('report.xml');
  });

  it('runs no tests on what it leaves where the time that is left may end them', async () => {
    const coder: Script['coder'] = async (_, context) => {
      await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
      throw new AppError('agent_stuck');
    };
    const slow: FakeCommand = async (run) => ({ ...(await tapTest(run)), durationMs: 40_000 });
    const budget = { ...NONE, active_ms: 60_000 };
    const { sandbox } = await world.startWorker({
      script: { coder },
      commands: { 'npm test': slow },
      options: { budget },
    });
    const failed = await world.untilStatus(await approved(), 'failed');
    expect(failed.error?.detail).toBe('The agent went round in circles.');
    expect(sandbox.runs).toHaveLength(1); // the base
  });

  it('counts money in the same way', async () => {
    const coder: Script['coder'] = async (_, context) => {
      await answer(context, 'dear', { usage: { ...CALL_USAGE, cost_usd: 1.5 } });
      await answer(context, 'dearer', { usage: { ...CALL_USAGE, cost_usd: 1.5 } });
      throw new Error('it was asked although the money was gone');
    };
    await world.startWorker({ script: { coder }, options: { budget: { ...NONE, cost_usd: 1.5 } } });
    const failed = await world.untilStatus(await approved(), 'failed');
    expect(failed.error?.detail).toContain('1.50 of 1.50 USD');
    expect(failed.usage.cost_usd).toBe(1.5);
  });

  it('warns once that a limit on money cannot be enforced when a price is unknown', async () => {
    const coder: Script['coder'] = async (_, context) => {
      for (const turn of [1, 2, 3]) await answer(context, `turn ${turn}`, { usage: { ...CALL_USAGE, cost_usd: null } });
      await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
      return { outcome: 'done', summary: 'done', outsidePlan: [] };
    };
    await world.startWorker({ script: { coder }, options: { budget: { ...NONE, cost_usd: 0.01 } } });
    const id = await approved();
    const { usage } = await world.untilStatus(id, 'completed');
    expect(usage).toEqual({ input_tokens: 70, output_tokens: 35, cost_usd: null });
    const said = await world.said(id);
    expect(said.filter((text) => text.includes('limit on money cannot be enforced'))).toHaveLength(1);
  });

  it('ends an answer that takes longer than the time which is left', async () => {
    let isSlow = true;
    const asked: string[] = [];
    const script: Partial<Script> = {
      coder: async (_, context) => {
        await answer(context, 'first', { asked });
        await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
        if (isSlow) await hangs(context.signal);
        return { outcome: 'done', summary: 'done', outsidePlan: [] };
      },
    };
    const { id } = await approvedWithTimeLeft(5_000, { script });
    const failed = await world.untilStatus(id, 'failed');
    expect(failed.error?.detail).toContain('minutes of work');
    expect(failed.pipeline.rounds.resumable).toBe(true);
    expect((await world.runs.diff(id))?.files.map(({ path }) => path)).toEqual(['src/sum.js']);
    isSlow = false;
    await world.retry(id, { own: { active_ms: 600_000 } });
    await world.untilStatus(id, 'completed');
    expect(asked).toEqual(['first']);
  });

  it('stops a command at the end of the time, and runs it again when there is more', async () => {
    let isSlow = true;
    const { id, agents } = await approvedWithTimeLeft(5_000, {
      commands: {
        'npm test': async ({ files, signal }) => {
          const isFixed = files.get('src/sum.js') === 'fixed';
          if (isFixed && isSlow) await hangs(signal);
          return { exitCode: isFixed ? 0 : 1 };
        },
      },
    });
    const failed = await world.untilStatus(id, 'failed');
    expect(failed.error).toMatchObject({ stage: 'test', detail: expect.stringContaining('minutes of work') });
    const told = (await world.events(id)).flatMap((event) => (event.type === 'command.finished' ? [event.data] : []));
    expect(told.at(-1)?.text).toBe('The command was stopped.');
    isSlow = false;
    await world.retry(id, { own: { active_ms: 600_000 } });
    await world.untilStatus(id, 'completed');
    expect(agents.inputs.coder).toHaveLength(1);
  });

  it('begins no stage once its time is used up', async () => {
    const { id, agents, sandbox } = await approvedWithTimeLeft(0, {});
    expect((await world.untilStatus(id, 'failed')).error?.detail).toContain('used up');
    expect([agents.inputs.coder.length, sandbox.runs.length]).toEqual([0, 0]);
    await world.retry(id, { own: { active_ms: 600_000 } });
    await world.untilStatus(id, 'completed');
  });
});
