import type { ChangeRequestKey } from '@sluice/core/outcome';
import type { OpenOptions, Stores } from '@sluice/db';
import { openScratch } from '@sluice/db/scratch';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Login, type RunningApi, startApi } from './start-api.ts';

let api: RunningApi;
let ada: Login;
beforeEach(async () => {
  api = await startApi({ maxActivePipelines: 50 });
  ada = await api.login();
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

const read = (query = '', headers: Record<string, string> = {}) =>
  api.call('GET', `/api/outcomes${query}`, { as: ada, headers });

describe('GET /api/outcomes', () => {
  let repo: { id: string };
  beforeEach(async () => {
    repo = await api.repo(ada, { url: 'https://example.test/acme/sum' });
    for (const number of [7, 8]) {
      const { id } = await api.issue(ada, { repo_id: repo.id });
      const key = await api.publish(id, number);
      if (number === 7) await api.stores.outcomes.note(key, { state: 'merged' });
    }
    const { id } = await api.issue(ada, { repo_id: (await api.repo(ada)).id });
    await api.stores.outcomes.note(await api.publish(id, 7), { state: 'closed' });
  });

  it('counts all pull requests of the user, and only theirs', async () => {
    const { status, body } = await read();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      group_by: null,
      total: { opened: 3, merged: 1, closed: 1, still_open: 1, people_commits: 0 },
      groups: [],
    });
    const other = await api.login();
    expect((await api.call('GET', '/api/outcomes', { as: other })).body.total).toMatchObject({ opened: 0 });
  });

  it('counts those of a repository or a period, and groups them', async () => {
    const grouped = (await read('?group_by=repo')).body;
    expect(grouped.groups).toMatchObject([
      { group: 'acme/sum', repo_id: repo.id, opened: 2 },
      { opened: 1, closed: 1 },
    ]);
    expect((await read(`?repo_id=${repo.id}`)).body.total).toMatchObject({ opened: 2, closed: 0 });
    expect((await read('?to=2020-01-01T00:00:00Z')).body.total).toMatchObject({ opened: 0 });
    expect((await read('?from=2020-01-01T00:00:00%2B01:00')).body.total).toMatchObject({ opened: 3 });
  });

  it('counts those of the last 90 days unless a period is asked for, and names the period', async () => {
    const before = Date.now();
    const { period } = (await read()).body as { period: { from: string; to: null } };
    const daysAgo = (Date.now() - Date.parse(period.from)) / 86_400_000;
    expect([Math.round(daysAgo), period.to]).toEqual([90, null]);
    expect(Date.parse(period.from)).toBeGreaterThanOrEqual(before - 90 * 86_400_000);
    const asked = { from: '2020-01-01T00:00:00.000Z', to: '2020-02-01T00:00:00.000Z' };
    expect((await read(`?from=${asked.from}&to=${asked.to}`)).body).toMatchObject({
      period: asked,
      total: { opened: 0 },
    });
    expect((await read(`?to=${asked.to}`)).body.period).toEqual({ from: null, to: asked.to });
  });

  it.each([
    ['?group_by=user', 400],
    ['?from=yesterday', 400],
    ['?repo_id=x', 400],
    ['?repo_id=0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f', 404],
  ])('refuses %s with %i', async (query, status) => {
    expect((await read(query)).status).toBe(status);
  });

  it('is a file for spreadsheets to those who accept CSV', async () => {
    const { headers, text } = await read('?group_by=repo', { accept: 'text/csv' });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toContain('outcomes.csv');
    const [names, ...rows] = text.trimEnd().split('\r\n');
    expect(names).toMatch(/^group,opened,merged,closed,/);
    expect(rows.map((row) => row.split(',').slice(0, 4).join())).toEqual([
      'acme/sum,2,1,0',
      expect.stringMatching(/,1,0,1$/),
    ]);
  });
});

