import { settableClock } from '@sluice/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFindRoute } from '../src/transport/rest/find-route.ts';
import { routeTable } from '../src/transport/rest/route-table.ts';
import { appRouter } from '../src/transport/trpc/app-router.ts';
import { byPassword, enrollApp, limiter, loginOf, opened, PASSWORD, userWithPassword } from './second-factor-user.ts';
import { type Login, type RunningApi, startApi } from './start-api.ts';

const clock = settableClock();
const now = () => clock.now().getTime();
const routes = routeTable(appRouter);
const ofUsers = routes.filter(({ meta }) => meta.session === true);
const REFUSED = 'second_factor_enrollment_required';
/** The procedures that a session may call before it has a factor. Every other procedure of users is refused. */
const ALLOWED = [
  'auth.secondFactors.add',
  'auth.secondFactors.beginPasskey',
  'auth.secondFactors.beginTotp',
  'auth.logout',
  'auth.me',
];

let api: RunningApi;
beforeAll(async () => {
  api = await startApi({ clock, ports: { limiter: limiter() }, secondFactor: 'required' });
});
afterAll(() => api[Symbol.asyncDispose]());

async function restricted(): Promise<Login & { email: string }> {
  const { email } = await userWithPassword(api);
  const answer = await byPassword(api, email);
  expect(opened(answer)).toBe(true);
  return { ...(await loginOf(api, answer)), email };
}

it('lets a session without a second factor do nothing but enroll, over REST and tRPC, streams included', async () => {
  const as = await restricted();
  const findRoute = createFindRoute(routes);
  for (const { name, method, path } of ofUsers) {
    const isAllowed = ALLOWED.includes(name) || name === 'auth.secondFactors.list';
    const target = `/api${path.replaceAll(/\{\w+\}/g, '0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f')}`;
    expect(findRoute(method, target.slice(4))).not.toBeNull();
    if (name === 'auth.logout') continue;
    const rest = await api.call(method, target, { as, ...(method === 'GET' ? {} : { json: {} }) });
    expect([name, rest.body?.code === REFUSED], name).toEqual([name, !isAllowed]);
    const isRead = method === 'GET';
    const trpc = await api.call(isRead ? 'GET' : 'POST', `/api/trpc/${name}`, { as, ...(isRead ? {} : { json: {} }) });
    expect(trpc.text.includes(REFUSED), name).toBe(!isAllowed);
  }
});

it('gives such a session no standing with public procedures, as the link of a code host account', async () => {
  const as = await restricted();
  expect((await api.call('GET', '/api/server', { as })).body.details).toBeNull();
});

it('frees the session that enrolls, and asks for the factor from then on', async () => {
  const as = await restricted();
  const before = await api.call('GET', '/api/auth/second-factors', { as });
  expect(before.body).toMatchObject({ required: true, must_enroll: true });
  const app = await enrollApp(api, as, now);
  expect((await api.call('GET', '/api/issues', { as })).status).toBe(200);
  const asked = await byPassword(api, as.email);
  expect(asked.body.code).toBe('second_factor_required');
  const json = { current_password: PASSWORD };
  const last = await api.call('POST', `/api/auth/second-factors/${app.id}/remove`, { as, json });
  expect([last.status, last.body.code]).toEqual([409, 'second_factor_last']);
});

it('restricts a new account too, and an account whose factors an operator removed', async () => {
  const json = { email: 'new@example.com', password: PASSWORD };
  const registered = await api.call('POST', '/api/auth/register', { json });
  expect(registered.status).toBe(201);
  const as = await loginOf(api, registered);
  expect((await api.call('GET', '/api/issues', { as })).body.code).toBe(REFUSED);
  await enrollApp(api, as, now);
  await api.stores.secondFactors.removeAll(as.user.id);
  expect((await api.call('GET', '/api/issues', { as })).status).toBe(401);
  const again = await loginOf(api, await byPassword(api, json.email));
  expect((await api.call('GET', '/api/issues', { as: again })).body.code).toBe(REFUSED);
});

it('asks nothing of sign-ins at a provider, and of sessions that were there before', async () => {
  const as = await api.login(); // as a sign-in at the code host opens it
  expect((await api.call('GET', '/api/issues', { as })).status).toBe(200);
});
