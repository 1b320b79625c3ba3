import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { constants, createGzip, deflateSync } from 'node:zlib';

export interface HostileOrigin extends AsyncDisposable {
  /** A repository's address. */
  readonly url: string;
  /** Bytes that were sent of the harmful answer, before any compression. */
  sent(): number;
}

export type Harm =
  /** The list of branches is compressed, and never ends. */
  | 'compressed listing'
  /** The pack has objects without end. */
  | 'endless pack'
  /** The pack comes a little at a time, fast enough not to count as stalled. */
  | 'slow pack';

const COMMIT = 'a'.repeat(40);
const MIB = 1024 ** 2;
/** Far more than any limit in a test; it bounds what a broken limit costs. */
const MAX_BYTES = 2_048 * MIB;

/** A git server on loopback, speaking protocol version 2 over HTTP, that answers so as to do harm. */
export async function startHostileOrigin(harm: Harm): Promise<HostileOrigin> {
  let sent = 0;
  const count = (bytes: number): void => {
    sent += bytes;
  };
  const server = createServer((request, response) => {
    const act = async (): Promise<void> => {
      const body = Buffer.concat(await request.toArray()).toString('latin1');
      if (request.method === 'GET') await (harm === 'compressed listing' ? inflate : advertise)(response, count);
      else if (body.includes('command=ls-refs')) response.end(`${packet(`${COMMIT} refs/heads/main\n`)}0000`);
      else await sendPack(response, { count, delayMs: harm === 'slow pack' ? 100 : 0 });
    };
    act().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/owner/name`,
    sent: () => sent,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Count = (bytes: number) => void;

async function advertise(response: ServerResponse): Promise<void> {
  response.setHeader('content-type', 'application/x-git-upload-pack-advertisement');
  const capabilities = ['version 2\n', 'ls-refs\n', 'fetch\n', 'object-format=sha1\n'].map(packet).join('');
  response.end(`${packet('# service=git-upload-pack\n')}0000${capabilities}0000`);
}

async function inflate(response: ServerResponse, count: Count): Promise<void> {
  response.setHeader('content-type', 'application/x-git-upload-pack-advertisement');
  response.setHeader('content-encoding', 'gzip');
  const head = Buffer.from(`${packet('# service=git-upload-pack\n')}0000`);
  const block = Buffer.from(packet(`${COMMIT} refs/heads/a\n`).repeat(20_000));
  await pipeline(repeat([head], block, { count, delayMs: 0 }), createGzip({ level: constants.Z_BEST_SPEED }), response);
}

/** Objects that are each what a pack may hold, without end. */
async function sendPack(response: ServerResponse, way: Way): Promise<void> {
  response.setHeader('content-type', 'application/x-git-upload-pack-result');
  const header = Buffer.alloc(12);
  header.write('PACK');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(1_000_000, 8);
  // A blob of 40 000 bytes: its type and size in pack form, then its content.
  const content = Buffer.from(Array.from({ length: 40_000 }, (_, n) => (n * n * 7 + (n >> 3)) % 251));
  const object = Buffer.concat([sizeHeader(content.length), deflateSync(content, { level: 0 })]);
  await pipeline(repeat([Buffer.from(packet('packfile\n')), band(header)], band(object), way), response);
}

interface Way {
  readonly count: Count;
  readonly delayMs: number;
}

async function* repeat(first: readonly Buffer[], block: Buffer, way: Way): AsyncGenerator<Buffer> {
  yield* first;
  for (let bytes = 0; bytes < MAX_BYTES; bytes += block.length) {
    way.count(block.length);
    yield block;
    if (way.delayMs > 0) await pause(way.delayMs);
  }
}

function packet(text: string): string {
  return (text.length + 4).toString(16).padStart(4, '0') + text;
}

/** A packet of the side band that carries the pack. */
function band(content: Buffer): Buffer {
  return Buffer.concat([Buffer.from((content.length + 5).toString(16).padStart(4, '0')), Buffer.from([1]), content]);
}

function sizeHeader(size: number): Buffer {
  const blob = 3;
  const bytes = [(blob << 4) | (size & 15)];
  for (let rest = size >> 4; rest > 0; rest >>= 7) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 128;
    bytes.push(rest & 127);
  }
  return Buffer.from(bytes);
}
