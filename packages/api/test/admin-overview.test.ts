import { expect, it } from 'vitest';
import { startApi } from './start-api.ts';

const OVERVIEW = '/api/admin/overview';

it('is for operators: the first account, and those whom an operator on the machine makes one', async () => {
  await using api = await startApi();
  const [first, second] = [await api.login(), await api.login()];
  expect((await api.call('GET', '/api/auth/me', { as: first })).body.operator).toBe(true);
  expect((await api.call('GET', OVERVIEW, { as: first })).status).toBe(200);
  const refused = await api.call('GET', OVERVIEW, { as: second });
  expect([refused.status, refused.body.code]).toEqual([403, 'operator_required']);
  expect(refused.body.detail).toContain('sluice admin users grant-operator');
  await api.stores.users.grantOperator(second.user.id);
  expect((await api.call('GET', '/api/auth/me', { as: second })).body.operator).toBe(true);
  expect((await api.call('GET', OVERVIEW, { as: second })).status).toBe(200);
  expect(await api.stores.users.revokeOperator(first.user.id)).toEqual({ kind: 'revoked' });
  expect((await api.call('GET', OVERVIEW, { as: first })).status).toBe(403);
});

it('shows the slots of all users, what waits, the workers and what is set', async () => {
  const configuration = [
    { name: 'PORT', value: '3000', source: 'environment', path: null },
    { name: 'SESSION_SECRET', value: null, source: '.env', path: '/srv/.env' },
  ] as const;
  await using api = await startApi({ maxActivePipelines: 1, version: '1.2.3', configuration });
  const [operator, user] = [await api.login(), await api.login()];
  const held = await api.issue(user, { title: 'The one that runs' });
  await api.issue(user);
  const described = {
    id: 'worker-1',
    hostName: 'host-1',
    pid: 7,
    role: 'all',
    version: '1.2.3',
    concurrency: 3,
  } as const;
  const sandbox = { kind: 'bwrap', usable: true, problem: null, gaps: ['no limit on memory'] };
  await api.stores.workers.put({ ...described, sandbox });
  await api.stores.runs.claim(held.id as never, { owner: 'worker-1', ttlMs: 60_000 });
  const { body } = await api.call('GET', OVERVIEW, { as: operator });
  expect(body).toMatchObject({
    version: '1.2.3',
    queue: { waiting_for_slot: 1, waiting_for_repo: 0, oldest_queued_at: expect.any(String) },
    slots: [
      {
        number: 1,
        retired: false,
        holder: {
          issue_id: held.id,
          title: 'The one that runs',
          owner: { id: user.user.id, email: user.user.email, codehost_login: null },
          status: 'running',
          stage: 'prepare',
          since: expect.any(String),
          worker_id: 'worker-1',
        },
      },
    ],
    workers: [{ id: 'worker-1', host: 'host-1', pid: 7, state: 'running', sandbox }],
    readiness: { status: 'up' },
    configuration,
  });
});

it('answers while Redis or the vector store is away, and says which', async () => {
  const away = { check: () => Promise.reject(new Error('connection refused at 10.0.0.7')) };
  await using api = await startApi({ health: { cache: away, vector_store: away } });
  const { status, body, text } = await api.call('GET', OVERVIEW, { as: await api.login() });
  expect([status, body.readiness]).toMatchObject([
    200,
    {
      status: 'down',
      checks: { database: { status: 'up' }, cache: { status: 'down' }, vector_store: { status: 'down' } },
    },
  ]);
  expect(text).not.toContain('10.0.0.7');
});
