import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { scratchOrigin } from './people/scratch-origin.ts';
import { startCodeHost } from './start-code-host.ts';

const REPO = 'ann/widget';
const SECRET = 'shared secret';

async function aListener() {
  const got: { id: string; event: string; signed: boolean; body: Record<string, unknown> }[] = [];
  // By itself Node lets go of a quiet connection after 5 s, and on a busy machine a client asks on it at that very moment.
  const server = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
    const signed = request.headers['x-hub-signature-256'] === signature;
    const event = String(request.headers['x-github-event']);
    got.push({ id: String(request.headers['x-github-delivery']), event, signed, body: JSON.parse(body.toString()) });
    response.writeHead(signed ? 202 : 401).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return {
    url,
    got,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function aHost(url: string) {
  using origin = scratchOrigin();
  const host = await startCodeHost();
  host.addUser({ login: 'ann' });
  await host.addRepo({ fullName: REPO, from: origin.path });
  host.webhooks.add({ url, secret: SECRET });
  return host;
}

it('sends signed deliveries of issues, labels, comments and pull requests, in order', async () => {
  await using listener = await aListener();
  await using host = await aHost(listener.url);
  const by = 'ann';
  const issue = { repo: REPO, number: host.openIssue(REPO, { title: 'broken', by }), by };
  host.label(issue, 'sluice');
  host.comment(issue, 'please');
  await host.push(REPO, { by, branch: 'work', files: { 'a.txt': 'a\n' } });
  const pull = {
    repo: REPO,
    number: await host.openPull(REPO, { title: 'A change', head: 'work', base: 'main', by }),
    by,
  };
  host.review(pull, { state: 'CHANGES_REQUESTED', body: 'no' });
  host.commentLine(pull, { path: 'a.txt', line: 1, body: 'here' });
  await host.push(REPO, { by, branch: 'work', files: { 'a.txt': 'b\n' } });
  await host.merge(pull);
  await host.webhooks.settled();
  expect(listener.got.every(({ signed }) => signed)).toBe(true);
  expect(listener.got.map(({ event, body }) => `${event} ${body.action ?? ''}`)).toEqual([
    'issues opened',
    'issues labeled',
    'issue_comment created',
    'push ',
    'pull_request opened',
    'pull_request_review submitted',
    'pull_request_review submitted',
    'pull_request_review_comment created',
    'pull_request synchronize',
    'push ',
    'push ',
    'pull_request closed',
  ]);
  expect(listener.got.at(-1)?.body).toMatchObject({ pull_request: { merged: true }, repository: { full_name: REPO } });
});

it('holds deliveries and sends them turned around and twice, under the ids they had', async () => {
  await using listener = await aListener();
  await using host = await aHost(listener.url);
  host.webhooks.hold();
  for (const title of ['a', 'b']) host.openIssue(REPO, { title, by: 'ann' });
  await host.webhooks.settled();
  expect(listener.got).toEqual([]);
  expect(await host.webhooks.release((held) => [...held.toReversed(), ...held])).toEqual([202, 202, 202, 202]);
  const [a, b] = host.webhooks.deliveries;
  expect(listener.got.map(({ id }) => id)).toEqual([b?.id, a?.id, a?.id, b?.id]);
});

it('forges, repeats and floods', async () => {
  await using listener = await aListener();
  await using host = await aHost(listener.url);
  host.openIssue(REPO, { title: 'a', by: 'ann' });
  await host.webhooks.settled();
  const delivery = host.webhooks.deliveries[0];
  if (delivery === undefined) throw new Error('nothing was delivered');
  expect(await host.webhooks.forge(delivery, { secret: 'guess' })).toBe(401);
  expect(await host.webhooks.forge(delivery, { signed: false })).toBe(401);
  expect(await host.webhooks.redeliver(delivery)).toBe(202);
  expect(delivery.statuses).toEqual([202, 401, 401, 202]);
  expect(new Set(await host.webhooks.burst(delivery, { count: 300 }))).toEqual(new Set([202]));
  expect(new Set(listener.got.map(({ id }) => id)).size).toBe(301);
});
