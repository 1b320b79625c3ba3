import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createSluiceClient } from './create-sluice-client.ts';
import { refusalOf } from './refusal.ts';

async function failureAgainst(listener: RequestListener, timeoutMs = 60_000): Promise<unknown> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const failure = await createSluiceClient({ url, timeoutMs })
    .issues.get.query({ id: '019aa000-0000-7000-8000-000000000001' })
    .catch((error: unknown) => error);
  server.closeAllConnections();
  server.close();
  return failure;
}

const json =
  (status: number, body: unknown): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

it('is the body that the server refused with', async () => {
  const data = { code: 'repo_busy', detail: 'Busy.', active_issue_id: 'x' };
  const failure = await failureAgainst(json(409, [{ error: { message: 'Busy.', code: -32009, data } }]));
  expect(refusalOf(failure)).toEqual(data);
});

it('is empty when something else answered', async () => {
  expect(
    refusalOf(await failureAgainst((_request, response) => void response.writeHead(502).end('<h1>no</h1>'))),
  ).toEqual({});
  expect(refusalOf(await failureAgainst((request) => void request.socket.destroy()))).toEqual({});
});

it('is empty when nobody answered in time', async () => {
  expect(refusalOf(await failureAgainst(() => {}, 50))).toEqual({});
});

it('is null for what is no call at all', () => {
  expect(refusalOf(new Error('x'))).toBeNull();
  expect(refusalOf('x')).toBeNull();
});
