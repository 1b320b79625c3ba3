import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import type { CodeHost, CodeHostCall, HostedName } from '@sluice/core/code-host';
import { AppError, type ErrorCode } from '@sluice/core/error';
import { freePort, localHosts } from '@sluice/testing';
import { describe, expect, it, vi } from 'vitest';
import { CANARY, json, quickPace, startScriptedHost } from '../../test/scripted-host.ts';
import { createCodeHost } from './create-code-host.ts';

const clock = { now: () => new Date() }; // octokit reads the machine's
const inSeconds = (seconds: number) => String(Math.floor(clock.now().getTime() / 1_000) + seconds);

interface Fault {
  readonly name: string;
  readonly code: ErrorCode;
  /** Whether a retry may help. */
  readonly passing?: boolean;
  readonly detail?: RegExp;
  readonly retryAfterMs?: number;
  /** Whether the host accepts the request and never responds: then the deadline passes at once. */
  readonly isSilent?: boolean;
  answer(response: ServerResponse, elsewhere: URL): void;
}

const faults: readonly Fault[] = [
  {
    name: 'a token that is refused',
    code: 'codehost_relink_needed',
    answer: (response) => json(response, [401, { message: 'Bad credentials' }]),
  },
  {
    name: 'an account that may not',
    code: 'codehost_forbidden',
    detail: /is not allowed to do this\. Its reason: Resource protected by organization SAML enforcement/,
    answer: (response) =>
      json(response, [403, { message: `Resource protected by organization SAML enforcement. ${CANARY}` }], {
        'x-ratelimit-remaining': '4711',
      }),
  },
  {
    name: 'a quota that is used up',
    code: 'codehost_busy',
    retryAfterMs: 1_200_000,
    answer: (response) =>
      json(response, [403, { message: 'API rate limit exceeded for user ID 1.' }], {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': inSeconds(1_200),
      }),
  },
  {
    name: 'too many requests in a short time',
    code: 'codehost_busy',
    retryAfterMs: 60_000,
    answer: (response) => json(response, [403, { message: 'You have exceeded a secondary rate limit.' }]),
  },
  {
    name: 'a wait that is asked for',
    code: 'codehost_busy',
    retryAfterMs: 90_000,
    answer: (response) => json(response, [429, { message: 'Slow down' }], { 'retry-after': '90' }),
  },
  {
    name: 'nothing there',
    code: 'codehost_not_found',
    answer: (response) => json(response, [404, { message: 'Not Found' }]),
  },
  {
    name: 'a request that is refused',
    code: 'codehost_refused',
    detail: /Its reason: Validation Failed: No commits between main and sluice\/1/,
    answer: (response) =>
      json(response, [
        422,
        { message: 'Validation Failed', errors: [{ message: `No commits between main and sluice/1 ${CANARY}` }] },
      ]),
  },
  {
    name: 'a fault of the host',
    code: 'codehost_unavailable',
    passing: true,
    answer: (response) => json(response, [500, { message: CANARY }]),
  },
  {
    name: "a proxy's page",
    code: 'codehost_unavailable',
    passing: true,
    answer: (response) => {
      response.writeHead(502, { 'content-type': 'text/html' });
      response.end('<h1>Bad gateway</h1>');
    },
  },
  {
    name: 'no answer',
    code: 'codehost_unavailable',
    passing: true,
    detail: /did not respond in time/,
    isSilent: true,
    answer: () => {},
  },
  {
    name: 'a connection that ends in the middle of the answer',
    code: 'codehost_unavailable',
    passing: true,
    answer: (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"id": 1, "number": 1');
      setImmediate(() => response.destroy());
    },
  },
  {
    name: 'a response that does not match the schema',
    code: 'codehost_unavailable',
    detail: /not in the expected format/,
    answer: (response) => json(response, [200, { unexpected: true, token: CANARY }]),
  },
  {
    name: 'an answer that is not JSON though it says so',
    code: 'codehost_unavailable',
    detail: /not in the expected format/,
    answer: (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"id": 1, "number"');
    },
  },
  {
    name: 'a redirect to another origin',
    code: 'codehost_unavailable',
    answer: (response, elsewhere) => {
      response.writeHead(307, { location: new URL('/user', elsewhere).href });
      response.end();
    },
  },
];

interface Method {
  readonly name: string;
  /** The first request, which fails. */
  readonly first: string;
  /** How many such requests are concurrent. */
  readonly sideBySide?: number;
  run(host: CodeHost, call: CodeHostCall): Promise<unknown>;
}

