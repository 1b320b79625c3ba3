import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HostFiles } from '../state/host-state.ts';

interface FileRequest {
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** How a file is sent in place of the usual way. */
type SendFile = (response: ServerResponse) => void;

/** Another origin than the host's, where the files of issues are: what is signed into an address is all that it asks for. */
export interface FileOrigin extends HostFiles, AsyncDisposable {
  readonly url: string;
  readonly requests: readonly FileRequest[];
  /**
   * Keeps a file.
   *
   * @returns its address at the host, as a text names it, which a browser with a session is redirected from
   */
  add(file: { readonly content: Uint8Array; readonly type: string; readonly send?: SendFile }): string;
}

interface HostFile {
  readonly content: Uint8Array;
  readonly type: string;
  readonly send?: SendFile;
}

export async function openFileOrigin(webUrl: string): Promise<FileOrigin> {
  const files = new Map<string, HostFile>();
  const requests: FileRequest[] = [];
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    const url = new URL(request.url ?? '/', origin.url);
    requests.push({ path: `${url.pathname}${url.search}`, headers: request.headers });
    const file = files.get(/^\/1\/2-([0-9a-f-]{36})\.png$/.exec(url.pathname)?.[1] ?? '');
    if (file === undefined || url.searchParams.get('jwt') !== 'signed') return void response.writeHead(404).end();
    if (file.send !== undefined) return file.send(response);
    response.writeHead(200, { 'content-type': file.type }).end(file.content);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin: FileOrigin = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    add: (file) => {
      const id = randomUUID();
      files.set(id, file);
      return `${webUrl}/user-attachments/assets/${id}`;
    },
    signed: (id) => (files.has(id) ? `${origin.url}/1/2-${id}.png?jwt=signed&v=1` : null),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return origin;
}
