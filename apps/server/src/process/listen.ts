import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartError } from './start-error.ts';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** The variable to change when the port is not available. */
  readonly portVariable: 'PORT' | 'METRICS_PORT';
}

/**
 * Listens, and returns the URL.
 *
 * @returns e.g. `http://127.0.0.1:3000`, without a trailing slash
 * @throws StartError when the address is not available
 */
export async function listen(server: Server, address: ListenAddress): Promise<string> {
  server.listen({ host: address.host, port: address.port });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw listenError(error as NodeJS.ErrnoException, address);
  }
  const { port } = server.address() as AddressInfo;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return `http://${host}:${port}`;
}

function listenError(error: NodeJS.ErrnoException, { host, port, portVariable }: ListenAddress): Error {
  const sentences: Record<string, string> = {
    EADDRINUSE: `Port ${port} is in use by another program: stop that program, or set ${portVariable} to another port (0 picks a free one).`,
    EACCES: `This user may not listen on port ${port}: set ${portVariable} to a port above 1023.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine: correct HOST.`,
    ENOTFOUND: `The name ${host} is unknown: correct HOST.`,
  };
  const sentence = sentences[error.code ?? ''];
  return sentence === undefined ? error : new StartError(sentence, { cause: error });
}
