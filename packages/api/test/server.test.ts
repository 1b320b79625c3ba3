import { rateLimits } from '@sluice/core/request';
import { createMemoryLimiter } from '@sluice/redis';
import { describe, expect, it } from 'vitest';
import { startApi } from './start-api.ts';

describe('GET /api/server', () => {
  it('tells a login page what it has to offer, and a user what is allowed', async () => {
    const limits = { ...rateLimits, login: null, create_repo: { ...rateLimits.create_repo, points: 50 } };
    const budget = { tokens: 1_000, cost_usd: null, active_ms: null };
    const limiter = createMemoryLimiter(limits);
    await using api = await startApi({ version: '1.2.3', budget, budgetIsFixed: true, ports: { limiter } });
    const stranger = await api.call('GET', '/api/server');
    expect([stranger.status, stranger.body]).toEqual([
      200,
      { registration: 'open', sign_in: ['password'], oidc_providers: [], password_reset: false, details: null },
    ]);
    const { body } = await api.call('GET', '/api/server', { as: await api.login() });
    expect(body.details).toMatchObject({
      version: '1.2.3',
      models: { plan: { names: ['builtin'], builtin: true }, embedding: null },
      sandbox: 'bwrap',
      codehost: null,
      limits: { body_bytes: 1_048_576, gate_timeout_ms: 604_800_000, budget, budget_is_fixed: true },
    });
    const { rates } = (body.details as { limits: { rates: { name: string }[] } }).limits;
    expect(rates.map(({ name }) => name)).toEqual(
      Object.keys(rateLimits).filter((name) => name !== 'login' && !name.endsWith('api_token')),
    );
    expect(rates.find(({ name }) => name === 'create_repo')).toEqual({
      name: 'create_repo',
      requests: 50,
      window_seconds: 3_600,
      per: 'user',
      counts: 'all',
    });
  });

  it('says who may register: the first user until there is one', async () => {
    await using api = await startApi({ registration: 'first-user' });
    const registration = async () => (await api.call('GET', '/api/server')).body.registration;
    expect(await registration()).toBe('first_user');
    await api.login();
    expect(await registration()).toBe('closed');
    await using invite = await startApi({ registration: 'invite' });
    expect((await invite.call('GET', '/api/server')).body.registration).toBe('first_user');
    const { body } = await invite.call('GET', '/api/server', { as: await invite.login() });
    expect([body.registration, (body.details as { invitations: string }).invitations]).toEqual(['invite', 'operators']);
    await using closed = await startApi({ registration: 'closed' });
    expect((await closed.call('GET', '/api/server')).body.registration).toBe('closed');
  });
});
