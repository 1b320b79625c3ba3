import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { expect, it } from 'vitest';
import { createSluiceClient } from './create-sluice-client.ts';
import { isSluiceError, type SluiceError } from './sluice-error.ts';
import { watchIssue } from './watch-issue.ts';

const id = '019aa000-0000-7000-8000-000000000001';

async function listening(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function failureAgainst(listener: RequestListener, timeoutMs = 60_000): Promise<SluiceError> {
  await using server = await listening(listener);
  const failure = await createSluiceClient({ url: server.url, timeoutMs })
    .issues.get.query({ id })
    .catch((error: unknown) => error);
  if (!isSluiceError(failure)) throw failure;
  return failure;
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const refusal = (httpStatus: number, error: object) => ({
  error: { message: 'no', code: -32000, data: { code: 'X', httpStatus, error } },
});

it('carries the error of the server, recognised by its code', async () => {
  const body = {
    code: 'repo_busy',
    detail: 'Busy.',
    active_issue_id: 'x',
    request_id: 'r-1',
    errors: [{ path: 'a', message: 'b' }, 'nonsense'],
  };
  const failure = await failureAgainst(json(409, refusal(409, body)));
  expect(isSluiceError(failure, 'repo_busy')).toBe(true);
  expect(isSluiceError(failure, 'timeout')).toBe(false);
  expect(failure).toMatchObject({
    name: 'SluiceError',
    message: 'Busy.',
    code: 'repo_busy',
    status: 409,
    detail: 'Busy.',
    requestId: 'r-1',
    retryAfterMs: null,
    errors: [{ path: 'a', message: 'b' }],
  });
  expect(failure.body.active_issue_id).toBe('x');
});

it('carries a refusal that the server answers before it looks for a procedure', async () => {
  const detail = 'Requests from this origin are refused. The operator can add it to CORS_ORIGINS.';
  const failure = await failureAgainst(json(403, { detail, code: 'origin_refused', request_id: 'r-1' }));
  expect(failure).toMatchObject({ code: 'origin_refused', status: 403, detail, requestId: 'r-1' });
});

it('reads the retry delay from the body or the header', async () => {
  const limited = refusal(429, { code: 'rate_limited', detail: 'Slow.', retry_after_seconds: 7 });
  expect(await failureAgainst(json(429, limited))).toMatchObject({ retryAfterMs: 7_000, status: 429 });
  const away = refusal(503, { code: 'not_ready', detail: 'Away.' });
  expect(await failureAgainst(json(503, away, { 'retry-after': '5' }))).toMatchObject({ retryAfterMs: 5_000 });
  expect(await failureAgainst(json(503, away, { 'retry-after': 'soon' }))).toMatchObject({ retryAfterMs: null });
});

it.each<[string, RequestListener, object]>([
  ['a page', (_request, response) => void response.end('<h1>Hello</h1>'), { code: 'unexpected_answer', status: 200 }],
  ['an empty body', (_request, response) => void response.end(), { code: 'unexpected_answer', status: 200 }],
  [
    'half an answer',
    (_request, response) => void response.setHeader('content-type', 'application/json').end('{'),
    { code: 'unexpected_answer' },
  ],
  ['other JSON', json(200, { hello: 'world' }), { code: 'unexpected_answer', status: 200 }],
  ['null', json(200, null), { code: 'unexpected_answer', status: 200 }],
  ['a page that is not there', json(404, {}), { code: 'unexpected_answer', status: 404 }],
  ['a refusal in our form and not our words', json(400, refusal(400, { code: 1 })), { code: 'unexpected_answer' }],
  ['a proxy without its server', json(502, {}), { code: 'unreachable', status: 502 }],
])('knows what is no answer of a server: %s', async (_title, listener, expected) => {
  expect(await failureAgainst(listener)).toMatchObject(expected);
});

it('follows no redirect, and names its target', async () => {
  await using elsewhere = await listening(() => expect.unreachable());
  const failure = await failureAgainst((_request, response) => {
    response.writeHead(301, { location: `${elsewhere.url}/x`, 'set-cookie': 'access_token=a' }).end();
  });
  expect(failure).toMatchObject({ code: 'unexpected_answer', status: 301 });
  expect(failure.detail).toContain(`Use ${elsewhere.url} if you trust it`);
});

it('explains a refused connection, an unknown host name and a broken connection', async () => {
  const closed = createNetServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  const failing = (url: string) => createSluiceClient({ url }).auth.me.query({});
  await expect(failing(`http://127.0.0.1:${port}`)).rejects.toMatchObject({
    code: 'unreachable',
    status: null,
    detail: `The connection to http://127.0.0.1:${port} was refused. Check that the server is running and that the address is right.`,
  });
  await expect(failing('http://sluice.invalid')).rejects.toMatchObject({ code: 'unreachable' });
  expect(await failureAgainst((request) => void request.socket.destroy())).toMatchObject({ code: 'unreachable' });
});

it('times out while it waits for the headers or the body of an answer', async () => {
  expect(await failureAgainst(() => {}, 50)).toMatchObject({ code: 'timeout', status: null });
  const half: RequestListener = (_request, response) =>
    void response.setHeader('content-type', 'application/json').write('{');
  expect(await failureAgainst(half, 50)).toMatchObject({ code: 'timeout' });
  await using server = await listening(() => {});
  const patient = createSluiceClient({ url: server.url });
  await expect(patient.issues.get.query({ id }, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'timeout' });
});

it('rejects with the reason of the signal that aborts a call, before it or during it', async () => {
  const requests: string[] = [];
  const controller = new AbortController();
  const reason = new Error('enough');
  await using server = await listening((request) => {
    requests.push(request.url ?? '');
    controller.abort(reason);
  });
  const client = createSluiceClient({ url: server.url });
  await expect(client.auth.me.query({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(requests).toEqual([]);
  await expect(client.auth.me.query({}, { signal: controller.signal })).rejects.toBe(reason);
});

it('ends a stream whose answer is not from a Sluice server, and says so', async () => {
  await using server = await listening((_request, response) => void response.writeHead(403).end('<h1>no</h1>'));
  const watching = watchIssue(createSluiceClient({ url: server.url }), id).next();
  await expect(watching).rejects.toMatchObject({ code: 'unexpected_answer', status: 403 });
});

it('ends a stream that the server refuses, with its error', async () => {
  await using server = await listening(json(401, refusal(401, { code: 'session_missing', detail: 'Log in first.' })));
  const watching = watchIssue(createSluiceClient({ url: server.url }), id).next();
  await expect(watching).rejects.toMatchObject({ code: 'session_missing', status: 401, detail: 'Log in first.' });
});

it('recognises errors by class, not by shape', () => {
  expect(isSluiceError(Object.assign(new Error('x'), { code: 'timeout', name: 'SluiceError' }))).toBe(false);
  expect(isSluiceError(null)).toBe(false);
});

it('rejects an invalid address and an invalid call', () => {
  expect(() => createSluiceClient({ url: 'sluice.example.com' })).toThrow(TypeError);
  expect(() => createSluiceClient({ url: 'ftp://sluice.example.com' })).toThrow(TypeError);
  const client = createSluiceClient({ url: 'http://127.0.0.1:1' });
  expect(() => (client.issues as unknown as { get: () => void }).get()).toThrow(/ends in query, mutate or subscribe/);
});
