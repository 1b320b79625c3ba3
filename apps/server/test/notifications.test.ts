import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { serveOnLoopback, untilFound } from '@sluice/testing';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { anIssue } from './an-issue.ts';
import { signUp } from './http-session.ts';
import { fixingIssue } from './scratch-repo.ts';
import { startScratchServer } from './scratch-server.ts';

const TARGETS = '/api/notifications/targets';

interface Target {
  readonly id: string;
  readonly secret: string;
}

/** A webhook's receiver that takes everything. */
async function startReceiver() {
  const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  const server = await serveOnLoopback(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(204).end();
  });
  return { ...server, received };
}

it('a webhook tells of a gate and of the end, signed as Standard Webhooks are, and is replayed under the same id', async () => {
  await using receiver = await startReceiver();
  await using server = await startScratchServer({ NOTIFY_ALLOW_HOSTS: new URL(receiver.origin).host });
  const person = await signUp(server.url);
  const made = await person.call<Target>('POST', TARGETS, { url: `${receiver.origin}/hook` });
  expect(made.status).toBe(201);
  const webhook = new Webhook(made.body.secret);
  const opened = (at: number) => {
    const { headers, body } = receiver.received[at] ?? { headers: {}, body: '' };
    return webhook.verify(body, headers as Record<string, string>) as Record<string, unknown>;
  };
  const { id } = await anIssue(person);
  const issue = await person.reaches(id, 'awaiting_approval');
  await untilFound(async () => receiver.received[0]);
  expect(opened(0)).toMatchObject({
    type: 'gate.opened',
    data: { issue_id: id, title: fixingIssue.title, revision: 1, url: `${server.url}/issues/${id}` },
  });
  await person.call('POST', `/api/issues/${id}/approve`, { action: 'approve', revision: issue.plan?.revision });
  await person.reaches(id, 'completed');
  await untilFound(async () => receiver.received[1]);
  expect(opened(1)).toMatchObject({ type: 'issue.completed', data: { issue_id: id, change_request: null } });

  const path = `${TARGETS}/${made.body.id}`;
  const deliveries = async () =>
    (await person.call<{ items: { id: string }[] }>('GET', `${path}/deliveries`)).body.items;
  const ended = await untilFound(async () => {
    const all = await deliveries();
    return all.every((one) => 'status' in one && one.status === 'delivered') ? all : undefined;
  });
  expect(ended).toMatchObject([{ attempts: 1, last_status: 204, last_error: null }, { attempts: 1 }]);
  await person.call('POST', `${path}/replay`, { delivery_id: ended[1]?.id });
  await untilFound(async () => receiver.received[2]);
  expect(opened(2)).toEqual(opened(0));
  const idOf = (at: number) => receiver.received[at]?.headers['webhook-id'];
  expect([idOf(2), idOf(1) === idOf(0)]).toEqual([idOf(0), false]);
});

it('refuses a private address with a clear message, and shows a target only to its user', async () => {
  await using server = await startScratchServer();
  const [ada, eve] = [await signUp(server.url), await signUp(server.url)];
  for (const url of ['https://10.0.0.5/hook', 'https://127.0.0.1/hook', 'https://[::1]/', 'https://169.254.169.254/']) {
    const refused = await ada.call('POST', TARGETS, { url });
    expect([refused.status, refused.body.detail]).toEqual([
      400,
      'Notifications cannot be sent to this URL: it has an address that is not public (the operator can list its host in NOTIFY_ALLOW_HOSTS).',
    ]);
  }
  // A name that leads to one is refused when something is sent.
  const { body } = await ada.call<Target>('POST', TARGETS, { url: 'https://localhost/hook' });
  await ada.call('POST', `${TARGETS}/${body.id}/test`);
  const failed = await untilFound(async () => {
    const list = await ada.call<{ items: { last_error: string | null }[] }>('GET', `${TARGETS}/${body.id}/deliveries`);
    return list.body.items.find((one) => one.last_error !== null);
  });
  expect(failed.last_error).toContain('has an address that is not public');
  expect((await eve.call('GET', `${TARGETS}/${body.id}`)).status).toBe(403);
  expect((await eve.call('DELETE', `${TARGETS}/${body.id}`)).status).toBe(403);
  expect((await eve.call<{ items: unknown[] }>('GET', TARGETS)).body.items).toEqual([]);
});
