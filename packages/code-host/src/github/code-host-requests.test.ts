import type { BuildCheck, CodeHost, CodeHostCall } from '@sluice/core/code-host';
import { readDescription } from '@sluice/fake-code-host';
import { localHosts, type PrismServer, startPrismServer } from '@sluice/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quickPace } from '../../test/scripted-host.ts';
import { createCodeHost } from './create-code-host.ts';

/*
 * Checks the adapter's requests against the provider's OpenAPI description, with Prism as the server. Its responses are the
 * provider's examples, which must match the adapter's schemas.
 */

let prism: PrismServer;
beforeAll(async () => {
  prism = await startPrismServer(readDescription('codehost-api'));
});
afterAll(() => prism[Symbol.asyncDispose]());

interface Judged {
  readonly request: string;
  readonly status: number;
}

function judgedHost(): { host: CodeHost; judged: Judged[] } {
  const judged: Judged[] = [];
  const judging: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    expect(headers.get('accept')).toMatch(/^application\/vnd\.github(?:\.full)?\+json$/);
    // Prism compares the complete media type; the host treats both as equal.
    headers.set('accept', 'application/json');
    const answer = await fetch(input, { ...init, headers });
    judged.push({ request: `${init?.method} ${new URL(String(input)).pathname}`, status: answer.status });
    return answer;
  };
  const options = {
    clock: { now: () => new Date() },
    hosts: localHosts,
    userAgent: 'sluice-test',
    pace: quickPace,
    fetch: judging,
  };
  return { judged, host: createCodeHost({ webUrl: new URL('http://host.test'), apiUrl: prism.url, ...options }) };
}

const call: CodeHostCall = { token: 'gho_0123456789', signal: new AbortController().signal };
const from = { headBranch: 'sluice/1', headCommit: 'f'.repeat(40) };
const draft = { title: 'A title', body: 'A body', headBranch: 'sluice/1', baseBranch: 'main', draft: true };

const failedCheck: BuildCheck = {
  ...{ id: 'check-4', name: 'test', summary: null, source: 'check', state: 'failure', required: false },
  ...{ partOf: 'workflow-5', url: null, startedAt: null, completedAt: null },
};

const isUndescribed = (request: string) => /^GET \/repositories\/\d+$|^POST \/graphql$/.test(request);

const methods: Record<
  Exclude<keyof CodeHost, 'url'>,
  { run(host: CodeHost): Promise<unknown>; requests: readonly string[] }
