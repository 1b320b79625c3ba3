import { once } from 'node:events';
import { createServer } from 'node:net';
import { connect } from 'node:tls';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ClientHello, createClientHelloReader } from './client-hello.ts';

/** The first bytes of Node's own TLS client. */
async function realHello(servername: string): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const client = connect({ host: '127.0.0.1', port, servername }).on('error', () => undefined);
  const [socket] = await once(server, 'connection');
  const [chunk] = await once(socket, 'data');
  client.destroy();
  socket.destroy();
  server.close();
  return chunk;
}
const real = await realHello('registry.example');

const vector = (lengthBytes: number, ...parts: Buffer[]) => {
  const content = Buffer.concat(parts);
  const length = Buffer.alloc(lengthBytes);
  length.writeUIntBE(content.length, 0, lengthBytes);
  return Buffer.concat([length, content]);
};
const extension = (type: number, content: Buffer) =>
  Buffer.concat([Buffer.from([type >> 8, type & 255]), vector(2, content)]);
const name = (text: string, type = 0) => Buffer.concat([Buffer.from([type]), vector(2, Buffer.from(text))]);
const sni = (...names: Buffer[]) => extension(0, vector(2, ...names));
const message = (...extensions: Buffer[]) => {
  const opening = Buffer.concat([
    Buffer.alloc(34),
    vector(1),
    vector(2, Buffer.from([0x13, 1])),
    vector(1, Buffer.alloc(1)),
  ]);
  const body = extensions.length === 0 ? opening : Buffer.concat([opening, vector(2, ...extensions)]);
  return Buffer.concat([Buffer.from([1]), vector(3, body)]);
};
/** A message split into records of the given size. */
const records = (content: Buffer, size = 2 ** 14) => {
  const made: Buffer[] = [];
  for (let at = 0; at < content.length; at += size)
    made.push(Buffer.concat([Buffer.from([22, 3, 1]), vector(2, content.subarray(at, at + size))]));
  return Buffer.concat(made);
};

/** Feeds bytes to a reader in packets of the given size until it returns a result. */
function read(bytes: Buffer, size = bytes.length): ClientHello {
  const reader = createClientHelloReader();
  for (let at = 0; at < bytes.length; at += size) {
    const answer = reader.take(bytes.subarray(at, at + size));
    if (answer !== null) return answer;
  }
  return null;
}

test('finds the server name of a real client, however its hello is split over packets and records', () => {
  const content = real.subarray(5);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 700 }), fc.integer({ min: 1, max: 700 }), (packet, record) => {
      expect(read(records(content, record), packet)).toEqual({ serverName: 'registry.example' });
    }),
    { numRuns: 50 },
  );
  expect(read(real.subarray(0, -1))).toBeNull();
});

test('keeps all that it has read, including bytes after the hello in the same packet', () => {
  const reader = createClientHelloReader();
  const late = Buffer.alloc(40_000, 23);
  expect(reader.take(real.subarray(0, 7))).toBeNull();
  expect(reader.take(Buffer.concat([real.subarray(7), late]))).toEqual({ serverName: 'registry.example' });
  expect(reader.taken()).toEqual({ hello: real, rest: late });
});

const listed = sni(name('a.example'));
test.each<[what: string, bytes: Buffer, reason: RegExp]>([
  ['without extensions', records(message()), /no SNI/],
  ['without a server name', records(message(extension(43, Buffer.alloc(3)))), /no SNI/],
  ['with an empty list of names', records(message(sni())), /no SNI/],
  ['with two names', records(message(sni(name('a.example'), name('b.example')))), /several servers/],
  ['with two lists of names', records(message(listed, sni(name('b.example')))), /several servers/],
  ['with a name that is no host name', records(message(sni(name('a.example', 7)))), /names no host/],
  ['with an encrypted hello', records(message(listed, extension(0xfe0d, Buffer.alloc(9)))), /ECH/],
  ['with an encrypted hello before the name', records(message(extension(0xfe0d, Buffer.alloc(0)), listed)), /ECH/],
  ['with an encrypted server name', records(message(listed, extension(0xffce, Buffer.alloc(9)))), /ECH/],
  [
    'with bytes behind its names',
    records(message(extension(0, Buffer.concat([vector(2, name('a')), Buffer.alloc(1)])))),
    /malformed/,
  ],
  ['with an extension past its end', records(message(Buffer.from([0, 0, 0, 99]))), /malformed/],
  [
    'that shares its record with a second one',
    records(Buffer.concat([message(listed), message(listed)])),
    /another message/,
  ],
  ['that claims 16 MiB', Buffer.from([22, 3, 1, 0, 4, 1, 255, 255, 255]), /larger than/],
  ['that is larger than 16 KiB', records(message(extension(21, Buffer.alloc(2 ** 14)), listed)), /larger than/],
  [
    'in records that are mostly headers',
    records(message(extension(21, Buffer.alloc(9_000)), listed), 1),
    /larger than/,
  ],
  ['in an empty record', Buffer.from([22, 3, 1, 0, 0]), /does not begin/],
  ['that is a server hello', records(Buffer.from([2, 0, 0, 0])), /does not begin/],
  ['that is plain HTTP', Buffer.from('GET / HTTP/1.1\r\n'), /does not begin/],
  ['that is SSH', Buffer.from('SSH-2.0-x\r\n'), /does not begin/],
  ['of SSL 2', Buffer.from([0x80, 0x2e, 1, 3, 1]), /does not begin/],
])('refuses a hello %s', (_what, bytes, reason) => {
  expect(read(bytes)).toEqual({ refused: expect.stringMatching(reason) });
  expect(read(bytes, 3)).toEqual({ refused: expect.stringMatching(reason) });
});

test('returns a name, a reason or null for any bytes, and never throws', () => {
  const answers = (bytes: Buffer, packet: number) => {
    const answer = read(bytes, packet);
    expect(answer === null || 'refused' in answer || typeof answer.serverName === 'string').toBe(true);
  };
  const packet = fc.integer({ min: 1, max: 64 });
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), packet, (bytes, size) => answers(Buffer.from(bytes), size)));
  const flips = fc.array(fc.tuple(fc.nat(real.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(flips, packet, (changes, size) => {
      const bytes = Buffer.from(real);
      for (const [at, value] of changes) bytes[at] = value;
      answers(bytes, size);
    }),
    { numRuns: 1_000 },
  );
});

test('a hello may follow ChangeCipherSpec only after the server asked for a second one', () => {
  const flight = Buffer.concat([Buffer.from([20, 3, 3, 0, 1, 1]), real]);
  const accepted = { serverName: 'registry.example' };
  expect(createClientHelloReader({ isRetry: true }).take(flight)).toEqual(accepted);
  expect(createClientHelloReader({ isRetry: true }).take(real)).toEqual(accepted);
  expect(createClientHelloReader().take(flight)).toHaveProperty('refused');
  expect(
    createClientHelloReader({ isRetry: true }).take(Buffer.concat([flight.subarray(0, 6), flight])),
  ).toHaveProperty('refused');
});
