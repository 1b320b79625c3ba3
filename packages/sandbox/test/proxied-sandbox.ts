import { execFileSync } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { scriptedHosts } from '@sluice/testing';
import { createBwrapSandbox } from '../src/bwrap/bwrap-sandbox.ts';
import type { ProxyPolicy } from '../src/proxy/allow-proxy.ts';
import type { ScratchTree } from './scratch-tree.ts';

export const path = execFileSync('/bin/sh', ['-c', 'printf %s "$PATH"'], { encoding: 'utf8' });

/** Names that end in `.test` lead to this machine. */
export const hosts = scriptedHosts((host) => [host.endsWith('.test') ? '127.0.0.1' : '203.0.113.9']);

export function proxiedSandbox(scratch: ScratchTree, policy: Partial<ProxyPolicy>) {
  const proxy = { hosts, ...policy };
  return createBwrapSandbox({ readPaths: [], path, hideRoots: [scratch.data], scratchRoot: scratch.data, proxy });
}

/** A server on this machine, called `registry.test` in the sandbox. */
export async function startRegistry(answer: RequestListener): Promise<Disposable & { readonly port: number }> {
  // By default Node closes an idle connection after 5 s, and on a busy machine a client may send a request at that moment.
  const server = createServer({ keepAliveTimeout: 120_000 }, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
