import { spawn } from 'node:child_process';
import { EventEmitter, on, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { initTRPC, TRPCError, tracked } from '@trpc/server';
import { createHTTPHandler } from '@trpc/server/adapters/standalone';
import { expect, it } from 'vitest';
import { memoryCookies } from './cookie-store.ts';
import { createSluiceClient, type SluiceClient } from './create-sluice-client.ts';
import { SluiceError } from './sluice-error.ts';
import { watchIssue } from './watch-issue.ts';

interface Stage extends AsyncDisposable {
  readonly client: SluiceClient;
  /** Every event's sequence number, and null for the end. */
  readonly sequence: EventEmitter;
  readonly cookies: (string | undefined)[];
  watchers(): number;
  dropConnections(): void;
}

/** A server whose one procedure streams the numbers that a test writes, and knows those that were written before. */
async function openStage(written: number[] = []): Promise<Stage> {
  const sequence = new EventEmitter().setMaxListeners(100);
  const cookies: (string | undefined)[] = [];
  const sockets = new Set<Socket>();
  let watchers = 0;
  sequence.on('event', (seq: number | null) => void (seq !== null && written.push(seq)));
  const t = initTRPC.context<{ cookie: string | undefined }>().create({
    errorFormatter: ({ shape }) => ({
      ...shape,
      data: { ...shape.data, error: { code: 'issue_not_found', detail: 'There is none.' } },
    }),
  });
  const events = t.procedure
    .input((raw) => raw as { id: string; lastEventId?: string })
    .subscription(async ({ ctx, input, signal }) => {
      cookies.push(ctx.cookie);
      if (input.id === 'unknown') throw new TRPCError({ code: 'NOT_FOUND' });
      return (async function* () {
        watchers += 1;
        const news = on(sequence, 'event', { signal });
        try {
          for (const seq of [...written]) {
            if (seq > Number(input.lastEventId ?? 0)) yield tracked(String(seq), { seq });
          }
          for await (const [seq] of news as AsyncIterable<[number | null]>) {
            if (seq === null) return;
            yield tracked(String(seq), { seq });
          }
        } finally {
          watchers -= 1;
        }
      })();
    });
  const router = t.router({ issues: t.router({ events }) });
  const handler = createHTTPHandler({
    router,
    basePath: '/api/trpc/',
    createContext: ({ req, res }) => {
      res.appendHeader('set-cookie', 'access_token=renewed; Path=/');
      return { cookie: req.headers.cookie };
    },
  });
  const server: Server = createServer(handler).listen(0, '127.0.0.1');
  server.on('connection', (socket) => void sockets.add(socket.on('close', () => sockets.delete(socket))));
  await once(server, 'listening');
  const dropConnections = () => {
    for (const socket of sockets) socket.destroy();
  };
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const kept = memoryCookies();
  await kept.save(origin, [{ name: 'access_token', value: 'kept', path: '/', secure: false, expires_at: null }]);
  return {
    client: createSluiceClient({ url: `${origin}/`, cookies: kept }),
    sequence,
    cookies,
    watchers: () => watchers,
    dropConnections,
    async [Symbol.asyncDispose]() {
      dropConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const nobodyWatches = (stage: Stage) => expect.poll(() => stage.watchers()).toBe(0);

it('gives what was written before, then what comes, and ends with the stream', async () => {
  await using stage = await openStage([1, 2]);
  const seen: unknown[] = [];
  for await (const event of watchIssue(stage.client, 'id', {})) {
    seen.push(event);
    if (seen.length === 2) stage.sequence.emit('event', 3);
    if (seen.length === 3) stage.sequence.emit('event', null);
  }
  expect(seen).toEqual([{ seq: 1 }, { seq: 2 }, { seq: 3 }]);
  await nobodyWatches(stage);
});

it('goes on after the last event that it saw when the connection drops', async () => {
  await using stage = await openStage([1, 2]);
  const seen: number[] = [];
  for await (const event of watchIssue(stage.client, 'id', {})) {
    seen.push((event as { seq: number }).seq);
    if (seen.length === 2) {
      stage.dropConnections();
      stage.sequence.emit('event', 3);
    }
    if (seen.length === 3) {
      await expect.poll(() => stage.watchers()).toBe(1);
      stage.sequence.emit('event', 4);
      stage.sequence.emit('event', null);
    }
  }
  expect(seen).toEqual([1, 2, 3, 4]);
});

it('sends the session, and the one that it was given since', async () => {
  await using stage = await openStage([1]);
  for (let time = 0; time < 2; time += 1) {
    for await (const _ of watchIssue(stage.client, 'id', {})) break;
  }
  expect(stage.cookies).toEqual(['access_token=kept', 'access_token=renewed']);
});

it('throws what the server refused with', async () => {
  await using stage = await openStage();
  const refused = await watchIssue(stage.client, 'unknown', {})
    .next()
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(SluiceError);
  expect(refused).toMatchObject({ code: 'issue_not_found', detail: 'There is none.' });
});

it('asks nothing of the server when it is aborted before', async () => {
  await using stage = await openStage([1]);
  const reason = new Error('no more');
  await expect(watchIssue(stage.client, 'id', { signal: AbortSignal.abort(reason) }).next()).rejects.toBe(reason);
  expect(stage.cookies).toEqual([]);
});

it('stops waiting when it is aborted, and lets go of the stream', async () => {
  await using stage = await openStage([1]);
  const controller = new AbortController();
  const reason = new Error('no more');
  const events = watchIssue(stage.client, 'id', { signal: controller.signal });
  await events.next();
  const waiting = events.next();
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await nobodyWatches(stage);
});

it('gives no event that still waited when it was aborted', async () => {
  await using stage = await openStage([1, 2, 3]);
  const controller = new AbortController();
  const events = watchIssue(stage.client, 'id', { signal: controller.signal });
  await events.next();
  controller.abort();
  await expect(events.next()).rejects.toThrow(/aborted/);
});

it('lets go of the stream when its reader leaves', async () => {
  await using stage = await openStage([1]);
  for await (const _ of watchIssue(stage.client, 'id', {})) break;
  await nobodyWatches(stage);
});

it('keeps a program alive that waits for a server which is away', async () => {
  const program = `import { createSluiceClient, watchIssue } from ${JSON.stringify(new URL('./index.ts', import.meta.url))};
    process.send('watching');
    await watchIssue(createSluiceClient({ url: 'http://127.0.0.1:2' }), 'id').next();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  await once(child, 'message');
  child.disconnect(); // nothing but the watch is left to do
  const ended = once(child, 'exit');
  expect(await Promise.race([ended, sleep(1_500, 'alive')]), said).toBe('alive');
  child.kill();
  await ended;
});
