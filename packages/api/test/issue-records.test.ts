import { aPlan } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Login, type RunningApi, startApi } from './start-api.ts';

let api: RunningApi;
let ada: Login;
let id: string;
beforeEach(async () => {
  api = await startApi();
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
