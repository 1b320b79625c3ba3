import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CommandError, exitCode } from '../terminal/exit-code.ts';
import { plainLine } from '../terminal/plain-text.ts';

const WAIT_MS = 5 * 60_000; // to sign in with a second factor, and find the phone for it

export interface GrantWait extends AsyncDisposable {
  readonly port: number;
  /** @throws CommandError when the sign-in failed, or was not completed in five minutes */
  readonly grant: Promise<string>;
}

/** Listens on loopback for the one request in which the browser delivers the grant. Its `state` must match. */
export async function waitForGrant(state: string, waitMs = WAIT_MS): Promise<GrantWait> {
  const { promise: grant, resolve, reject } = Promise.withResolvers<string>();
  grant.catch(() => {}); // it may reject before anything awaits it
  let taken = false;
  const server = createServer((request, response) => {
    const query = taken ? null : readCallback(request, state);
    if (query === null) return answer(response, 404, 'Not found.');
    taken = true;
    const received = query.get('grant');
    if (received !== null) {
      answer(response, 200, 'You are signed in. You can close this window.');
      return resolve(received);
    }
    answer(response, 200, 'The sign-in failed. You can close this window.');
    const why = plainLine(query.get('error') ?? 'no reason given').slice(0, 100);
    reject(new CommandError(exitCode.notLoggedIn, `The sign-in at the code host failed (${why}).`));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const timer = setTimeout(() => {
    reject(new CommandError(exitCode.notLoggedIn, 'The sign-in was not completed within five minutes. Try again.'));
  }, waitMs);
  return {
    port: (server.address() as AddressInfo).port,
    grant,
    [Symbol.asyncDispose]: async () => {
      clearTimeout(timer);
      server.close();
      server.closeIdleConnections();
      await once(server, 'close');
    },
  };
}

/** The parameters of the code host's callback; null for a request from any other page or program. */
function readCallback({ method, url = '' }: IncomingMessage, state: string): URLSearchParams | null {
  if (method !== 'GET' || !URL.canParse(url, 'http://127.0.0.1')) return null;
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  const given = Buffer.from(searchParams.get('state') ?? '');
  const expected = Buffer.from(state);
  const isOurs = given.byteLength === expected.byteLength && timingSafeEqual(given, expected);
  return pathname === '/' && isOurs ? searchParams : null;
}

function answer(response: ServerResponse, status: number, sentence: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'",
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      connection: 'close',
    })
    .end(`<!doctype html><html lang="en"><title>Sluice</title><p>${sentence}</p></html>\n`);
}
