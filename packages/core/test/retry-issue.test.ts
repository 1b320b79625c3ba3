import { describe, expect, it } from 'vitest';
import type { Issue } from '../src/issue/issue.ts';
import { retryIssue } from '../src/issue/retry-issue.ts';
import type { Budget } from '../src/pipeline/budget.ts';
import { anIssue, byAnn, memoryIssues } from './memory-issues.ts';

const unlimited: Budget = { tokens: null, cost_usd: null, active_ms: null };
const used = { input_tokens: 900, output_tokens: 100, cost_usd: 1 };

function failed(overrides: Partial<Issue> = {}) {
  return anIssue({ status: 'failed', stage: 'implement', usage: used, ...overrides });
}

function retry(
  issue: ReturnType<typeof anIssue>,
  options: { server?: Partial<Budget>; isFixed?: boolean; asked?: Partial<Budget> } = {},
) {
  const store = memoryIssues(issue);
  const context = {
    issues: store.issues,
    runs: { attempts: async () => [] },
    repos: { get: async () => null },
    budget: { ...unlimited, ...options.server },
    budgetIsFixed: options.isFixed ?? false,
  };
  return { ...store, retried: retryIssue(context, issue, { budget: options.asked ?? null, by: byAnn }) };
}

it('queues a failed issue at the stage that failed, in a new round', async () => {
  const { retried, changes } = retry(failed());
  expect(await retried).toMatchObject({ status: 'pending', stage: 'implement' });
  expect((await retried).pipeline.rounds.implement).toBe(2);
  expect(changes[0]).toMatchObject({ audit: { act: { action: 'issue.retried' } } });
});

it.each(['pending', 'running', 'awaiting_approval', 'completed', 'cancelled'] as const)(
  'refuses to retry an issue that is %s, and names the status',
  async (status) => {
    const { retried } = retry(anIssue({ status }));
    await expect(retried).rejects.toMatchObject({ code: 'issue_not_failed', details: { body: { status } } });
  },
);

describe('with a budget', () => {
  it('refuses a retry whose budget is already used up', async () => {
    const { retried } = retry(failed(), { server: { tokens: 1_000 } });
    await expect(retried).rejects.toMatchObject({
      code: 'budget_too_low',
      message: expect.stringMatching(/1,000 of 1,000 tokens/),
    });
  });

  it('takes a higher one for this issue, and keeps the other limits', async () => {
    const { retried } = retry(failed(), { server: { tokens: 1_000, cost_usd: 5 }, asked: { tokens: 2_000 } });
    expect((await retried).pipeline.budget).toMatchObject({ limit: { tokens: 2_000, cost_usd: 5 }, warned: false });
  });

  it.each([2_000, null])('refuses %s tokens where the operator has fixed 1,500', async (tokens) => {
    const { retried } = retry(failed(), { server: { tokens: 1_500 }, isFixed: true, asked: { tokens } });
    await expect(retried).rejects.toMatchObject({
      code: 'budget_fixed',
      message: expect.stringMatching(/at most 1500/),
    });
  });

  it('takes a lower one where the operator has fixed it', async () => {
    const { retried } = retry(failed(), { server: { tokens: 1_500 }, isFixed: true, asked: { tokens: 1_200 } });
    expect(await retried).toMatchObject({ status: 'pending' });
  });
});

it('loses to a concurrent retry', async () => {
  const { retried, interfere } = retry(failed());
  interfere({ status: 'pending' });
  await expect(retried).rejects.toMatchObject({ code: 'issue_not_failed' });
});

it('retries the newer failure when a concurrent retry has failed already', async () => {
  const issue = failed();
  const { retried, interfere } = retry(issue);
  interfere({ pipeline: { ...issue.pipeline, rounds: { ...issue.pipeline.rounds, implement: 4 } } });
  expect((await retried).pipeline.rounds.implement).toBe(5);
});
