import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSluiceClient, isSluiceError, type SluiceClient } from '@sluice/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ContractProxy, startContractProxy } from '../contract-proxy.ts';
import { openTerminal, PASSWORD, startService } from '../terminal.ts';

// Usual way: apps/cli/test/api-command.test.ts

const UUID = '019aa000-0000-7000-8000-000000000001';
let proxy: ContractProxy;

beforeAll(async () => {
  proxy = await startContractProxy();
});

afterAll(() => proxy?.[Symbol.asyncDispose]());

/** The result or the refusal of every kind of call. */
async function outcomes({ auth, repos, issues, codehost }: SluiceClient): Promise<unknown[]> {
  const calls: (() => Promise<unknown>)[] = [
    () => auth.me.query(),
    () => auth.login.mutate({ email: 'ada@example.com', password: 'not that one' }),
    () => auth.login.mutate({ email: 'ada@example.com', password: PASSWORD }),
    () => auth.account.update.mutate({ name: 'Ada' }),
    () => repos.list.query(),
    () => issues.list.query({ status: ['failed', 'cancelled'], limit: 5 }),
    () => issues.list.query({ limit: 101 }),
    () => repos.get.query({ id: UUID }),
    () => repos.create.mutate({ url: 'nonsense' }),
    () => codehost.repos.query({}),
    () => auth.logout.mutate(),
    () => auth.me.query(),
  ];
  const ended: unknown[] = [];
  for (const call of calls) {
    const outcome = call().catch((error: unknown) => {
      if (!isSluiceError(error)) throw error;
      const { code, status, detail, errors, retryAfterMs, requestId, body } = error;
      const { request_id, ...rest } = body;
      return { code, status, detail, errors, retryAfterMs, body: rest, isNamed: request_id === requestId };
    });
    ended.push(await outcome);
  }
  return ended;
}

it('returns the same results and refusals as the service does over tRPC', async () => {
  using terminal = await openTerminal();
  await using service = await startService(terminal);
  proxy.forwardTo(service.url);
  const direct = createSluiceClient({ url: service.url });
  await direct.auth.register.mutate({ email: 'ada@example.com', password: PASSWORD, name: 'Ada' });
  await direct.auth.logout.mutate();
  const expected = await outcomes(direct);
  expect(proxy.exchanges).toEqual([]);
  expect(await outcomes(createSluiceClient({ url: proxy.url }))).toEqual(expected);
  expect(proxy.exchanges.map(({ status }) => status)).toEqual([
    401, 401, 200, 200, 200, 200, 400, 404, 400, 409, 204, 401,
  ]);
});

async function listening(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]: () => void server.close().closeAllConnections(),
  };
}

it('behaves like an unreachable service without one, or when its response is truncated, and checks nothing then', async () => {
  const mark = proxy.exchanges.length;
  const asking = () => createSluiceClient({ url: proxy.url }).health.live.query();
  const { url: nowhere, ...gone } = await listening(() => {});
  gone[Symbol.dispose]();
  proxy.forwardTo(nowhere);
  await expect(asking()).rejects.toMatchObject({ code: 'unreachable', status: null });
  using half = await listening((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
    response.write('{', () => response.destroy());
  });
  proxy.forwardTo(half.url);
  await expect(asking()).rejects.toMatchObject({ code: 'unreachable', status: null });
  await proxy.idle();
  expect(proxy.exchanges).toHaveLength(mark);
});

it('forwards a stream as it arrives, and checks it when its reader has left', async () => {
  const mark = proxy.exchanges.length;
  using endless = await listening((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('id: 1\n\n');
  });
  proxy.forwardTo(endless.url);
  const reader = (await fetch(`${proxy.url}/api/events`)).body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('id: 1\n\n');
  expect(proxy.exchanges).toHaveLength(mark);
  await reader?.cancel();
  await proxy.idle();
  expect(proxy.exchanges.slice(mark)).toMatchObject([{ operationId: 'events-watch', status: 200 }]);
});

it('returns each cookie and redirect unchanged', async () => {
  using writes = await listening((_request, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:1/', 'set-cookie': ['a=1; Path=/', 'b=2; Path=/'] }).end();
  });
  proxy.forwardTo(writes.url);
  const answer = await fetch(`${proxy.url}/api/auth/codehost/callback`, { redirect: 'manual' });
  expect(answer.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2; Path=/']);
  expect(answer.headers.get('location')).toBe('http://127.0.0.1:1/');
});
