import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { initTRPC } from '@trpc/server';
import { createOpenApiNodeHttpHandler, type OpenApiMeta } from 'trpc-to-openapi';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { lockCoercion } from './lock-coercion.ts';

const t = initTRPC.meta<OpenApiMeta>().create();
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

function routerOf(method: 'GET' | 'POST') {
  const input = z.strictObject({
    n: z.number().optional(),
    b: z.boolean().nullable().default(true),
    deep: z
      .object({ list: z.array(z.int()).optional(), either: z.union([z.boolean(), z.string()]).optional() })
      .optional(),
  });
  const flat = z.strictObject({ n: z.number().optional() });
  return t.router({
    take: t.procedure
      .meta({ openapi: { method, path: '/take' } })
      .input(method === 'GET' ? flat : input)
      .output(z.object({ seen: z.unknown() }))
      .mutation(({ input: seen }) => ({ seen })),
  });
}

/** Sends the body through the adapter as it is, which is what loosens a schema that is not locked. */
async function post(router: ReturnType<typeof routerOf>, body: unknown): Promise<{ status: number; seen: unknown }> {
  const handle = createOpenApiNodeHttpHandler({ router });
  const server = createServer((req, res) => void handle(req, res));
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/take`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, seen: ((await response.json()) as { seen?: unknown }).seen };
}

describe('lockCoercion', () => {
  it('is needed: without it "false" becomes true and null becomes 0, over tRPC too', async () => {
    const router = routerOf('POST');
    const inProcess = () => router.createCaller({}).take({ b: 'false' } as never);
    await expect(inProcess()).rejects.toThrow();
    expect(await post(router, { n: null, b: 'false' })).toEqual({ status: 200, seen: { n: 0, b: true } });
    await expect(inProcess()).resolves.toEqual({ seen: { b: true } });
  });

  it.each([
    { n: '5' },
    { n: null },
    { n: true },
    { n: '' },
    { b: 'false' },
    { b: 0 },
    { deep: { list: ['1'] } },
    { deep: { either: 1 } },
  ])('keeps %j refused on both transports, before and after a request', async (body) => {
    const router = routerOf('POST');
    lockCoercion(router);
    lockCoercion(router);
    expect((await post(router, body)).status).toBe(400);
    expect((await post(router, body)).status).toBe(400);
    await expect(router.createCaller({}).take(body as never)).rejects.toThrow();
    expect(await post(router, { n: 5, b: false })).toEqual({ status: 200, seen: { n: 5, b: false } });
  });

  it('refuses to start with a number in a query, which could never be given', () => {
    expect(() => lockCoercion(routerOf('GET'))).toThrow(/take has a number in its query/);
  });
});
