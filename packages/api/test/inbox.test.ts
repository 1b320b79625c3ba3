import { afterEach, beforeEach, expect, it } from 'vitest';
import { inboxWire } from '../src/issues/read-inbox.procedure.ts';
import { type Login, type RunningApi, startApi } from './start-api.ts';

let api: RunningApi;
let ada: Login;
beforeEach(async () => {
  api = await startApi({ maxActivePipelines: 3 });
  ada = await api.login();
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

it('shows what needs the user, what runs and what waits, without texts', async () => {
  const issue = async (title: string) => await api.issue(ada, { repo_id: (await api.repo(ada)).id, title, body: 'B' });
  const asked = await issue('asked');
  await api.toGate(asked.id);
  const failed = await issue('failed');
  await api.fail(failed.id);
  const running = await issue('running');
  await issue('running, too');
  const waiting = await issue('waiting');
  const { status, body } = await api.call('GET', '/api/inbox', { as: ada });
  expect(status).toBe(200);
  const { needs_you, queued, counts, ...inbox } = inboxWire.parse(body);
  expect(needs_you.items.map(({ id, wants, error }) => [id, wants, error === null]).sort()).toEqual(
    [
      [asked.id, 'plan', true],
      [failed.id, 'failure', false],
    ].sort(),
  );
  expect(queued.items).toMatchObject([{ id: waiting.id, waits_for: 'slot', queue_position: 1 }]);
  expect(inbox.running.items.map(({ title }) => title)).toEqual(['running', 'running, too']);
  expect(inbox.running.items[0]).toMatchObject({ usage: { cost_usd: 0 }, repo_name: expect.any(String) });
  expect(inbox.running.items[0]).not.toHaveProperty('body');
  expect(counts).toMatchObject({ pending: 1, running: 2, awaiting_approval: 1, failed: 1, completed: 0 });
  const narrowed = await api.call('GET', `/api/inbox?repo_id=${running.repo_id}&q=run`, { as: ada });
  expect(narrowed.body).toMatchObject({ running: { items: [{ id: running.id }] }, needs_you: { items: [] } });
});
