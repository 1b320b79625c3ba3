import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Canaries } from './canaries.ts';

/** What lies on the host beside the service, and who listens there. */
export interface AttackedHost extends AsyncDisposable {
  readonly root: string;
  readonly home: string;
  /** Anybody may write here: code that got out would. */
  readonly proof: string;
  readonly port: number;
  readonly socket: string;
  readonly abstractSocket: string;
  /** An address of this machine besides loopback, where it has one. */
  readonly address: string;
  /** What connected to the listeners. */
  readonly connections: readonly string[];
}

export async function attackedHost(canaries: Canaries): Promise<AttackedHost> {
  const root = mkdtempSync(join(tmpdir(), 'sluice-host-'));
  const home = join(root, 'home');
  const files = {
    'home/.ssh/id_rsa': `-----BEGIN KEY-----\n${canaries.of('ssh key')}\n`,
    'home/.aws/credentials': `aws_secret_access_key = ${canaries.of('aws credentials')}\n`,
    'home/.git-credentials': `https://git:${canaries.of('git credentials')}@example.com\n`,
    'home/.npmrc': `//registry.npmjs.org/:_authToken=${canaries.of('npmrc')}\n`,
    'home/.netrc': `machine example.com password ${canaries.of('netrc')}\n`,
    'home/.gitconfig': `[user]\n\tname = ${canaries.of('gitconfig')}\n`,
    'etc/secret.conf': `password=${canaries.of('file on the host')}\n`,
    'etc/folder/secret.txt': `${canaries.of('folder on the host')}\n`,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true, mode: 0o755 });
    writeFileSync(join(root, path), text, { mode: 0o644 });
  }
  const proof = join(root, 'proof');
  mkdirSync(proof, { mode: 0o777 });
  const connections: string[] = [];
  const socket = join(root, 'service.sock');
  const abstractSocket = `sluice-${process.pid}-${canaries.of('socket').slice(0, 12)}`;
  const listeners = [
    await listener({ port: 0, host: '0.0.0.0' }, () => connections.push('tcp')),
    await listener({ path: socket }, () => connections.push('unix')),
    await listener({ path: `\0${abstractSocket}` }, () => connections.push('abstract')),
  ];
  const address = listeners[0]?.address();
  return {
    root,
    home,
    proof,
    socket,
    abstractSocket,
    port: typeof address === 'object' && address !== null ? address.port : 0,
    address:
      Object.values(networkInterfaces())
        .flat()
        .find((one) => one?.family === 'IPv4' && !one.internal)?.address ?? '127.0.0.2',
    connections,
    [Symbol.asyncDispose]: async () => {
      for (const one of listeners) one.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function listener(at: { port: number; host: string } | { path: string }, connected: () => void): Promise<Server> {
  const server = createServer((socket) => {
    connected();
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nLEAKED');
  });
  server.listen(at);
  await once(server, 'listening');
  return server;
}

/** Every path below some folders with its kind, mode, owner and content. Two that are equal hold the same. */
export function digestOf(...folders: readonly string[]): string {
  const hash = createHash('sha256');
  const walk = (path: string) => {
    const found = lstatSync(path);
    hash.update(`${path}\0${found.mode}\0${found.uid}\0`);
    if (found.isSymbolicLink()) hash.update(readlinkSync(path));
    else if (found.isFile()) hash.update(readFileSync(path));
    else if (found.isDirectory()) for (const name of readdirSync(path).sort()) walk(join(path, name));
  };
  for (const folder of folders) walk(folder);
  return hash.digest('hex');
}

/** Processes of this machine whose command line holds a word. */
export function processesWith(word: string): string[] {
  return readdirSync('/proc').filter((entry) => {
    try {
      return /^\d+$/.test(entry) && readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes(word);
    } catch {
      return false;
    }
  });
}
