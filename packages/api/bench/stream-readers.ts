import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** An order for a process of readers. */
export type ReadersOrder =
  | {
      readonly kind: 'open';
      readonly port: number;
      readonly heads: readonly string[];
      readonly streams: number;
      readonly after: number;
    }
  /** Answers once every stream has come to this event, with what is wrong: nothing, when all have had all in order. */
  | { readonly kind: 'await'; readonly seq: number }
  | { readonly kind: 'close' };

const ID = Buffer.from('\nid:');
const AT_ONCE = 50;
const PATIENCE_MS = 120_000;

let sockets: Socket[] = [];
let faults: string[] = [];
let behind = 0;
let wanted = Number.POSITIVE_INFINITY;
let arrived = () => {};

/** Reads the ids off a stream: each must be the one after the last. */
async function open(port: number, head: string, after: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  let last = after;
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let at = bytes.indexOf(ID, from); at >= 0; at = bytes.indexOf(ID, from)) {
      const end = bytes.indexOf(10, at + ID.length);
      if (end < 0) break;
      const id = Number(bytes.toString('latin1', at + ID.length, end));
      if (id !== last + 1) faults.push(`${id} came after ${last}`);
      last = id;
      from = end;
      if (last === wanted) {
        behind -= 1;
        if (behind === 0) arrived();
      }
    }
    // An id may be cut in two: what could be its beginning waits for the rest.
    const cut = bytes.indexOf(ID, from);
    rest = Buffer.from(bytes.subarray(cut >= 0 ? cut : Math.max(from, bytes.length - ID.length)));
  });
  socket.on('close', () => {
    if (sockets.includes(socket)) faults.push('a stream was closed');
  });
  socket.on('error', (error) => faults.push(error.message));
  await once(socket, 'connect');
  socket.write(head);
  await once(socket, 'data'); // its head has come: it is open
  sockets.push(socket);
}

process.on('message', async (order: ReadersOrder) => {
  if (order.kind === 'open') {
    for (let opened = 0; opened < order.streams; opened += AT_ONCE) {
      const some = Math.min(AT_ONCE, order.streams - opened);
      await Promise.all(
        Array.from({ length: some }, (_, at) =>
          open(order.port, order.heads[(opened + at) % order.heads.length] ?? '', order.after),
        ),
      );
    }
    process.send?.([]);
  } else if (order.kind === 'await') {
    wanted = order.seq;
    behind = sockets.length;
    const late = setTimeout(() => {
      faults.push(`${behind} streams have not come to ${wanted}`);
      arrived();
    }, PATIENCE_MS);
    await new Promise<void>((resolve) => {
      arrived = resolve;
      process.send?.('ready');
    });
    clearTimeout(late);
    process.send?.(faults.slice(0, 5));
  } else {
    const closing = sockets;
    sockets = [];
    faults = [];
    for (const socket of closing) socket.destroy();
    process.send?.([]);
  }
});
process.on('disconnect', () => process.exit());
process.send?.('up');