it('reads no further when the client of GET /api/outcomes has left', async () => {
  let asked = 0;
  let first = async () => {};
  const openStores = async (options: OpenOptions): Promise<Stores> => {
    const stores = await openScratch(options);
    const tally: Stores['outcomes']['tally'] = async (query, counting) => {
      asked += 1;
      if (asked === 1) await first();
      const counted = await stores.outcomes.tally(query, counting);
      return counting.isDivisible && (counted?.[0]?.tally.opened ?? 0) > 1 ? null : counted; // many slices of one
    };
    return { ...stores, outcomes: { ...stores.outcomes, tally } };
  };
  await using served = await startApi({ maxActivePipelines: 50, openStores });
  const eve = await served.login();
  for (const number of [1, 2, 3, 4]) await served.publish((await served.issue(eve)).id, number);
  const ask = (signal: AbortSignal | null = null) =>
    fetch(`${served.url}/api/outcomes`, { headers: { cookie: eve.cookie }, signal });
  expect((await ask()).status).toBe(200);
  const whole = asked;
  expect(whole).toBeGreaterThan(4);
  asked = 0;
  const leaving = new AbortController();
  const closed = new Promise((resolve) => {
    served.server.once('request', (_, response) => response.once('close', resolve));
  });
  first = async () => {
    leaving.abort();
    await closed;
  };
  await expect(ask(leaving.signal)).rejects.toThrow('aborted');
  await closed;
  expect((await ask()).status).toBe(200);
  expect(asked).toBe(1 + whole);
  expect(served.logged.filter(({ level }) => level === 'error')).toEqual([]);
});

describe('the reason of a close', () => {
  let id: string;
  let key: ChangeRequestKey;
  beforeEach(async () => {
    ({ id } = await api.issue(ada));
    key = await api.publish(id, 9);
  });
  const answer = (json: object) => api.call('POST', `/api/issues/${id}/close-reason`, { as: ada, json });
  const outcome = async () =>
    (await api.call('GET', `/api/issues/${id}/outcome`, { as: ada })).body.outcome as Record<string, unknown>;

  it('is asked for while the pull request is closed, and kept with who gave it', async () => {
    expect(await outcome()).toMatchObject({ number: 9, issue_id: id, state: 'open', close: null });
    await api.stores.outcomes.note(key, { state: 'closed' });
    const closed = await outcome();
    expect(closed.close).toEqual({
      asked_at: closed.closed_at,
      reason: null,
      note: null,
      answered_by: null,
      answered_at: null,
    });
    const { status, body } = await answer({ reason: 'wrong_approach', note: 'Use the index.' });
    expect(status).toBe(200);
    expect(body.close).toMatchObject({
      reason: 'wrong_approach',
      note: 'Use the index.',
      answered_by: ada.user.id,
    });
    expect(await outcome()).toEqual(body);
    expect((await answer({ reason: 'duplicate' })).body.close).toMatchObject({ reason: 'duplicate', note: null });
    const audit = await api.call('GET', '/api/audit?limit=2', { as: ada });
    expect(audit.body.items).toMatchObject([
      { action: 'issue.close_explained', subject: { kind: 'issue', id }, detail: {} },
      { action: 'issue.close_explained' },
    ]);
    const events = await api.call('GET', `/api/issues/${id}/history?after=0`, { as: ada });
    expect((events.body.items as object[]).slice(-3)).toMatchObject([
      { type: 'close.asked', data: { number: 9 } },
      { type: 'close.answered', data: { number: 9, reason: 'wrong_approach', user_id: ada.user.id } },
      { type: 'close.answered', data: { reason: 'duplicate' } },
    ]);
  });

  it('is refused for what is not closed, and for an issue without a pull request', async () => {
    expect((await answer({ reason: 'other' })).body).toMatchObject({ code: 'close_not_asked' });
    ({ id } = await api.issue(ada));
    expect(await outcome()).toBeNull();
    expect((await answer({ reason: 'other' })).status).toBe(409);
  });

  it.each([{ reason: 'bad' }, {}, { reason: 'other', note: 'x'.repeat(501) }, { reason: 'other', note: '' }])(
    'must be one of those that there are, with a short note: %j',
    async (json) => {
      await api.stores.outcomes.note(key, { state: 'closed' });
      expect((await answer(json)).status).toBe(400);
    },
  );
});
