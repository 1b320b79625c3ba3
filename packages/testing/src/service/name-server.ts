import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * The facts of a name server about one name. Without `never` and `status`, families that are left out have no address.
 */
export interface KnownName {
  /** Answers after these milliseconds, or never. Each family may differ. */
  readonly after?: Partial<Record<'A' | 'AAAA', number | 'never'>>;
  readonly status?: 'SERVFAIL' | 'NXDOMAIN';
  readonly A?: readonly string[];
  readonly AAAA?: readonly string[];
  /** The name is an alias of another, whose addresses are in the same answer. */
  readonly alias?: string;
  /** Over UDP only the sentence that the answer is too long for it. */
  readonly isTruncated?: boolean;
}

export interface NameServer extends AsyncDisposable {
  readonly port: number;
  /** The questions so far, as `A name` or `A name tcp`. */
  readonly asked: string[];
}

type Family = 'A' | 'AAAA';
const families: Readonly<Record<number, Family>> = { 1: 'A', 28: 'AAAA' };
const numbers = { A: 1, AAAA: 28, CNAME: 5 } as const;
const statuses = { SERVFAIL: 2, NXDOMAIN: 3 } as const;
const HEADER_BYTES = 12;

/** A real name server (RFC 1035) on the loopback interface, over UDP and TCP. A name that it does not know gets `NXDOMAIN`. */
export async function startNameServer(known: (name: string) => KnownName | null, wanted = 0): Promise<NameServer> {
  const asked: string[] = [];
  const { datagrams, streams, port } = await listenOnBoth(wanted);
  const open = new Set<Socket>();
  const closing = new AbortController();

  async function answer(question: Buffer, transport: 'udp' | 'tcp'): Promise<Buffer | null> {
    const { name, type, end } = questionIn(question);
    const family = families[type];
    asked.push(`${family ?? type} ${name}${transport === 'tcp' ? ' tcp' : ''}`);
    const found = known(name) ?? { status: 'NXDOMAIN' as const };
    const after = family === undefined ? 0 : (found.after?.[family] ?? 0);
    if (after === 'never') return null;
    if (after > 0) await pause(after, undefined, { signal: closing.signal }).catch(() => undefined);
    const isTruncated = found.isTruncated === true && transport === 'udp';
    const records = family === undefined || isTruncated ? [] : recordsOf(name, found, family);
    const status = found.status === undefined ? 0 : statuses[found.status];
    const head = Buffer.alloc(HEADER_BYTES);
    question.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180 | (isTruncated ? 0x0200 : 0) | status, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    return Buffer.concat([head, question.subarray(HEADER_BYTES, end), ...records]);
  }

  datagrams.on('message', (question, from) => {
    void answer(question, 'udp').then((text) => {
      if (text !== null && !closing.signal.aborted) datagrams.send(text, from.port, from.address);
    });
  });
  streams.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => undefined);
    let left = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      left = Buffer.concat([left, chunk]);
      while (left.length > 2 && left.length >= 2 + left.readUInt16BE(0)) {
        const question = left.subarray(2, 2 + left.readUInt16BE(0));
        left = left.subarray(2 + question.length);
        void answer(question, 'tcp').then((text) => {
          if (text === null || socket.destroyed) return;
          const length = Buffer.alloc(2);
          length.writeUInt16BE(text.length);
          socket.write(Buffer.concat([length, text]));
        });
      }
    });
  });
  return {
    port,
    asked,
    async [Symbol.asyncDispose]() {
      closing.abort();
      for (const socket of open) socket.destroy();
      await Promise.all([
        new Promise<void>((resolve) => datagrams.close(() => resolve())),
        new Promise<void>((resolve) => streams.close(() => resolve())),
      ]);
    },
  };
}

/** Listens on one port for both transports. @param port 0: any that is free for both */
async function listenOnBoth(port: number) {
  for (;;) {
    const datagrams = createSocket('udp4');
    const streams = createServer();
    streams.listen(port, '127.0.0.1');
    await once(streams, 'listening');
    const chosen = (streams.address() as AddressInfo).port;
    datagrams.bind(chosen, '127.0.0.1');
    try {
      await once(datagrams, 'listening');
      return { datagrams, streams, port: chosen };
    } catch (error) {
      streams.close();
      if (port !== 0) throw error;
    }
  }
}

function questionIn(message: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function recordsOf(name: string, { alias, ...known }: KnownName, family: Family): Buffer[] {
  const addresses = (known[family] ?? []).map((address) =>
    record(alias ?? name, numbers[family], family === 'A' ? bytesOf4(address) : bytesOf6(address)),
  );
  return alias === undefined ? addresses : [record(name, numbers.CNAME, nameBytes(alias)), ...addresses];
}

function record(name: string, type: number, data: Buffer): Buffer {
  const middle = Buffer.alloc(10);
  middle.writeUInt16BE(type, 0);
  middle.writeUInt16BE(1, 2); // the internet
  middle.writeUInt16BE(data.length, 8);
  return Buffer.concat([nameBytes(name), middle, data]);
}

function nameBytes(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function bytesOf4(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number));
}

function bytesOf6(address: string): Buffer {
  const [before = '', after = ''] = address.split('::');
  const groups = (text: string) => text.split(':').filter((group) => group !== '');
  const gap = new Array<string>(8 - groups(before).length - groups(after).length).fill('0');
  const all = [...groups(before), ...gap, ...groups(after)];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
