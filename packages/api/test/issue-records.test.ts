import type { IssueId } from '@sluice/core/id';
import { aPlan, settableClock } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Login, type RunningApi, startApi } from './start-api.ts';

const clock = settableClock();
let api: RunningApi;
let ada: Login;
let id: string;
beforeEach(async () => {
  api = await startApi({ clock, sessionTtlMs: 86_400_000 });
  ada = await api.login();
  ({ id } = await api.issue(ada));
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

const get = async (path: string) => {
  const { status, body } = await api.call('GET', `/api/issues/${id}${path}`, { as: ada });
  return { status, body };
};

describe('GET /api/issues/{id}/history', () => {
  it('has the durable events as they stand in the store, page by page without a gap', async () => {
    await api.toGate(id);
    const events = await api.stores.issues.events(id as IssueId, { after: 0, limit: 100 });
    expect(events.length).toBeGreaterThan(4);
    expect(await get('/history')).toEqual({ status: 200, body: { items: events, next_after: null } });

    const items: unknown[] = [];
    let after: unknown = 0;
    for (let pages = 0; after !== null && pages < 10; pages += 1) {
      const { body } = await get(`/history?after=${after}&limit=2`);
      items.push(...(body.items as unknown[]));
      after = body.next_after;
    }
    expect(items).toEqual(events);
    const last = events.length;
    expect((await get(`/history?after=${last - 2}&limit=2`)).body.next_after).toBeNull();
    expect((await get(`/history?after=${last}`)).body).toEqual({ items: [], next_after: null });
  });

  it.each(['after=-1', 'after=x', 'after=', 'limit=0', 'limit=1001', 'limit=1.5', 'after=1&after=2'])(
    'answers 400 for %s',
    async (query) => {
      const { status, body } = await get(`/history?${query}`);
      expect([status, body.code]).toEqual([400, 'validation_failed']);
    },
  );
});

describe('GET /api/issues/{id}/steps', () => {
  const usage = { input_tokens: 12, output_tokens: 3, cost_usd: null };

  it('has each stage run with its times, its usage and how it stands', async () => {
    expect(await get('/steps')).toEqual({ status: 200, body: { items: [] } });
    const { runs } = api.stores;
    const claimed = await runs.claim(id as IssueId, { owner: 'a worker', ttlMs: 60_000 });
    if (claimed === null) throw new Error('The issue was not claimed.');
    const { lease } = claimed;
    const plan = { stage: 'plan', round: 1, agent: 'planner' } as const;
    const startedAt = clock.now().toISOString();
    await runs.beginAttempt(lease, plan);
    clock.advance(1_500);
    const finishedAt = clock.now().toISOString();
    const detail = 'The provider is overloaded.';
    await runs.failAttempt(
      lease,
      { stage: 'plan', round: 1, attempt: 1, outcome: 'failed', usage, detail },
      {
        type: 'stage.failed',
        data: { stage: 'plan', agent: 'planner', attempt: 1, duration_ms: 1, detail, will_retry: true },
      },
    );
    await runs.beginAttempt(lease, plan);
    const ended = { finished_at: finishedAt, duration_ms: 1_500, outcome: 'failed', usage, detail };
    const open = { finished_at: null, duration_ms: null, outcome: 'running', usage: null, detail: null };
    const { body } = await get('/steps');
    expect(body).toEqual({
      items: [
        { ...plan, attempt: 1, started_at: startedAt, ...ended },
        { ...plan, attempt: 2, started_at: finishedAt, ...open },
      ],
    });

    clock.advance(-60_000);
    await api.call('DELETE', `/api/issues/${id}`, { as: ada });
    const { items } = (await get('/steps')).body as { items: Record<string, unknown>[] };
    expect(items[1]).toMatchObject({ outcome: 'interrupted', duration_ms: 0, usage: null });
  });
});

describe('GET /api/issues/{id}/plans', () => {
  it('has every revision, newest first, and none before there is one', async () => {
    expect(await get('/plans')).toEqual({ status: 200, body: { items: [] } });
    await api.toGate(id);
    const instruct = { action: 'instruct', guidance: 'Smaller.' };
    await api.call('POST', `/api/issues/${id}/approve`, { as: ada, json: instruct });
    const second = aPlan({ revision: 2, guidance: 'Smaller.', summary: 'Less.' });
    await api.toGate(id, second);
    expect(await get('/plans')).toEqual({ status: 200, body: { items: [second, aPlan()] } });
  });
});
