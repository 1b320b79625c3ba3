import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Limiter } from '@sluice/core/request';
import { createMemoryLimiter } from '@sluice/redis';
import { settableClock } from '@sluice/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Login, type RunningApi, startApi } from './start-api.ts';

let api: RunningApi;
/** The first account, and so the operator. */
let ada: Login;
let grace: Login;
let admitted: number;
const clock = settableClock(new Date());

beforeEach(async () => {
  admitted = 0;
  const usual = createMemoryLimiter();
  const limiter: Limiter = {
    ...usual,
    consume: (name, who) => {
      admitted += 1; // the last step of an admission
      return usual.consume(name, who);
    },
  };
  api = await startApi({ takesApiTokens: true, clock, ports: { limiter } });
  ada = await api.login({ email: 'ada@example.com' });
  grace = await api.login({ email: 'grace@example.com' });
});
afterEach(() => api[Symbol.asyncDispose]());

/** A request that has been admitted, and whose body has not been sent yet. */
async function heldBack(method: string, path: string, { as, json }: { as: Login; json: unknown }) {
  const before = admitted;
  const headers = { cookie: as.cookie, 'content-type': 'application/json' };
  const sending = request(`${api.url}${path}`, { method, headers });
  const answered = once(sending, 'response');
  sending.flushHeaders();
  await vi.waitFor(() => expect(admitted).toBe(before + 1));
  return {
    /** Sends the body a second later. @returns the status of the answer */
    async send() {
      clock.advance(1_000);
      sending.end(JSON.stringify(json));
      const [response] = (await answered) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    },
  };
}

const token = { name: 'CI', scope: 'admin', expires_in_days: 30 };

it('refuses a request whose session ends while its body arrives', async () => {
  const held = await heldBack('POST', '/api/tokens', { as: grace, json: token });
  await api.stores.sessions.revokeAll(grace.user.id);
  expect(await held.send()).toBe(401);
  expect((await api.stores.apiTokens.list('all', { limit: 1, cursor: null })).items).toEqual([]);
});

it('refuses a request whose user is disabled while its body arrives', async () => {
  const held = await heldBack('PATCH', '/api/auth/me', { as: grace, json: { name: 'Grace' } });
  await api.stores.users.disable(grace.user.id);
  expect(await held.send()).toBe(401);
});

it('refuses an operator who is none any more when the body has arrived', async () => {
  await api.stores.users.grantOperator(grace.user.id);
  const path = `/api/admin/users/${ada.user.id}`;
  const held = await heldBack('PATCH', path, { as: grace, json: { disabled: true } });
  await api.stores.users.revokeOperator(grace.user.id);
  expect(await held.send()).toBe(403);
});

it('carries out a request whose body arrives late', async () => {
  const held = await heldBack('POST', '/api/tokens', { as: grace, json: token });
  expect(await held.send()).toBe(201);
});
