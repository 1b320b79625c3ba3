import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { scriptedHosts } from '@sluice/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ScratchTree, scratchTree } from '../../test/scratch-tree.ts';
import { createBwrapSandbox } from '../bwrap/bwrap-sandbox.ts';
import type { ProxyPolicy } from './allow-proxy.ts';

const path = execFileSync('/bin/sh', ['-c', 'printf %s "$PATH"'], { encoding: 'utf8' });
let scratch: ScratchTree;
let registry: Server;
let port: number;
const asked: string[] = [];

/** A registry with one package on this machine, called `registry.test` in the sandbox. */
beforeAll(async () => {
  scratch = await scratchTree();
  const source = join(scratch.data, 'package');
  await mkdir(source);
  await writeFile(join(source, 'package.json'), JSON.stringify({ name: 'tiny', version: '1.0.0' }));
  await writeFile(join(source, 'index.js'), 'module.exports = "from the registry";\n');
  execFileSync('tar', ['-czf', join(scratch.data, 'tiny.tgz'), '-C', scratch.data, 'package']);
  const archive = await readFile(join(scratch.data, 'tiny.tgz'));
  // By default Node closes an idle connection after 5 s, and on a busy machine a client may send a request at that moment.
  registry = createServer({ keepAliveTimeout: 120_000 }, (request, answer) => {
    asked.push(`${request.headers.host} ${request.url}`);
    const dist = { tarball: `http://registry.test:${port}/tiny.tgz` };
    if (request.url === '/tiny.tgz') answer.end(archive);
    else if (request.url === '/endless') Readable.from(endless()).pipe(answer);
    else
      answer.end(
        JSON.stringify({
          name: 'tiny',
          'dist-tags': { latest: '1.0.0' },
          versions: { '1.0.0': { name: 'tiny', version: '1.0.0', dist } },
        }),
      );
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  const address = registry.address();
  port = address !== null && typeof address === 'object' ? address.port : 0;
});
afterAll(async () => {
  registry.closeAllConnections();
  registry.close();
  await scratch[Symbol.asyncDispose]();
});

function sandboxWith(policy: Partial<ProxyPolicy>) {
  const proxy = { hosts, ...policy };
  return createBwrapSandbox({ readPaths: [], path, hideRoots: [scratch.data], scratchRoot: scratch.data, proxy });
}

async function* endless() {
  for (;;) yield Buffer.alloc(1 << 20);
}

const hosts = scriptedHosts((host) => [host.endsWith('.test') ? '127.0.0.1' : '203.0.113.9']);

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

test("installs a package through the proxy, and keeps the command's exit code", async () => {
  const root = await scratch.tree('install');
  await scratch.write(
    root,
    'package.json',
    JSON.stringify({ name: 'app', version: '1.0.0', dependencies: { tiny: '1.0.0' } }),
  );
  await scratch.write(
    root,
    '.npmrc',
    `registry=http://registry.test:${port}/\naudit=false\nfund=false\nupdate-notifier=false\n`,
  );
  const allowHosts = [`registry.test:${port}`];
  const sandbox = sandboxWith({ allowPrivateHosts: allowHosts, hosts });
  const result = await sandbox.run(
    scratch.command(root, `npm install && node -e "console.log(require('tiny'))" && exit 6`, { allowHosts }),
  );
  expect(result.output).toContain('from the registry');
  expect(result).toMatchObject({ exitCode: 6, endedBy: 'exit' });
  expect(asked).toContain(`registry.test:${port} /tiny`);
  const again = await sandbox.run(scratch.command(root, 'rm -rf node_modules && npm ci', { allowHosts }));
  expect(again.exitCode).toBe(0);
  const without = await sandbox.run(
    scratch.command(root, 'rm -rf node_modules; npm ci --fetch-retries=0', { allowHosts: [] }),
  );
  expect(without.exitCode).not.toBe(0);
});

test('refuses hosts that are not listed, addresses and other ports, and reports it in the output', async () => {
  const root = await scratch.tree('refuse');
  await scratch.write(root, 'ask.mjs', ask);
  const echo = createTcpServer((socket) => socket.on('data', () => socket.write('pong')).on('error', () => undefined));
  await new Promise<void>((done) => echo.listen(0, '127.0.0.1', done));
  const address = echo.address();
  const echoPort = address !== null && typeof address === 'object' ? address.port : 0;
  const allowHosts = [`echo.test:${echoPort}`, 'private.test', 'reserved.example'];
  const sandbox = sandboxWith({ allowPrivateHosts: [`echo.test:${echoPort}`], hosts });
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
  const allowHosts = [`registry.test:${port}`];
  const sandbox = sandboxWith({ allowPrivateHosts: allowHosts, hosts, maxBytes: 8 << 20 });
  const fetchAll = `node ask.mjs x "$(printf 'GARBAGE\\r\\n\\r\\n')"; node -e "
    require('http').get({ host: '127.0.0.1', port: 3128, path: 'http://registry.test:${port}/endless' }, (r) => { let n = 0; r.on('data', (c) => { n += c.length; }); r.on('error', () => 0); r.on('close', () => console.log('got', n)); })"`;
  const { output } = await sandbox.run(scratch.command(root, fetchAll, { allowHosts }));
  expect(output).toContain('bytes is used up');
  expect(Number(/got (\d+)/.exec(output)?.[1])).toBeLessThan(10 << 20);
});

test('leaves no socket behind', async () => {
  const root = await scratch.tree('leave');
  await sandboxWith({}).run(scratch.command(root, 'true', { allowHosts: ['a.example'] }));
  // Other processes may have sockets there at the same time.
  const ours = (await readdir('/tmp')).filter((name) => name.startsWith(`sluice-proxy-${process.pid}-`));
  expect(ours).toEqual([]);
});

test.runIf(existsSync('/etc/ssl/certs/ca-certificates.crt'))(
  'trusts the authorities that the host trusts',
  async () => {
    const root = await scratch.tree('authorities');
    const command = scratch.command(root, 'head -n 1 "$NODE_EXTRA_CA_CERTS"', { allowHosts: ['registry.test'] });
    expect((await sandboxWith({}).run(command)).output).toMatch(/^-----BEGIN CERTIFICATE-----$/m);
  },
);

const npm = (...args: string[]) => {
  try {
    return execFileSync('npm', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: path, HOME: process.env.HOME },
    }).trim();
  } catch {
    return '';
  }
};
const configured = npm('config', 'get', 'registry');
const reachable = configured !== '' && npm('ping', '--fetch-retries=0', '--fetch-timeout=5000', '--json') !== '';

test.skipIf(!reachable)("installs from this machine's registry, over TLS", async () => {
  const root = await scratch.tree('real');
  const { hostname, port: special } = new URL(configured);
  const host = special === '' ? hostname : `${hostname}:${special}`;
  const authorities = npm('config', 'get', 'cafile');
  const lines = [`registry=${configured}`, ...(authorities === 'null' ? [] : [`cafile=${authorities}`])];
  await scratch.write(root, '.npmrc', `${lines.join('\n')}\n`);
  await scratch.write(root, 'package.json', JSON.stringify({ name: 'app', version: '1.0.0' }));
  // A registry may be a mirror with a private address, which the operator has to allow.
  const sandbox = sandboxWith({ allowPrivateHosts: [host] });
  const command = scratch.command(root, 'npm install --no-audit --no-fund isarray && ls node_modules', {
    allowHosts: [host],
  });
  const result = await sandbox.run(command);
  expect(result.output).toContain('isarray');
  expect(result.exitCode).toBe(0);
});
