import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createSluiceClient } from './create-sluice-client.ts';
import { isFailedCall, refusalOf } from './refusal.ts';

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
  const body = { code: 'repo_busy', detail: 'Busy.', active_issue_id: 'x' };
  const data = { code: 'CONFLICT', httpStatus: 409, error: body };
  const failure = await failureAgainst(json(409, [{ error: { message: 'Busy.', code: -32009, data } }]));
  expect(refusalOf(failure)).toEqual(body);
});

it.each<[string, RequestListener, number?]>([
  ['something else answered', (_request, response) => void response.writeHead(502).end('<h1>no</h1>')],
  ['something else answered in our words', json(502, [{ error: { message: 'no', code: -1, data: { error: 'no' } } }])],
  ['the connection broke', (request) => void request.socket.destroy()],
  ['nobody answered in time', () => {}, 50],
])('is null, and the call failed, when %s', async (_title, listener, timeoutMs) => {
  const failure = await failureAgainst(listener, timeoutMs);
  expect([refusalOf(failure), isFailedCall(failure)]).toEqual([null, true]);
});

it('is null for what is no call at all', () => {
  expect([refusalOf(new Error('x')), isFailedCall(new Error('x'))]).toEqual([null, false]);
});