const from = { headBranch: 'sluice/1', headCommit: 'f'.repeat(40) };
const draft = { title: 'A title', body: 'A body', headBranch: 'sluice/1', baseBranch: 'main', draft: true };
const comment = { number: 1, marker: '<!-- sluice:1 -->', body: '<!-- sluice:1 -->\nDone.' };

const methods: readonly Method[] = [
  { name: 'account', first: 'GET /user', run: (host, call) => host.account(call) },
  {
    name: 'repos',
    first: 'GET /user/repos',
    run: (host, call) => host.repos(call, { page: 1, perPage: 10, q: null }),
  },
  { name: 'repo', first: 'GET /repos/ada/engine', run: (host, call) => host.repo(call, 'ada/engine') },
  { name: 'repoById', first: 'GET /repositories/7', run: (host, call) => host.repoById(call, '7') },
  {
    name: 'issues',
    first: 'GET /repos/ada/engine/issues',
    run: (host, call) => host.issues(call, 'ada/engine', { page: 1, perPage: 10, q: null }),
  },
  { name: 'issue', first: 'GET /repos/ada/engine/issues/1', run: (host, call) => host.issue(call, 'ada/engine', 1) },
  {
    name: 'comments',
    first: 'GET /repos/ada/engine/issues/1/comments',
    run: (host, call) => host.comments(call, 'ada/engine', { kind: 'change_request', number: 1 }),
  },
  {
    name: 'changeRequest',
    first: 'GET /repos/ada/engine/pulls/1',
    run: (host, call) => host.changeRequest(call, 'ada/engine', 1),
  },
  {
    name: 'findChangeRequest',
    first: 'GET /repos/ada/engine/pulls',
    run: (host, call) => host.findChangeRequest(call, 'ada/engine', from),
  },
  {
    name: 'openChangeRequest',
    first: 'POST /repos/ada/engine/pulls',
    run: (host, call) => host.openChangeRequest(call, 'ada/engine', draft),
  },
  {
    name: 'describeChangeRequest',
    first: 'PATCH /repos/ada/engine/pulls/1',
    run: (host, call) => host.describeChangeRequest(call, 'ada/engine', { number: 1, body: 'Anew' }),
  },
  {
    name: 'putComment, when it writes a new one',
    first: 'POST /repos/ada/engine/issues/1/comments',
    run: (host, call) => host.putComment(call, 'ada/engine', comment),
  },
  {
    name: 'putComment, when it replaces one',
    first: 'PATCH /repos/ada/engine/issues/comments/9',
    run: (host, call) => host.putComment(call, 'ada/lovelace', comment),
  },
  {
    name: 'changedSince',
    first: 'GET /repos/ada/engine/issues',
    run: (host, call) => host.changedSince(call, 'ada/engine', null),
  },
];

const me = { id: 1, login: 'ada' };
const mine = { id: 9, user: me, body: `${comment.marker}\nBefore.`, html_url: 'http://host/c/9' };

/** Successful responses before the request that fails. */
const wellAnswered: Readonly<Record<string, unknown>> = {
  'GET /user': me,
  'GET /repos/ada/engine/pulls': [],
  'GET /repos/ada/engine/pulls/comments': [],
  'GET /repos/ada/engine/issues/1/comments': [],
  'GET /repos/ada/lovelace/issues/1/comments': [mine],
};

const REQUEST_MS = 20_000;

/** Replaces the deadline of requests. @returns a function that ends it for all pending ones */
function timeOfRequests(): () => void {
  const underWay: AbortController[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const over = new AbortController();
    if (ms === REQUEST_MS) underWay.push(over);
    return over.signal;
  });
  return () => {
    for (const over of underWay.splice(0)) over.abort(new DOMException('It is too late.', 'TimeoutError'));
  };
}