> = {
  account: { run: (host) => host.account(call), requests: ['GET /user'] },
  repos: { run: (host) => host.repos(call, { page: 1, perPage: 30, q: 'hello' }), requests: ['GET /user/repos'] },
  repo: { run: (host) => host.repo(call, 'ada/engine'), requests: ['GET /repos/ada/engine'] },
  repoById: {
    // The description omits this URL, to which the host redirects from every earlier name of a repository.
    run: (host) => expect(host.repoById(call, '1296269')).rejects.toMatchObject({ code: 'codehost_not_found' }),
    requests: ['GET /repositories/1296269'],
  },
  collaborators: {
    run: (host) => host.collaborators(call, 'ada/engine'),
    requests: ['GET /repos/ada/engine/collaborators'],
  },
  accountNamed: { run: (host) => host.accountNamed(call, 'octocat'), requests: ['GET /users/octocat'] },
  issues: {
    run: async (host) => {
      await host.issues(call, 'ada/engine', { page: 1, perPage: 30, q: null });
      await host.issues(call, 'ada/engine', { page: 1, perPage: 30, q: 'It "creaks"' });
    },
    requests: ['GET /repos/ada/engine/issues', 'GET /search/issues'],
  },
  issue: {
    // The example is that of a pull request.
    run: (host) => expect(host.issue(call, 'ada/engine', 1347)).rejects.toMatchObject({ code: 'codehost_not_found' }),
    requests: ['GET /repos/ada/engine/issues/1347'],
  },
  comments: {
    run: (host) => host.comments(call, 'ada/engine', { kind: 'change_request', number: 1347 }),
    requests: [
      'GET /repos/ada/engine/collaborators/octocat/permission',
      'GET /repos/ada/engine/issues/1347/comments',
      'GET /repos/ada/engine/pulls/1347/comments',
      'GET /repos/ada/engine/pulls/1347/reviews',
    ],
  },
  pictures: {
    run: (host) => host.pictures(call, 'ada/engine', 1347),
    requests: ['GET /repos/ada/engine/issues/1347', 'GET /repos/ada/engine/issues/1347/comments'],
  },
  withPicture: {
    // At another host than the API's, and refused before it is asked.
    run: (host) => {
      const picture = { name: 'a.png', url: 'https://files.example.test/a.png?jwt=x' };
      const limits = { maxBytes: 1, signal: call.signal };
      const reading = host.withPicture(picture, limits, async () => undefined);
      return expect(reading).rejects.toMatchObject({ code: 'codehost_refused' });
    },
    requests: [],
  },
  changeRequest: {
    run: (host) => host.changeRequest(call, 'ada/engine', 1347),
    requests: ['GET /repos/ada/engine/pulls/1347'],
  },
  findChangeRequest: {
    run: (host) => host.findChangeRequest(call, 'ada/engine', from),
    requests: ['GET /repos/ada/engine', 'GET /repos/ada/engine/pulls'],
  },
  openChangeRequest: {
    run: (host) => host.openChangeRequest(call, 'ada/engine', draft),
    requests: ['POST /repos/ada/engine/pulls'],
  },
  describeChangeRequest: {
    run: (host) => host.describeChangeRequest(call, 'ada/engine', { number: 1347, body: 'Anew' }),
    requests: ['PATCH /repos/ada/engine/pulls/1347'],
  },
  putComment: {
    run: async (host) => {
      await host.putComment(call, 'ada/engine', { number: 1347, marker: '<!-- m -->', body: 'Done' });
      // The comment of the example, as Sluice's own, to be replaced.
      await host.putComment(call, 'ada/engine', { number: 1347, marker: 'Me too', body: 'Me too, and more' });
    },
    requests: [
      'GET /repos/ada/engine/issues/1347/comments',
      'GET /user',
      'PATCH /repos/ada/engine/issues/comments/1',
      'POST /repos/ada/engine/issues/1347/comments',
    ],
  },
  replyToComment: {
    run: async (host) => {
      const reply = { number: 1347, commentId: 'line-9', marker: '<!-- m -->', body: 'Done' };
      await host.replyToComment(call, 'ada/engine', reply);
      // The comment of the example, as Sluice's own, to be replaced.
      await host.replyToComment(call, 'ada/engine', { ...reply, marker: 'Great', body: 'Great, and more' });
    },
    requests: [
      'GET /repos/ada/engine/pulls/1347/comments',
      'GET /repos/ada/engine/pulls/comments/9',
      'GET /user',
      'PATCH /repos/ada/engine/pulls/comments/10',
      'POST /repos/ada/engine/pulls/1347/comments/8/replies',
    ],
  },
  // The description has no GraphQL: documents are validated against the provider's schema instead.
  reviewThreads: {
    run: (host) =>
      expect(host.reviewThreads(call, 'ada/engine', 1347)).rejects.toMatchObject({ code: 'codehost_not_found' }),
    requests: ['POST /graphql'],
  },
  resolveThread: {
    run: (host) => expect(host.resolveThread(call, 'PRRT_1')).rejects.toMatchObject({ code: 'codehost_not_found' }),
    requests: ['POST /graphql'],
  },
  markReady: {
    // The example is none that is a draft.
    run: (host) => host.markReady(call, 'ada/engine', 1347),
    requests: ['GET /repos/ada/engine/pulls/1347'],
  },
  branchHead: {
    run: (host) => host.branchHead(call, 'ada/engine', 'release/2'),
    requests: ['GET /repos/ada/engine/branches/release%2F2'],
  },
  compare: {
    run: (host) => host.compare(call, 'ada/engine', { base: 'main', head: 'sluice/1' }),
    requests: ['GET /repos/ada/engine/compare/main...sluice%2F1'],
  },
  changeRequestCommits: {
    run: (host) => host.changeRequestCommits(call, 'ada/engine', 1347),
    requests: ['GET /repos/ada/engine/pulls/1347/commits'],
  },
  findRevert: {
    run: (host) =>
      host.findRevert(call, 'ada/engine', {
        ...{ number: 1347, baseBranch: 'main', mergeCommit: 'f'.repeat(40), mergedAt: new Date() },
      }),
    requests: ['GET /repos/ada/engine/commits'],
  },
  build: {
    run: (host) => host.build(call, 'ada/engine', { commit: 'f'.repeat(40), baseBranch: 'main' }),
    requests: [
      'GET /repos/ada/engine/actions/runs',
      'GET /repos/ada/engine/branches/main',
      `GET /repos/ada/engine/commits/${'f'.repeat(40)}/check-runs`,
      `GET /repos/ada/engine/commits/${'f'.repeat(40)}/status`,
      'GET /repos/ada/engine/rules/branches/main',
    ],
  },
  failedJobs: {
    run: (host) => host.failedJobs(call, 'ada/engine', [failedCheck]),
    requests: [
      'GET /repos/ada/engine/actions/jobs/4/logs',
      'GET /repos/ada/engine/check-runs/4',
      'GET /repos/ada/engine/check-runs/4/annotations',
    ],
  },
  changedSince: {
    run: async (host) =>
      host.changedSince(call, 'ada/engine', (await host.changedSince(call, 'ada/engine', null)).cursor),
    requests: ['GET /repos/ada/engine/issues', 'GET /repos/ada/engine/pulls', 'GET /repos/ada/engine/pulls/comments'],
  },
};

describe("every request conforms to the provider's description, and its examples can be parsed", () => {
  it.each(Object.entries(methods))('%s', async (_, { run, requests }) => {
    const { host, judged } = judgedHost();
    await run(host);
    const isRight = (status: number) => status < 300 || status === 302; // logs are elsewhere
    expect(judged.filter(({ status, request }) => !isRight(status) && !isUndescribed(request))).toEqual([]);
    expect([...new Set(judged.map(({ request }) => request))].sort()).toEqual(requests);
  });
});

it('detects a request that does not conform', async () => {
  const { host, judged } = judgedHost();
  const baseless = { ...draft, baseBranch: undefined as unknown as string };
  await expect(host.openChangeRequest(call, 'ada/engine', baseless)).rejects.toMatchObject({
    code: 'codehost_refused',
  });
  expect(judged[0]).toEqual({ request: 'POST /repos/ada/engine/pulls', status: 422 });
  expect((await fetch(new URL('/repos/ada/engine/issues?sort=loudness', prism.url))).status).toBe(422);
  expect((await fetch(new URL('/repos/ada/engine/nowhere', prism.url))).status).toBe(404);
});
