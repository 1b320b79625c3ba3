import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { IssueWire } from '@sluice/core/issue';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTerminal, type Terminal } from './terminal.ts';

const CERTIFICATES = 'openssl';
const UUID = '019aa000-0000-7000-8000-000000000001';
let terminal: Terminal;
const servers: Server[] = [];

beforeEach(async () => {
  terminal = await openTerminal();
});

afterEach(() => {
  terminal[Symbol.dispose]();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function listening(server: Server, protocol = 'http'): Promise<string> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const json =
  (status: number, body: unknown): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const refusal = (status: number, code: string): RequestListener =>
  json(status, {
    error: { message: 'x', code: -32000, data: { code: 'X', httpStatus: status, error: { code, detail: 'Refused.' } } },
  });

describe('a refusal', () => {
  it.each<[string, number, number]>([
    ['validation_failed', 400, 2],
    ['session_missing', 401, 3],
    ['not_owner', 403, 4],
    ['issue_not_found', 404, 4],
    ['repo_busy', 409, 5],
    ['body_too_large', 413, 2],
    ['rate_limited', 429, 6],
    ['internal', 500, 1],
    ['codehost_unavailable', 502, 1],
    ['not_ready', 503, 1],
    ['of_a_newer_server', 418, 1],
  ])('%s ends with its exit code', async (code, status, exit) => {
    const url = await listening(createServer(refusal(status, code)));
    const ended = await terminal.sluice(['issues', 'show', UUID, '--url', url]);
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: exit, stdout: '' });
    expect(ended.stderr).toMatch(/^sluice: [^\n]+\n$/);
    const asJson = await terminal.sluice(['issues', 'show', UUID, '--json', '--url', url]);
    expect({ code: asJson.code, stdout: asJson.stdout }).toEqual({ code: exit, stdout: '' });
    expect(JSON.parse(asJson.stderr)).toMatchObject({ code, exit_code: exit, detail: expect.any(String) });
  });
});

describe('an address without a Sluice server', () => {
  it.each<[string, RequestListener, RegExp, string?]>([
    [
      'a web page',
      (_request, response) => void response.end('<h1>Hello</h1>'),
      /\(HTTP 200\) is not from a Sluice server\. Check the address/,
    ],
    [
      'another address',
      (_request, response) => void response.writeHead(301, { location: 'https://other.example' }).end(),
      /Use https:\/\/other\.example if you trust it/,
    ],
    [
      'a proxy without its server',
      (_request, response) => void response.writeHead(502).end(),
      /cannot reach the server \(HTTP 502\)/,
    ],
    ['silence', () => {}, /did not answer within 0\.3 seconds/, '0.3'],
    ['a broken connection', (request) => void request.socket.destroy(), /The connection to \S+ failed/],
  ])('is reported in one line: %s', async (...[, listener, message, timeout = '']) => {
    const url = await listening(createServer(listener));
    const ended = await terminal.sluice(['whoami', '--url', url], { env: { SLUICE_TIMEOUT: timeout } });
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/^sluice: [^\n]+\n$/);
    expect(ended.stderr).toMatch(message);
  });

  it('is reported for an untrusted certificate, and for https without TLS', async () => {
    const [key, cert] = [join(terminal.home, 'key.pem'), join(terminal.home, 'cert.pem')];
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '1'];
    const make = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', ...subject];
    execFileSync(CERTIFICATES, [...make, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    const listener = refusal(404, 'issue_not_found');
    const url = await listening(
      createHttpsServer({ key: readFileSync(key), cert: readFileSync(cert) }, listener),
      'https',
    );
    const refused = await terminal.sluice(['whoami', '--url', url]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /^sluice: The certificate of \S+ is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)[^\n]+\n$/,
    );
    expect((await terminal.spawn(['whoami', '--url', url], { env: { NODE_EXTRA_CA_CERTS: cert } })).code).toBe(4);
    const plain = await listening(createServer(listener));
    const wrong = await terminal.sluice(['whoami', '--url', plain.replace('http:', 'https:')]);
    expect(wrong.stderr).toMatch(/^sluice: The server at \S+ does not use TLS\. [^\n]+\n$/);
  });
});

