import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSluiceClient, isSluiceError, type SluiceClient } from '@sluice/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Judge, startJudge } from './judge.ts';
import { openTerminal, PASSWORD, startService } from './terminal.ts';

const UUID = '019aa000-0000-7000-8000-000000000001';
let judge: Judge;

beforeAll(async () => {
  judge = await startJudge();
});

afterAll(() => judge?.[Symbol.asyncDispose]());

/** Every kind of call: what it gave, or what it was refused with. */
async function outcomes({ auth, repos, issues, codehost }: SluiceClient): Promise<unknown[]> {
  const calls: (() => Promise<unknown>)[] = [
    () => auth.me.query(),
    () => auth.login.mutate({ email: 'ada@example.com', password: 'not that one' }),
    () => auth.login.mutate({ email: 'ada@example.com', password: PASSWORD }),
    () => auth.updateMe.mutate({ name: 'Ada' }),
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

it('lets a client have what the service says in tRPC, given and refused', async () => {
  using terminal = await openTerminal();
  const service = await startService(terminal);
  judge.standBefore(service.url);
  const direct = createSluiceClient({ url: service.url });
  await direct.auth.register.mutate({ email: 'ada@example.com', password: PASSWORD, name: 'Ada' });
  await direct.auth.logout.mutate();
  const expected = await outcomes(direct);
  expect(judge.exchanges).toEqual([]);
  expect(await outcomes(createSluiceClient({ url: judge.url }))).toEqual(expected);
  expect(judge.exchanges.map(({ status }) => status)).toEqual([
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

it('is as a service that is away where there is none, or where its answer breaks off, and judges nothing then', async () => {
  const mark = judge.exchanges.length;
  const asking = () => createSluiceClient({ url: judge.url }).health.live.query();
  const { url: nowhere, ...gone } = await listening(() => {});
  gone[Symbol.dispose]();
  judge.standBefore(nowhere);
  await expect(asking()).rejects.toMatchObject({ code: 'unreachable', status: null });
  using half = await listening((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
    response.write('{', () => response.destroy());
  });
  judge.standBefore(half.url);
  await expect(asking()).rejects.toMatchObject({ code: 'unreachable', status: null });
  await judge.idle();
  expect(judge.exchanges).toHaveLength(mark);
});

it('passes a stream on while it goes on, and judges it when its reader has left', async () => {
  const mark = judge.exchanges.length;
  using endless = await listening((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('id: 1\n\n');
  });
  judge.standBefore(endless.url);
  const reader = (await fetch(`${judge.url}/api/events`)).body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('id: 1\n\n');
  expect(judge.exchanges).toHaveLength(mark);
  await reader?.cancel();
  await judge.idle();
  expect(judge.exchanges.slice(mark)).toMatchObject([{ operationId: 'events-watch', status: 200 }]);
});

it('gives a client each cookie and each redirect as the service wrote it', async () => {
  using writes = await listening((_request, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:1/', 'set-cookie': ['a=1; Path=/', 'b=2; Path=/'] }).end();
  });
  judge.standBefore(writes.url);
  const answer = await fetch(`${judge.url}/api/auth/codehost/callback`, { redirect: 'manual' });
  expect(answer.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2; Path=/']);
  expect(answer.headers.get('location')).toBe('http://127.0.0.1:1/');
});
