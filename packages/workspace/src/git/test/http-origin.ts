import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpOriginOptions {
  /** The folder whose repositories are served. */
  readonly root: string;
  /** The password that a request must bring; null: anyone may read and write. */
  readonly token: string | null;
  /** Done before a request is answered, for what happens elsewhere in the meantime. */
  readonly before?: (url: string) => Promise<void>;
}

export interface HttpOrigin extends AsyncDisposable {
  readonly port: number;
  /** The paths asked for, with their `Authorization`. */
  readonly requests: { readonly url: string; readonly authorization: string | undefined; readonly host: string }[];
  /** Sends every request elsewhere from now on. */
  redirectTo(origin: string): void;
  /** From now on an answer to a fetch begins and never ends. */
  stall(): void;
  /** Refuses pushes with 403, whatever the token. */
  readOnly(): void;
}

/** git's own smart-HTTP server behind node:http with Basic authentication, on loopback. */
export async function startHttpOrigin(options: HttpOriginOptions): Promise<HttpOrigin> {
  const requests: HttpOrigin['requests'] = [];
  const state = { redirect: '', stalled: false, readOnly: false };
  const children = new Set<ChildProcess>();
  const server = createServer((request, response) => {
    const url = request.url ?? '/';
    requests.push({ url, authorization: request.headers.authorization, host: request.headers.host ?? '' });
    if (state.redirect !== '') {
      response.writeHead(302, { location: `${state.redirect}${url}` }).end();
    } else if (!isAllowed(request, options.token)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    } else if (state.readOnly && url.includes('receive-pack')) {
      response.writeHead(403).end();
    } else if (state.stalled && request.method === 'POST') {
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' }).write('0008NAK\n');
    } else {
      const act = async (): Promise<void> => {
        await options.before?.(url);
        children.add(answer(options.root, request, response));
      };
      act().catch(() => response.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    redirectTo: (origin) => {
      state.redirect = origin;
    },
    stall: () => {
      state.stalled = true;
    },
    readOnly: () => {
      state.readOnly = true;
    },
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill('SIGKILL');
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isAllowed(request: IncomingMessage, token: string | null): boolean {
  if (token === null) return true;
  const [, basic = ''] = (request.headers.authorization ?? '').split(' ');
  return Buffer.from(basic, 'base64').toString('utf8').split(':')[1] === token;
}

/** Runs `git http-backend` as CGI for one request. */
function answer(root: string, request: IncomingMessage, response: ServerResponse): ChildProcess {
  const [path = '', query = ''] = (request.url ?? '/').split('?');
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'http.receivepack',
      GIT_CONFIG_VALUE_0: 'true',
      GIT_CONFIG_KEY_1: 'safe.directory',
      GIT_CONFIG_VALUE_1: '*',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      REMOTE_USER: 'test',
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  request.pipe(child.stdin);
  let head = Buffer.alloc(0);
  let begun = false;
  child.stdout.on('data', (chunk: Buffer) => {
    if (begun) {
      response.write(chunk);
      return;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) return;
    begun = true;
    let status = 200;
    for (const line of head.subarray(0, end).toString('utf8').split('\r\n')) {
      const [name = '', ...value] = line.split(': ');
      if (name === 'Status') status = Number.parseInt(value.join(': '), 10);
      else response.setHeader(name, value.join(': '));
    }
    response.writeHead(status);
    response.write(head.subarray(end + 4));
  });
  child.on('close', () => response.end());
  return child;
}