describe('an answer to sluice api', () => {
  it.each([
    ['text/event-stream', 'data: {}\n\n'],
    ['application/json', '{"items":'],
  ])('is reported in one line when the connection is lost in the middle of it: %s', async (type, start) => {
    const url = await listening(
      createServer((_request, response) => {
        response.writeHead(200, { 'content-type': type }).write(start, () => response.destroy());
      }),
    );
    const ended = await terminal.sluice(['api', 'events', '--url', url]);
    expect(ended).toMatchObject({
      code: 1,
      stderr: 'sluice: The connection was lost before the end of the answer.\n',
    });
  });

  it('may have no body, or be no JSON although it says so', async () => {
    const url = await listening(createServer(json(200, {})));
    expect(await terminal.sluice(['api', 'HEAD', 'issues', '--url', url])).toMatchObject({ code: 0, stdout: '' });
    const cut = await listening(
      createServer((_request, response) => void response.setHeader('content-type', 'application/json').end('{"a')),
    );
    expect(await terminal.sluice(['api', 'issues', '--url', cut])).toMatchObject({ code: 0, stdout: '"{\\"a"\n' });
  });
});

describe('text from a hostile server', () => {
  const evil = 'a\x1b[2J\x1b]0;owned\x07\u009b31m\u202eb\rc';
  const issue: Partial<IssueWire> = {
    id: UUID,
    repo_id: UUID,
    title: evil,
    body: evil,
    status: 'failed',
    stage: null,
    labels: [evil],
    codehost_url: evil,
    base_branch: evil,
    plan: null,
    gate: null,
    result: null,
    error: { stage: 'test', detail: evil },
    usage: { input_tokens: 0, output_tokens: 0, cost_usd: null },
    queue_position: null,
    queued_at: null,
    created_at: '2026-11-20T09:15:00.000Z',
  };
  const answers: Record<string, unknown> = {
    'issues.list': { items: [issue], next_cursor: null },
    'issues.get': issue,
    'issues.log': { items: [{ seq: 1, command: evil, stream: 'stdout', text: evil, at: '' }], next_after: null },
    'issues.retry': { ...issue },
    'repos.list': { items: [{ id: UUID, name: evil, url: evil }], next_cursor: null },
    'repos.search': { items: [{ path: evil, start_line: 1, end_line: 2, symbol: evil, text: evil, score: 1 }] },
    'auth.me': { id: UUID, email: evil, name: evil, codehost_login: evil },
  };
  const server: RequestListener = (request, response) => {
    const procedure = /trpc\/([a-z.]+)/.exec(request.url ?? '')?.[1] ?? '';
    if (Object.hasOwn(answers, procedure))
      return json(200, { result: { data: answers[procedure] } })(request, response);
    const error = { code: 'repo_busy', detail: evil };
    json(409, { error: { message: evil, code: -1, data: { code: 'X', httpStatus: 409, error } } })(request, response);
  };

  it.each([
    [['issues', 'list'], 0],
    [['issues', 'show', UUID], 0],
    [['issues', 'log', UUID], 0],
    [['issues', 'retry', UUID], 0],
    [['repos', 'search', UUID, 'x'], 0],
    [['whoami'], 0],
    [['issues', 'run', UUID], 5],
    [['issues', 'delete', UUID], 2],
  ])('does not act on the terminal: %j', async (args, code) => {
    const url = await listening(createServer(server));
    for (const format of [[], ['--json']]) {
      const ended = await terminal.sluice([...args, ...format, '--url', url]);
      expect(ended.code, ended.stderr).toBe(code);
      expect(ended.stdout + ended.stderr).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
      if (format.length > 0 && code === 0) expect(ended.stdout).toContain('\\u009b');
    }
  });

  it('is unchanged in JSON', async () => {
    const url = await listening(createServer(server));
    expect(await terminal.json(['issues', 'show', UUID, '--url', url])).toMatchObject({ title: evil });
  });
});
