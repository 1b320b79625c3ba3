import { EventEmitter, on, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { initTRPC, TRPCError, tracked } from '@trpc/server';
import { createHTTPHandler } from '@trpc/server/adapters/standalone';
import { memoryCookies } from '../src/cookie-store.ts';
import { createSluiceClient, type SluiceClient } from '../src/create-sluice-client.ts';

export interface Stage extends AsyncDisposable {
  readonly client: SluiceClient;
  /** Emits the sequence number of every event, and null for the end. */
  readonly sequence: EventEmitter;
  readonly cookies: (string | undefined)[];
  watchers(): number;
  dropConnections(): void;
  /** Refuses the next streams because too many are open, without a retry delay. */
  refuseStreams(count: number): void;
}

/** A server whose procedures stream the numbers that a test emits, after those that it began with. */
export async function openStage(written: number[] = []): Promise<Stage> {
  const sequence = new EventEmitter().setMaxListeners(100);
  const cookies: (string | undefined)[] = [];
  const sockets = new Set<Socket>();
  let watchers = 0;
  let refusals = 0;
  sequence.on('event', (seq: number | null) => void (seq !== null && written.push(seq)));
  const t = initTRPC.context<{ cookie: string | undefined }>().create({
    errorFormatter: ({ shape, error }) => ({
      ...shape,
      data: {
        ...shape.data,
        error:
          error.code === 'TOO_MANY_REQUESTS'
            ? { code: 'too_many_streams', detail: 'Too many are open.', retry_after_seconds: 0 }
            : { code: 'issue_not_found', detail: 'There is none.' },
      },
    }),
  });
  const events = t.procedure
    .input((raw) => raw as { id: string; after?: number; lastEventId?: string })
    .subscription(async ({ ctx, input, signal }) => {
      cookies.push(ctx.cookie);
      if (input.id === 'unknown') throw new TRPCError({ code: 'NOT_FOUND' });
      if (refusals > 0) {
        refusals -= 1;
        throw new TRPCError({ code: 'TOO_MANY_REQUESTS' });
      }
      return numbers(Number(input.lastEventId ?? input.after ?? 0), (seq) => tracked(String(seq), { seq }), signal);
    });
  const watch = t.procedure
    .input((raw) => raw as { after?: string; lastEventId?: string })
    .subscription(async ({ input, signal }) => {
      const token = input.lastEventId ?? input.after;
      if (token === 'mangled') throw new TRPCError({ code: 'BAD_REQUEST' });
      // One event comes twice, as it may after a long stretch.
      const from = Math.max(0, Number(token ?? 0) - 1);
      return numbers(from, (seq) => tracked(String(seq), { issue_id: 'one', seq }), signal);
    });
  async function* numbers<Sent>(after: number, sent: (seq: number) => Sent, signal: AbortSignal | undefined) {
    watchers += 1;
    const news = on(sequence, 'event', { signal });
    try {
      for (const seq of [...written]) if (seq > after) yield sent(seq);
      for await (const [seq] of news as AsyncIterable<[number | null]>) {
        if (seq === null) return;
        yield sent(seq);
      }
    } finally {
      watchers -= 1;
    }
  }
  const router = t.router({ issues: t.router({ events }), events: t.router({ watch }) });
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
  const cookieStore = memoryCookies();
  await cookieStore.save(origin, [{ name: 'access_token', value: 'kept', path: '/', secure: false, expires_at: null }]);
  return {
    client: createSluiceClient({ url: `${origin}/`, cookies: cookieStore }),
    sequence,
    cookies,
    watchers: () => watchers,
    dropConnections,
    refuseStreams: (count) => {
      refusals = count;
    },
    async [Symbol.asyncDispose]() {
      dropConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
