import type { IssueId } from '@sluice/core/id';
import type { Budget } from '@sluice/core/pipeline';
import { settableClock } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Login, type RunningApi, startApi } from './start-api.ts';

const budget: Budget = { tokens: 1_000, cost_usd: 2, active_ms: 60_000 };
const clock = settableClock();
let api: RunningApi;
let ada: Login;
let id: string;
beforeEach(async () => {
  api = await startApi({ budget, clock, sessionTtlMs: 86_400_000 });
  ada = await api.login();
  ({ id } = await api.issue(ada));
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

/** One answer of a model and some time go into the issue, and it fails. */
async function useUp({ tokens = 0, cost = 0 as number | null, ms = 0 }): Promise<void> {
  const { runs } = api.stores;
  const claimed = await runs.claim(id as IssueId, { owner: 'a worker', ttlMs: 60_000 });
  if (claimed === null) throw new Error('The issue was not claimed.');
  const { lease } = claimed;
  const round = { stage: 'plan', round: 1 } as const;
  const begun = await runs.beginAttempt(lease, { ...round, agent: 'planner' });
  if (begun === null) throw new Error('The stage was not begun.');
  const usage = { input_tokens: tokens, output_tokens: 0, cost_usd: cost };
  await runs.appendJournal(lease, round, { entries: [{ kind: 'usage', usage, model: 'acme/m' }], events: [] });
  clock.advance(ms);
  const { attempt } = begun;
  await runs.failAttempt(
    lease,
    { ...round, attempt, outcome: 'failed', usage, detail: null },
    {
      type: 'stage.failed',
      data: { stage: round.stage, agent: 'planner', attempt, duration_ms: ms, detail: 'x', will_retry: true },
    },
  );
  await api.fail(id);
}

const retry = (json?: unknown) => api.call('POST', `/api/issues/${id}/retry`, { as: ada, json });
const storedBudget = async () => (await api.stores.issues.get(id as IssueId))?.pipeline.budget.limit;

describe('POST /api/issues/{id}/retry', () => {
  it('needs no body while there is budget left, and leaves the server’s budget in force', async () => {
    await useUp({ tokens: 999, cost: 1.99, ms: 59_999 });
    const { status, body } = await retry();
    expect([status, body.status]).toEqual([200, 'running']);
    expect(await storedBudget()).toBeNull();
  });

  it.each([
    ['tokens', { tokens: 1_000 }, 'tokens'],
    ['money', { cost: 2 }, 'USD'],
    ['time', { ms: 60_000 }, 'minutes'],
  ])('answers 409 with what was used when all %s is used up', async (_, used, word) => {
    await useUp(used);
    const { status, body } = await retry();
    expect([status, body.code]).toEqual([409, 'budget_too_low']);
    expect(body.detail).toContain(word);
    expect(body).toMatchObject({ used: { input_tokens: expect.any(Number), active_ms: expect.any(Number) }, budget });
    expect((await api.stores.issues.get(id as IssueId))?.status).toBe('failed');
  });

  it('goes on with a higher budget; limits that are left out stay', async () => {
    await useUp({ tokens: 1_500 });
    expect((await retry({ budget: { tokens: 1_500 } })).status).toBe(409);
    expect((await retry({ budget: { cost_usd: 50 } })).status).toBe(409);
    expect((await retry({ budget: { tokens: 4_000 } })).status).toBe(200);
    expect(await storedBudget()).toEqual({ ...budget, tokens: 4_000 });

    await useUp({ cost: 2.5 });
    expect((await retry({ budget: { tokens: null } })).body.code).toBe('budget_too_low');
    expect((await retry({ budget: { cost_usd: 3.5 } })).status).toBe(200);
    expect(await storedBudget()).toEqual({ ...budget, tokens: 4_000, cost_usd: 3.5 });
  });

  it('does not hold an unknown cost against a limit, and takes null for none', async () => {
    await useUp({ tokens: 5_000, cost: null });
    expect((await retry({ budget: { tokens: null } })).status).toBe(200);
    expect(await storedBudget()).toEqual({ ...budget, tokens: null });
  });

  it('lets exactly one of several at once through, with its own budget whole', async () => {
    await useUp({});
    const asked = Array.from({ length: 8 }, (_, index) => ({ tokens: 2_000 + index, cost_usd: 10 + index }));
    const answers = await Promise.all(asked.map((one) => retry({ budget: one })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
    const won = answers.findIndex(({ status }) => status === 200);
    expect(await storedBudget()).toEqual({ ...budget, ...asked[won] });
  });

  it.each([
    ['a number', 5],
    ['null', null],
    ['a list', [1]],
    ['no limit at all', {}],
    ['an unknown limit', { tokens: 5, turns: 3 }],
    ['text', { tokens: '5' }],
    ['no tokens', { tokens: 0 }],
    ['fewer than none', { cost_usd: -1 }],
    ['free of charge', { cost_usd: 0 }],
    ['parts of a token', { tokens: 1.5 }],
    ['more than can be counted', { active_ms: 1e300 }],
    ['a boolean', { active_ms: true }],
  ])('answers 400 for a budget that is %s', async (_, wrong) => {
    await useUp({});
    const { status, body } = await retry({ budget: wrong });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect((await retry({ budgets: { tokens: 5 } })).status).toBe(400);
    expect(await storedBudget()).toBeNull();
  });

  it('refuses an infinite number, whichever way it is written', async () => {
    await useUp({});
    const headers = { 'content-type': 'application/json' };
    for (const raw of ['{"budget":{"cost_usd":1e999}}', '{"budget":{"tokens":1e999}}', '{"budget":{"cost_usd":NaN}}']) {
      expect((await api.call('POST', `/api/issues/${id}/retry`, { as: ada, raw, headers })).status, raw).toBe(400);
    }
  });
});

describe('POST /api/issues/{id}/retry, where the server’s budget is fixed', () => {
  beforeEach(async () => {
    await api[Symbol.asyncDispose]();
    api = await startApi({ budget, budgetIsFixed: true, clock, sessionTtlMs: 86_400_000 });
    ada = await api.login();
    ({ id } = await api.issue(ada));
  });

  it.each([{ tokens: 1_001 }, { cost_usd: null }, { tokens: 500, active_ms: 60_001 }])(
    'refuses more than the server allows, with what it allows, and leaves the issue as it is: %j',
    async (asked) => {
      await useUp({ tokens: 10 });
      const { status, body } = await retry({ budget: asked });
      expect([status, body.code, body.budget]).toEqual([403, 'budget_fixed', budget]);
      expect((await api.stores.issues.get(id as IssueId))?.status).toBe('failed');
    },
  );

  it('lets a person set a lower one', async () => {
    await useUp({ tokens: 10 });
    expect((await retry({ budget: { tokens: 900, cost_usd: 2 } })).status).toBe(200);
    expect(await storedBudget()).toEqual({ ...budget, tokens: 900 });
  });
});