describe.each(faults)('$name', (fault) => {
  it.each(methods)(`makes $name fail with ${fault.code}`, async ({ name, first, run }) => {
    const target = first.replace('engine/issues/comments', 'lovelace/issues/comments');
    const isTooLate = fault.isSilent === true ? timeOfRequests() : () => undefined;
    await using elsewhere = await startScriptedHost((_, response) => json(response, [200, me]));
    await using server = await startScriptedHost((request, response) => {
      const asked = `${request.method} ${request.url?.split('?')[0]}`;
      if (asked !== target && asked in wellAnswered) json(response, [200, wellAnswered[asked]]);
      else {
        fault.answer(response, elsewhere.url);
        isTooLate();
      }
    });
    const host = createCodeHost({
      webUrl: server.url,
      apiUrl: server.url,
      clock,
      hosts: localHosts,
      userAgent: 'sluice-test',
      pace: quickPace,
      timeouts: { requestMs: REQUEST_MS, callMs: 50_000, logMs: 50_000 },
    });

    const call = { token: CANARY, signal: new AbortController().signal };
    const error = await run(host, call).then(
      () => expect.unreachable(`${name} succeeded`),
      (thrown: unknown) => thrown,
    );

    expect(error).toBeInstanceOf(AppError);
    const { code, details, message } = error as AppError;
    expect(code).toBe(fault.code);
    if (fault.detail !== undefined) expect(message).toMatch(fault.detail);
    if (fault.retryAfterMs !== undefined) expect(details.retryAfterMs).toBeCloseTo(fault.retryAfterMs, -4);
    const shown = inspect(error, { depth: 20, showHidden: true });
    expect(shown).not.toContain(CANARY);
    expect(shown).not.toMatch(/authorization/i);
    expect(elsewhere.seen).toEqual([]);
    const times = target.startsWith('POST') || fault.passing !== true ? 1 : 3;
    expect(server.seen.filter((asked) => asked === target)).toHaveLength(times);
  });
});

it('rejects with the reason of the signal when the caller aborts', async () => {
  await using server = await startScriptedHost(() => stop.abort(reason));
  const stop = new AbortController();
  const reason = new Error('The issue was cancelled.');
  const host = createCodeHost({
    webUrl: server.url,
    apiUrl: server.url,
    clock,
    hosts: localHosts,
    userAgent: 'sluice-test',
  });
  await expect(host.account({ token: CANARY, signal: stop.signal })).rejects.toBe(reason);
  await expect(host.account({ token: CANARY, signal: stop.signal })).rejects.toBe(reason);
  expect(server.seen).toHaveLength(1);
});

it('ends a call whose requests take too long together', async () => {
  await using server = await startScriptedHost(() => {});
  const timeouts = { requestMs: 20_000, callMs: 50, logMs: 50 };
  const host = createCodeHost({
    webUrl: server.url,
    apiUrl: server.url,
    clock,
    hosts: localHosts,
    userAgent: 'sluice-test',
    timeouts,
  });
  await expect(host.account({ token: CANARY, signal: new AbortController().signal })).rejects.toMatchObject({
    code: 'codehost_unavailable',
    message: expect.stringContaining('in time'),
  });
});

it('reports an unreachable host as unavailable', async () => {
  const nowhere = new URL(`http://127.0.0.1:${await freePort()}`);
  const options = {
    webUrl: nowhere,
    apiUrl: nowhere,
    clock,
    hosts: localHosts,
    userAgent: 'sluice-test',
    pace: quickPace,
  };
  const error = createCodeHost(options).account({ token: CANARY, signal: new AbortController().signal });
  await expect(error).rejects.toMatchObject({
    code: 'codehost_unavailable',
    cause: expect.objectContaining({ message: 'GET /user failed: ECONNREFUSED' }),
  });
});

it('stops reading a response at the size limit', async () => {
  let written = 0;
  await using server = await startScriptedHost((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const part = Buffer.alloc(1024 * 1024, ' ');
    const more = () => {
      if (response.destroyed) return;
      written += part.byteLength;
      response.write(part, more);
    };
    more();
  });
  const options = {
    webUrl: server.url,
    apiUrl: server.url,
    clock,
    hosts: localHosts,
    userAgent: 'sluice-test',
    pace: quickPace,
  };
  const error = createCodeHost(options).account({ token: CANARY, signal: new AbortController().signal });
  await expect(error).rejects.toMatchObject({
    code: 'codehost_unavailable',
    message: expect.stringContaining('too large'),
  });
  expect(written).toBeLessThan(3 * 32 * 1024 * 1024);
});

it('refuses a repository name that would change the path, without a request', async () => {
  await using server = await startScriptedHost((_, response) => json(response, [200, {}]));
  const host = createCodeHost({
    webUrl: server.url,
    apiUrl: server.url,
    clock,
    hosts: localHosts,
    userAgent: 'sluice-test',
  });
  const call = { token: CANARY, signal: new AbortController().signal };
  for (const name of ['../user', 'ada/..', 'ada/engine/pulls', 'ada', '', 'ada/a b', 'ada/%2e%2e'] as HostedName[]) {
    await expect(host.repo(call, name)).rejects.toMatchObject({ code: 'codehost_not_found' });
  }
  await expect(host.issue(call, 'ada/engine', -1)).rejects.toMatchObject({ code: 'codehost_not_found' });
  expect(server.seen).toEqual([]);
});
