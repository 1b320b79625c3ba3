import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { NewEvent } from '@sluice/core/issue';
import { claimed, runningIssue } from '@sluice/testing';
import { createChannel, createSession } from 'better-sse';
import { openStores } from './open-stores.ts';
import { serveApi } from './serve-api.ts';

const EVERY_MS = 50; // twenty a second
const SESSIONS = 4; // of fifty streams each
const LONG_MS = 3_600_000; // longer than the benchmark
const EVENT: NewEvent = { type: 'user.message', data: { text: 'a note of a usual length, as agents write them' } };

/** What a server says of itself when it is up. */
export interface StreamsServed {
  readonly port: number;
  readonly path: string;
  /** The cookies of sessions that share the streams; each session may see some of them only. */
  readonly cookies: readonly string[];
  /** The sequence number after which the streams begin. */
  readonly after: number;
}

export type StreamOrder =
  /** Writes so many events at their pace, and tells of its CPU meanwhile when all have been written. */
  | { readonly kind: 'write'; readonly events: number }
  | { readonly kind: 'cpu' }
  /** Tells of the bytes it holds, after a collection. */
  | { readonly kind: 'memory' };

/** Sends what a row says to everybody who listens. */
type Publish = (frame: { id: string; event: string; data: unknown }) => void;

interface Peer {
  readonly port: number;
  readonly publish: Publish;
}

/** The least that can be done: a frame is made once, and every stream gets the same bytes. */
async function serveRaw(): Promise<Peer> {
  const streams = new Set<ServerResponse>();
  const port = await listen((res) => {
    res.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' });
    res.flushHeaders();
    streams.add(res);
    res.once('close', () => streams.delete(res));
  });
  const publish: Publish = ({ id, event, data }) => {
    const bytes = Buffer.from(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    for (const res of streams) res.write(bytes);
  };
  return { port, publish };
}

async function serveBetterSse(): Promise<Peer> {
  const channel = createChannel();
  const port = await listen(async (res) => {
    channel.register(await createSession(res.req, res));
  });
  return { port, publish: ({ id, event, data }) => channel.broadcast(data, event, { eventId: id }) };
}

async function listen(answer: (res: ServerResponse) => unknown): Promise<number> {
  const server = createServer((_req, res) => answer(res));
  server.listen(0, '127.0.0.1', 1_024);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

// All of them write each event to a store first: what differs is what brings it to the streams.
const opened = await openStores();
const { id, userId } = await runningIssue(opened.stores);
const lease = await claimed(opened.stores, id, LONG_MS);
const lastSeq = async () => (await opened.stores.issues.get(lease.issueId))?.lastSeq ?? 0;

async function serve(kind: string): Promise<StreamsServed> {
  const after = await lastSeq();
  if (kind === 'api') {
    const { port, login } = await serveApi(opened);
    const path = `/api/issues/${lease.issueId}/events?after=${after}`;
    const cookies = await Promise.all(Array.from({ length: SESSIONS }, () => login(userId)));
    return { port, path, cookies, after };
  }
  const { port, publish } = await (kind === 'raw' ? serveRaw : serveBetterSse)();
  opened.signals.subscribe(lease.issueId, {
    onEvents: ({ issueId, seq }) => {
      const data = { seq, issue_id: issueId, type: EVENT.type, at: new Date().toISOString(), data: EVENT.data };
      publish({ id: `${seq}`, event: EVENT.type, data });
    },
  });
  return { port, path: '/', cookies: [''], after };
}

async function write(events: number): Promise<number> {
  const before = cpu();
  const begun = performance.now();
  for (let written = 0; written < events; written += 1) {
    if (!(await opened.stores.runs.record(lease, [EVENT]))) throw new Error('the lease was lost');
    await pause(Math.max(0, begun + (written + 1) * EVERY_MS - performance.now()));
  }
  return cpu() - before;
}

function cpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function memory(): number {
  for (let times = 0; times < 3; times += 1) globalThis.gc?.();
  return process.memoryUsage.rss();
}

process.on('message', async (order: StreamOrder) => {
  if (order.kind === 'write') process.send?.(await write(order.events));
  else process.send?.(order.kind === 'cpu' ? cpu() : memory());
});
process.on('disconnect', () => process.exit());
const served = await serve(process.argv[2] ?? '');
process.send?.(served);
