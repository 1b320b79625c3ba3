import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { emptyAnswer, errorAnswer, type HostAnswer, HostRefusal, htmlAnswer } from './http/answer.ts';
import { type FaultBook, faultAnswer, type HostFault } from './http/fault.ts';
import { type HostCall, type HostRoute, matchRoute } from './http/host-call.ts';
import { type RateLimit, withHeaders } from './http/rate-limit.ts';
import { type SeenRequest, seenRequest } from './http/seen-request.ts';
import { basicCredentials } from './oauth/oauth-token.ts';
import { type HostState, nameOf } from './state/host-state.ts';

/** Called with every request; what it waits for, the request waits for. */
export type RequestHook = (request: SeenRequest) => void | Promise<void>;

export interface Serving {
  readonly host: HostState;
  readonly apiPrefix: string;
  readonly apiRoutes: readonly HostRoute[];
  readonly webRoutes: readonly HostRoute[];
  readonly faults: FaultBook;
  readonly rateLimit: RateLimit;
  /** The rate limit of searches, which count for no other. */
  readonly searchLimit: RateLimit;
  readonly requests: SeenRequest[];
  readonly onRequest: Set<RequestHook>;
  readonly beforeAnswer: Set<RequestHook>;
}

/** Takes one request from its first byte to the last one of its answer, through hooks and faults. */
export async function serveRequest(
  serving: Serving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { call, isApi, target } = await readCall(serving, request);
  const { host } = serving;
  const seen = seenRequest({ ...call, at: host.clock.now(), path: target.slice(call.method.length + 1) });
  serving.requests.push(seen);
  for (const hook of serving.onRequest) await hook(seen);
  const fault = serving.faults.take(seen);
  if (fault?.kind === 'hang') return;
  if (fault?.kind === 'reset') return void response.destroy();
  if (fault?.kind === 'delay') await sleep(fault.ms);
  const answer =
    (fault === null ? null : faultAnswer(fault, host.clock)) ?? (await work(serving, { call, isApi, target }));
  seen.status = answer.status;
  for (const hook of serving.beforeAnswer) await hook(seen);
  send(response, answer, fault);
}

interface ReadCall {
  readonly call: HostCall;
  readonly isApi: boolean;
  /** Method and path, as routes are written. */
  readonly target: string;
}

async function readCall({ host, apiPrefix }: Serving, request: IncomingMessage): Promise<ReadCall> {
  const url = new URL(request.url ?? '/', host.webUrl);
  const method = request.method ?? 'GET';
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks);
  // Beside the versions of the REST API.
  const isGraph = url.pathname === `${apiPrefix.replace(/\/v3$/, '')}/graphql`;
  const isApi = isGraph || (url.pathname.startsWith(`${apiPrefix}/`) && !/^\/login(\/|$)/.test(url.pathname));
  const inside = isGraph ? '/graphql' : isApi ? url.pathname.slice(apiPrefix.length) : url.pathname;
  const path = inside.replace(/\.git\/(info\/refs|git-[a-z]+-pack)$/, '/$1');
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
  const call: HostCall = {
    host,
    method,
    path: url.pathname,
    params: {},
    query: url.searchParams,
    headers,
    raw,
    body: fieldsOf(raw, headers['content-type'] ?? '', headers['content-encoding']),
    token: host.tokens.find(tokenIn(headers.authorization)),
  };
  return { call, isApi: isApi && !isGit(path), target: `${method} ${path}` };
}

function isGit(path: string): boolean {
  return /^\/[^/]+\/[^/]+\/(info\/refs|git-[a-z]+-pack)$/.test(path);
}

function tokenIn(authorization: string | undefined): string {
  const [scheme = '', value = ''] = (authorization ?? '').split(' ');
  if (['bearer', 'token'].includes(scheme.toLowerCase())) return value;
  return basicCredentials(authorization)?.password ?? '';
}

function fieldsOf(raw: Buffer, type: string, encoding: string | undefined): Record<string, unknown> {
  const text = (encoding === 'gzip' ? gunzipSync(raw) : raw).toString('utf8');
  if (type.includes('x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(text));
  if (text === '' || type.includes('x-git-')) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

async function work(serving: Serving, { call, isApi, target }: ReadCall): Promise<HostAnswer> {
  const routes = isApi ? serving.apiRoutes : serving.webRoutes;
  const missing = isApi ? errorAnswer(404, 'Not Found') : htmlAnswer(404, '<h1>Page not found</h1>');
  const named = byName(serving.host, target);
  const handle = async (): Promise<HostAnswer> => {
    for (const { route, handle } of routes) {
      const params = matchRoute(route, named);
      if (params !== null) return await handle({ ...call, params });
    }
    return missing;
  };
  if (!isApi) return await settle(handle);
  const limit = target.startsWith('GET /search/') ? serving.searchLimit : serving.rateLimit;
  const denied = admit(call) ?? limit.refuse(call.token?.value ?? '');
  if (denied !== null) return denied;
  const answer = conditional(call, await settle(handle));
  const told = limit.count(call.token?.value ?? '', answer);
  return withHeaders(told, { 'x-github-media-type': 'github.v3; format=json', 'x-github-request-id': '0000:0000' });
}

/** `/repositories/ID` is another way to say `/repos/OWNER/NAME`, for all that is below it too. */
function byName(host: HostState, target: string): string {
  return target.replace(/^([A-Z]+) \/repositories\/(\d+)/, (whole, method: string, id: string) => {
    const repo = host.repos.find((one) => String(one.id) === id);
    return repo === undefined ? whole : `${method} /repos/${nameOf(repo)}`;
  });
}

/** Checks a request before its route. */
function admit(call: HostCall): HostAnswer | null {
  if ((call.headers['user-agent'] ?? '') === '') {
    return errorAnswer(
      403,
      'Request forbidden by administrative rules. Please make sure your request has a User-Agent.',
    );
  }
  const scheme = (call.headers.authorization ?? '').split(' ')[0]?.toLowerCase();
  const isToken = scheme === 'bearer' || scheme === 'token';
  return isToken && call.token === null ? errorAnswer(401, 'Bad credentials') : null;
}

async function settle(handle: () => Promise<HostAnswer>): Promise<HostAnswer> {
  try {
    return await handle();
  } catch (error) {
    if (error instanceof HostRefusal) return error.answer;
    throw error;
  }
}

function send(response: ServerResponse, answer: HostAnswer, fault: HostFault | null): void {
  if (fault?.kind === 'lost') {
    response.destroy();
    return;
  }
  const length = answer.status === 304 || answer.status === 204 ? {} : { 'content-length': answer.body.length };
  response.writeHead(answer.status, { ...answer.headers, ...length });
  if (fault?.kind !== 'cut') {
    response.end(answer.body);
    return;
  }
  // The half must have left before the connection ends, or there would be no answer at all.
  response.write(answer.body.subarray(0, Math.floor(answer.body.length / 2)), () => response.destroy());
}

/** Gives an answer its ETag, different for each token, and answers 304 to a client that already has it. */
function conditional(call: HostCall, answer: HostAnswer): HostAnswer {
  if (call.method !== 'GET' || answer.status !== 200) return answer;
  const hash = createHash('sha256')
    .update(call.token?.value ?? '')
    .update(answer.body);
  const etag = `W/"${hash.digest('hex')}"`;
  const headers = { ...answer.headers, etag, 'cache-control': 'private, max-age=60, s-maxage=60' };
  const known = (call.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim());
  return known.includes(etag) ? emptyAnswer(304, headers) : { ...answer, headers };
}
