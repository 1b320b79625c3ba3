import { AppError } from '@sluice/core/error';
import { NO_USAGE } from '@sluice/core/pipeline';
import { until } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeCommand, tapTest } from './fake-sandbox.ts';
import { answer, CALL_USAGE, PLAN } from './scripted-agents.ts';
import { openWorld, type World } from './world.ts';

describe('a stage that fails', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  /** A triager that fails that many times. */
  const failing = (times: number, error: () => unknown) => {
    const at: number[] = [];
    return {
      at,
      triager: () => {
        at.push(performance.now());
        if (at.length <= times) throw error();
        return { kind: 'bug' as const, summary: '', acceptance_criteria: [], risk: 'low' as const, open_questions: [] };
      },
    };
  };

  it('is retried with growing waits when its error is retryable', async () => {
    const { triager, at } = failing(2, () => new AppError('sandbox_failed'));
    await world.startWorker({ script: { triager } });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    const [first = 0, second = 0, third = 0] = at;
    expect(second - first).toBeGreaterThanOrEqual(500);
    expect(third - second).toBeGreaterThanOrEqual(1000);
    const story = await world.story(id);
    expect(story.filter((line) => line.includes('triage'))).toEqual([
      'stage.started triage 1',
      'stage.failed triage 1 will retry',
      'stage.started triage 2',
      'stage.failed triage 2 will retry',
      'stage.started triage 3',
      'stage.completed triage 3',
    ]);
  });

  it('reports a command that could not run, with the reason', async () => {
    let runs = 0;
    const command: FakeCommand = (run) => {
      runs += 1;
      if (runs === 1) throw new AppError('sandbox_failed');
      return tapTest(run);
    };
    await world.startWorker({ commands: { 'npm test': command } });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    await world.untilStatus(id, 'completed');
    const told = (await world.events(id)).flatMap((event) => (event.type === 'command.finished' ? [event.data] : []));
    expect(told.map(({ exit_code }) => exit_code)).toEqual([null, 1, 0]);
    expect(told[0]?.text).toBe('The command did not run: The sandbox could not start a command.');
  });

  it('ends the issue with the reason of the planner when its plan has no steps', async () => {
    const nothing = { summary: 'It works.', steps: [], acceptance_criteria: [], risks: [], test_strategy: '' };
    await world.startWorker({ script: { planner: () => nothing } });
    const { id } = await world.newIssue();
    const failed = await world.untilStatus(id, 'failed');
    expect(failed).toMatchObject({ plan: null, gate: null });
    expect(failed.error).toEqual({ stage: 'plan', detail: 'There is nothing to do: It works.' });
  });

  it('waits as long as the other side asked for', async () => {
    const { triager, at } = failing(1, () => new AppError('remote_unreachable', { retryAfterMs: 900 }));
    await world.startWorker({ script: { triager } });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(895); // the catalogue's own first pause is 500
  });

  it('ends the issue after four failures', async () => {
    const { triager, at } = failing(9, () => new AppError('git_failed', { retryAfterMs: 1 }));
    await world.startWorker({ script: { triager } });
    const { id } = await world.newIssue();
    const failed = await world.untilStatus(id, 'failed');
    expect(at).toHaveLength(4);
    expect(failed.error).toEqual({ stage: 'triage', detail: 'A git operation failed.' });
    expect((await world.story(id)).slice(-2)).toEqual(['stage.failed triage 4', 'running -> failed']);
  });

  it('counts failures of the stage it is in, not those of one before it', async () => {
    const triage = failing(3, () => new AppError('remote_unreachable', { retryAfterMs: 1 }));
    const plan = failing(3, () => new AppError('remote_unreachable', { retryAfterMs: 1 }));
    await world.startWorker({
      script: {
        triager: triage.triager,
        planner: () => {
          plan.triager();
          return PLAN;
        },
      },
    });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    expect([triage.at.length, plan.at.length]).toEqual([4, 4]);
  });

  it('is retried at once by a new process, however late the next retry was', async () => {
    const { triager } = failing(1, () => new AppError('remote_unreachable', { retryAfterMs: 3_600_000 }));
    const { worker } = await world.startWorker({ script: { triager } });
    const { id } = await world.newIssue();
    await until('a try is an hour away', async () => ((await world.runs.nextDueInMs()) ?? 0) > 3_000_000);
    await worker.stop({ graceMs: 0 });
    expect(await world.runs.expireLeases()).toBe(1);
    await world.startWorker();
    await world.untilStatus(id, 'awaiting_approval');
  });

  it('does not count attempts that a shutdown cut off', async () => {
    const { triager, at } = failing(3, () => new AppError('remote_unreachable', { retryAfterMs: 1 }));
    const { id } = await world.newIssue();
    for (let i = 0; i < 5; i += 1) {
      let begun = false;
      const { worker, unplug } = await world.startWorker({
        script: {
          triager: (_, { signal }) =>
            new Promise((_resolve, reject) => {
              begun = true;
              signal.addEventListener('abort', () => reject(signal.reason));
            }),
        },
      });
      await until('triage has begun', () => begun);
      await worker.stop({ graceMs: 0 });
      unplug();
    }
    await world.startWorker({ script: { triager } });
    await world.untilStatus(id, 'awaiting_approval');
    expect(at).toHaveLength(4);
    expect((await world.story(id)).filter((line) => line.startsWith('stage.completed triage'))).toEqual([
      'stage.completed triage 9',
    ]);
  });

  it('continues an issue whose stage was interrupted a hundred times', async () => {
    const { id } = await world.newIssue();
    for (let i = 0; i < 100; i += 1) {
      const claimed = await world.runs.claim(id, { owner: 'a worker that dies', ttlMs: 15_000 });
      if (claimed === null) throw new Error('not claimable');
      await world.runs.beginAttempt(claimed.lease, { stage: 'prepare', round: 1, agent: 'service' });
      await world.runs.expireLeases();
    }
    await world.startWorker();
    await world.untilStatus(id, 'awaiting_approval');
    expect((await world.story(id)).filter((line) => line.startsWith('stage.completed prepare'))).toEqual([
      'stage.completed prepare 101',
    ]);
  });

  it('shows with each try what that one took, so that all tries add up to the issue’s usage', async () => {
    let tries = 0;
    await world.startWorker({
      script: {
        triager: async (_, context) => {
          tries += 1;
          const usage = { input_tokens: 10 ** tries, output_tokens: 1, cost_usd: 0.1 * tries };
          await answer(context, `try ${tries}`, { usage });
          if (tries < 3) throw new AppError('model_unavailable', { retryAfterMs: 1 });
          return { kind: 'bug', summary: '', acceptance_criteria: [], risk: 'low', open_questions: [] };
        },
      },
    });
    const { id } = await world.newIssue();
    const { usage } = await world.untilStatus(id, 'awaiting_approval');
    const shown = (await world.runs.attempts(id)).filter(({ stage }) => stage === 'triage');
    expect(shown.map((run) => run.usage)).toEqual([
      { input_tokens: 10, output_tokens: 1, cost_usd: 0.1 },
      { input_tokens: 100, output_tokens: 1, cost_usd: 0.2 },
      { input_tokens: 1010, output_tokens: 6, cost_usd: 0.3 },
    ]);
    expect(usage.input_tokens).toBe(1110 + 10 + 10);
    const told = (await world.events(id)).flatMap((event) =>
      event.type === 'stage.completed' && event.data.stage === 'triage' ? [event.data.usage] : [],
    );
    expect(told).toMatchObject([{ input_tokens: 1120, output_tokens: 8 }]);
  });

  it('counts the usage of an answer whose write succeeded although it seemed to fail', async () => {
    let writes = 0;
    const appendJournal: typeof world.runs.appendJournal = async (...write) => {
      const written = await world.runs.appendJournal(...write);
      if (write[1].stage === 'triage') writes += 1;
      if (writes === 1) throw new AppError('not_ready', { retryAfterMs: 1 });
      return written;
    };
    await world.startWorker({ deps: { runs: { ...world.runs, appendJournal } } });
    const { id } = await world.newIssue();
    const { usage } = await world.untilStatus(id, 'awaiting_approval');
    const shown = (await world.runs.attempts(id)).filter(({ stage }) => stage === 'triage');
    expect(shown.map((run) => [run.outcome, run.usage])).toEqual([
      ['failed', CALL_USAGE],
      ['completed', NO_USAGE],
    ]);
    expect(usage.input_tokens).toBe(2 * CALL_USAGE.input_tokens);
  });

  it('is not recorded as failed when the write of its end succeeded although it seemed to fail', async () => {
    const apply: typeof world.issues.apply = async (change) => {
      const outcome = await world.issues.apply(change);
      if (change.begin?.stage === 'index') throw new AppError('not_ready');
      return outcome;
    };
    await world.startWorker({ deps: { issues: { ...world.issues, apply } } });
    const { id } = await world.newIssue();
    await until('the worker let go', () => world.logged.some(({ level }) => level === 'error'));
    await until('it is to be tried again', async () => (await world.runs.nextDueInMs()) !== null);
    expect((await world.story(id)).slice(-2)).toEqual(['stage.completed prepare 1', 'stage.started index 1']);
    expect((await world.runs.attempts(id)).map(({ stage, outcome }) => [stage, outcome])).toEqual([
      ['prepare', 'completed'],
      ['index', 'running'],
    ]);
  });

  it('ends the issue at once when trying again cannot help', async () => {
    const { triager, at } = failing(
      9,
      () => new AppError('workspace_unsafe', { detail: 'It has a nested repository.' }),
    );
    await world.startWorker({ script: { triager } });
    const { id } = await world.newIssue();
    const failed = await world.untilStatus(id, 'failed');
    expect(at).toHaveLength(1);
    expect(failed.error?.detail).toBe('It has a nested repository.');
  });

  it('shows nothing of what went wrong inside, and logs all of it', async () => {
    const secret = new Error('SELECT * FROM users failed at /srv/data/sluice.db');
    const { triager } = failing(9, () => secret);
    await world.startWorker({ script: { triager } });
    const { id } = await world.newIssue();
    const failed = await world.untilStatus(id, 'failed');
    expect(JSON.stringify([failed, await world.events(id)])).not.toContain('SELECT');
    expect(failed.error?.detail).toContain("The server's log has the details");
    const errors = world.logged.filter(({ level }) => level === 'error');
    expect(errors.length).toBeGreaterThan(0);
    expect(errors[0]?.fields).toMatchObject({ issueId: id, stage: 'triage', err: secret });
  });

  it.each([
    { code: 'agent_blocked', outcome: 'blocked' },
    { code: 'nothing_changed', outcome: 'done' },
  ] as const)('is in the log by its code where the stage itself gives up: $code', async ({ code, outcome }) => {
    await world.startWorker({ script: { coder: () => ({ outcome, summary: 'No way.', outsidePlan: [] }) } });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    const { error } = await world.untilStatus(id, 'failed');
    const fields = { issueId: id, stage: 'implement', attempt: 1, code, detail: error?.detail };
    expect(world.logged.filter(({ message }) => message === 'a stage failed')).toEqual([
      { level: 'warn', fields, message: 'a stage failed' },
    ]);
  });

  it('is not tried again when the issue is cancelled in the pause', async () => {
    const { triager, at } = failing(2, () => new AppError('remote_unreachable', { retryAfterMs: 3_000 }));
    await world.startWorker({ script: { triager } });
    const { id } = await world.newIssue();
    await until('it failed once', async () => (await world.story(id)).includes('stage.failed triage 1 will retry'));
    await world.cancel(id);
    const control = await world.newIssue();
    await world.untilStatus(control.id, 'awaiting_approval'); // fails and is retried after a longer pause
    expect(at.length).toBeGreaterThan(1);
    expect((await world.story(id)).filter((line) => line.startsWith('stage.started triage'))).toHaveLength(1);
  });
});
