import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpSession } from './http-session.ts';

export interface RawClient {
  readonly socket: Socket;
  /** All that came so far. */
  received(): string;
  /** Resolves when the server has ended the connection, however it did. */
  readonly closed: Promise<void>;
}

/** Connects, and sends nothing by itself. */
export async function rawClient(url: string): Promise<RawClient> {
  const { port, hostname } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname });
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => undefined); // a server that hangs up in the middle of a write is what is asked for here
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  await Promise.race([once(socket, 'connect'), closed]);
  return { socket, closed, received: () => received };
}

export async function rawClients(url: string, count: number): Promise<RawClient[]> {
  const clients: RawClient[] = [];
  while (clients.length < count) {
    const batch = Math.min(250, count - clients.length); // half of what a listener lets wait
    clients.push(...(await Promise.all(Array.from({ length: batch }, () => rawClient(url)))));
  }
  return clients;
}

/** Sends bytes and gives all that comes back until the server ends the connection. */
export async function rawExchange(url: string, bytes: string | Buffer): Promise<string> {
  const client = await rawClient(url);
  client.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  await client.closed;
  return client.received();
}

/** The statuses of all answers in what came. */
export function statusesIn(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

const BETWEEN_MS = 50;

/**
 * Lets somebody else go on asking while something is done to the service.
 *
 * @returns the slowest of their answers, in milliseconds
 * @throws Error when one of them is no 200
 */
export async function whileOthersAsk(other: HttpSession, done: () => Promise<unknown>): Promise<number> {
  let over = false;
  const work = done().finally(() => {
    over = true;
  });
  let slowest = 0;
  const ask = async () => {
    do {
      const begun = performance.now();
      const { status } = await other.call('GET', '/api/issues');
      slowest = Math.max(slowest, performance.now() - begun);
      if (status !== 200) throw new Error(`Somebody else was answered ${status}.`);
      await sleep(BETWEEN_MS);
    } while (!over);
  };
  await Promise.all([work, ask()]);
  return slowest;
}

/** What a process keeps in memory, in MiB. */
export function residentMib(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}

export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** How many files this process may have open, and with it each that it starts. */
export function fileLimit(): number {
  return Number(/Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
}
