import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rateLimitOf } from '../src/procedure/route-meta.ts';
import { type Route, routeTable } from '../src/transport/rest/route-table.ts';
import { appRouter } from '../src/transport/trpc/app-router.ts';
import { oldNames } from '../src/transport/trpc/old-names.ts';
import { servedRouter } from '../src/transport/trpc/trpc-handler.ts';
import { type Answer, type Login, type RunningApi, startApi } from './start-api.ts';

const routes = new Map(routeTable(appRouter).map((route) => [route.name, route]));
const renamed = Object.entries(oldNames).map(([old, name]) => {
  const route = routes.get(name);
  if (route === undefined) throw new Error(`There is no procedure ${name}.`);
  return { old, route };
});

let api: RunningApi;
let ada: Login;
beforeEach(async () => {
  api = await startApi({ takesApiTokens: true });
  ada = await api.login();
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

const wrong = { wrong: 'on purpose' };

/** A malformed call over tRPC by this name. */
function byName(name: string, { method }: Route, as: Login | undefined) {
  const path = `/api/trpc/${name}`;
  if (method !== 'GET') return api.call('POST', path, { as, json: wrong });
  return api.call('GET', `${path}?input=${encodeURIComponent(JSON.stringify(wrong))}`, { as });
}

/** A malformed request for it. */
function byRest({ method, path }: Route, as: Login | undefined) {
  const target = `/api${path.replaceAll(/\{\w+\}/g, 'x')}`;
  return method === 'GET'
    ? api.call(method, `${target}?wrong=1`, { as })
    : api.call(method, target, { as, json: wrong });
}

describe('an old name', () => {
  it('stands for the very procedure that has the new one, and for nothing that REST or the document has', () => {
    const served = servedRouter._def.procedures as Record<string, unknown>;
    const canonical = appRouter._def.procedures as Record<string, unknown>;
    for (const { old, route } of renamed) {
      expect(served[old], old).toBe(canonical[route.name]);
      expect(canonical[old], old).toBeUndefined();
    }
    expect(Object.keys(served)).toHaveLength(Object.keys(canonical).length + renamed.length);
    expect(renamed).toHaveLength(33);
  });

  // The first procedure that counts against each limit: the others are the same procedure by both names, see above.
  const limited = new Map<string, (typeof renamed)[number]>();
  for (const one of renamed) {
    const limit = rateLimitOf(one.route.meta);
    if (limit !== undefined && !limited.has(limit)) limited.set(limit, one);
  }

  it('is left untried for no limit of a renamed procedure', () => {
    expect([...limited.keys()].toSorted()).toEqual([
      'change_account',
      'mutation',
      'reset_password',
      'start_codehost_login',
      'start_oidc_login',
      'use_link',
    ]);
  });

  it.each([...limited])('uses up the limit %s together with the new name and REST', async (limit, { old, route }) => {
    const as = route.meta.session === true ? ada : undefined;
    const ways: (() => Promise<Answer>)[] = [
      () => byName(old, route, as),
      () => byName(route.name, route, as),
      () => byRest(route, as),
    ];
    const points = api.deps.limiter.limits[limit as 'mutation']?.points ?? 0;
    expect(points).toBeGreaterThan(3);
    for (let count = 0; count < points; count += 1) expect((await ways[count % 3]?.())?.status).toBe(400);
    for (const way of ways) {
      const refused = await way();
      expect(refused.status).toBe(429);
      expect(refused.headers.get('ratelimit-policy')).toContain(`"${limit}";q=${points};`);
    }
  });

  it('answers as the new one does, in one batch with it', async () => {
    const answer = await api.call('GET', '/api/trpc/auth.sessions,auth.sessions.list,auth%2Esessions?batch=1', {
      as: ada,
    });
    const [old, now, encoded] = answer.body as unknown as { result: { data: { items: unknown[] } } }[];
    expect(answer.status).toBe(200);
    expect(old?.result.data.items).toHaveLength(1);
    expect([old, encoded]).toEqual([now, now]);
  });

  it('needs what the new one needs: no API token does for it', async () => {
    const json = { name: 'CI', scope: 'admin', expires_in_days: 1 };
    const { body } = await api.call('POST', '/api/tokens', { as: ada, json });
    for (const name of ['auth.preferences', 'auth.preferences.get']) {
      const refused = await api.call('GET', `/api/trpc/${name}`, { by: String(body.token) });
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([
        403,
        expect.stringContaining('session_required'),
      ]);
      expect((await api.call('GET', `/api/trpc/${name}`)).status).toBe(401);
    }
  });

  it('leaves the audit entry that the new one leaves', async () => {
    const actions = async () => {
      const { body } = await api.call('GET', '/api/audit', { as: ada });
      return (body.items as { action: string; detail: unknown }[]).map(({ action, detail }) => ({ action, detail }));
    };
    for (const name of ['auth.updateMe', 'auth.account.update']) {
      const json = { name: `Ada by ${name.length}` };
      expect((await api.call('POST', `/api/trpc/${name}`, { as: ada, json })).status).toBe(200);
    }
    const [now, old] = await actions();
    expect(old).toMatchObject({ action: 'account.changed' });
    expect(old).toEqual(now);
  });
});
