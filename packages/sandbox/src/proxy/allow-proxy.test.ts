import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createServer as createTcpServer } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hosts, proxiedSandbox, startRegistry } from '../../test/proxied-sandbox.ts';
import { type ScratchTree, scratchTree } from '../../test/scratch-tree.ts';

let scratch: ScratchTree;
let registry: Awaited<ReturnType<typeof startRegistry>>;

beforeAll(async () => {
  scratch = await scratchTree();
  registry = await startRegistry((_request, answer) => Readable.from(endless()).pipe(answer));
});
afterAll(async () => {
  registry[Symbol.dispose]();
  await scratch[Symbol.asyncDispose]();
});

async function* endless() {
  for (;;) yield Buffer.alloc(1 << 20);
}

/** Asks the proxy for a tunnel from inside, and prints the first line of the response and the rest. */
const ask = `const [to, say] = process.argv.slice(2);
const socket = process.getBuiltinModule('node:net').connect(3128, '127.0.0.1', () => socket.write(say ?? 'CONNECT ' + to + ' HTTP/1.1\\r\\nHost: ' + to + '\\r\\n\\r\\n'));
let text = '';
let said = false;
socket.on('data', (chunk) => {
  text += chunk;
  if (!said && text.startsWith('HTTP/1.1 200') && text.includes('\\r\\n\\r\\n')) { said = true; socket.write('ping'); }
  if (text.includes('pong')) socket.end();
});
socket.on('close', () => console.log(to, JSON.stringify(text.split('\\r\\n')[0]), text.includes('pong') ? 'PONG' : ''));`;

test('refuses hosts that are not listed, addresses and other ports, and reports it in the output', async () => {
  const root = await scratch.tree('refuse');
  await scratch.write(root, 'ask.mjs', ask);
  const echo = createTcpServer((socket) => socket.on('data', () => socket.write('pong')).on('error', () => undefined));
  await new Promise<void>((done) => echo.listen(0, '127.0.0.1', done));
  const address = echo.address();
  const echoPort = address !== null && typeof address === 'object' ? address.port : 0;
  const allowHosts = [`echo.test:${echoPort}`, 'private.test', 'reserved.example'];
  const sandbox = proxiedSandbox(scratch, { allowPrivateHosts: [`echo.test:${echoPort}`], hosts });
  const targets = [
    `echo.test:${echoPort}`,
    'evil.example:443',
    '127.0.0.1:80',
    `127.0.0.1:${echoPort}`,
    'private.test:443',
    'reserved.example:443',
    'echo.test:22',
  ];
  const direct = `(timeout 2 sh -c 'exec 3<>/dev/tcp/1.1.1.1/443' 2>/dev/null || true); node -e "require('net').connect(${echoPort}, '127.0.0.1').on('error', (e) => console.log('direct', e.code))"`;
  const { output } = await sandbox.run(
    scratch.command(root, `${targets.map((to) => `node ask.mjs ${to}`).join('; ')}; ${direct}`, { allowHosts }),
  );
  echo.close();
  expect(output).toContain(`echo.test:${echoPort} "HTTP/1.1 200 Connection Established" PONG`);
  for (const to of targets.slice(1)) expect(output).toContain(`${to} "HTTP/1.1 403 Forbidden"`);
  expect(output).toContain('[sluice refused evil.example:443: it is not in SETUP_ALLOW_HOSTS]');
  expect(output).toContain('[sluice refused private.test:443: 127.0.0.1 is not a public address');
  expect(output).toContain('direct ECONNREFUSED');
});

test('ends the traffic of a command that exceeds its limit, and survives nonsense', async () => {
  const root = await scratch.tree('traffic');
  await scratch.write(root, 'ask.mjs', ask);
  const allowHosts = [`registry.test:${registry.port}`];
  const sandbox = proxiedSandbox(scratch, { allowPrivateHosts: allowHosts, hosts, maxBytes: 8 << 20 });
  const fetchAll = `node ask.mjs x "$(printf 'GARBAGE\\r\\n\\r\\n')"; node -e "
    require('http').get({ host: '127.0.0.1', port: 3128, path: 'http://registry.test:${registry.port}/endless' }, (r) => { let n = 0; r.on('data', (c) => { n += c.length; }); r.on('error', () => 0); r.on('close', () => console.log('got', n)); })"`;
  const { output } = await sandbox.run(scratch.command(root, fetchAll, { allowHosts }));
  expect(output).toContain('bytes is used up');
  expect(Number(/got (\d+)/.exec(output)?.[1])).toBeLessThan(10 << 20);
});

test('leaves no socket behind', async () => {
  const root = await scratch.tree('leave');
  await proxiedSandbox(scratch, {}).run(scratch.command(root, 'true', { allowHosts: ['a.example'] }));
  // Other processes may have sockets there at the same time.
  const ours = (await readdir('/tmp')).filter((name) => name.startsWith(`sluice-proxy-${process.pid}-`));
  expect(ours).toEqual([]);
});

test.runIf(existsSync('/etc/ssl/certs/ca-certificates.crt'))(
  'trusts the authorities that the host trusts',
  async () => {
    const root = await scratch.tree('authorities');
    const command = scratch.command(root, 'head -n 1 "$NODE_EXTRA_CA_CERTS"', { allowHosts: ['registry.test'] });
    expect((await proxiedSandbox(scratch, {}).run(command)).output).toMatch(/^-----BEGIN CERTIFICATE-----$/m);
  },
);
