import { graphProblems } from '@sluice/fake-code-host';
import { localHosts } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { openHostBench } from '../../test/host-bench.ts';
import { CANARY, json, quickPace, startScriptedHost } from '../../test/scripted-host.ts';
import { createCodeHost, readyDocument } from './create-code-host.ts';
import { resolveDocument, threadDocument, threadsDocument } from './review-threads.ts';

const REPO = 'ada/engine';

async function openPullBench({ draft = false } = {}) {
  const bench = await openHostBench();
  const { there, host, ada } = bench;
  await there.push(REPO, { by: 'ada', branch: 'sluice/1', files: { 'a.txt': 'a' } });
  const ends = { headBranch: 'sluice/1', baseBranch: 'main' };
  const { number } = await host.openChangeRequest(ada, REPO, { title: 'A', body: '', draft, ...ends });
  return Object.assign(bench, {
    number,
    place: { repo: REPO, number, by: 'ada' },
    line: (body: string, replyTo?: number) =>
      there.commentLine(
        { repo: REPO, number, by: 'ada' },
        { path: 'a.txt', line: 1, body, ...(replyTo && { replyTo }) },
      ),
    threads: () => host.reviewThreads(ada, REPO, number),
  });
}

it.each([
  ['the threads', threadsDocument],
  ['a thread', threadDocument],
  ['resolving', resolveDocument],
  ['making ready', readyDocument],
])("conforms to the provider's schema in the document of %s", async (_, document) => {
  expect(await graphProblems(document)).toEqual([]);
  expect(await graphProblems(document.replace('(', '( $absent: Absent,'))).not.toEqual([]);
});

it('makes a draft ready for review, once', async () => {
  await using bench = await openPullBench({ draft: true });
  const { there, host, ada, number } = bench;
  bench.asked();
  await host.markReady(ada, REPO, number);
  expect((await host.changeRequest(ada, REPO, number)).state).toBe('open');
  await host.markReady(ada, REPO, number);
  expect(bench.asked().filter((asked) => asked.includes('graphql'))).toEqual(['POST /graphql 200']);
  there.close(bench.place);
  await host.markReady(ada, REPO, number);
});

it('is not allowed to make the draft of somebody else ready without write access', async () => {
  await using bench = await openPullBench({ draft: true });
  const { there, host, number } = bench;
  there.addUser({ login: 'eve' });
  await expect(host.markReady(bench.callAs('eve'), REPO, number)).rejects.toMatchObject({
    code: 'codehost_forbidden',
    message: expect.stringContaining('does not have the correct permissions'),
  });
});

it('reads the threads of a pull request with their comments, page by page', async () => {
  await using bench = await openPullBench();
  const { there } = bench;
  const first = bench.line('This');
  const answer = bench.line('Why?', first);
  const others = Array.from({ length: 60 }, (_, index) => bench.line(`And ${index}`));
  there.setResolved(bench.place, { comment: Number(others[59]), resolved: true });
  bench.asked();
  const threads = await bench.threads();
  expect(bench.asked()).toEqual(['POST /graphql 200', 'POST /graphql 200']);
  expect(threads.map(({ comments }) => comments)).toEqual([
    [`line-${first}`, `line-${answer}`],
    ...others.map((id) => [`line-${id}`]),
  ]);
  expect(threads.filter(({ resolved }) => resolved)).toEqual([threads[60]]);
});

it('resolves a thread, once', async () => {
  await using bench = await openPullBench();
  const { host, ada } = bench;
  bench.line('This');
  bench.line('That');
  const [thread] = await bench.threads();
  bench.asked();
  await host.resolveThread(ada, thread?.id ?? '');
  await host.resolveThread(ada, thread?.id ?? '');
  expect(bench.asked()).toHaveLength(3);
  expect((await bench.threads()).map(({ resolved }) => resolved)).toEqual([true, false]);
});

it('asks its caller before it resolves, and not before it reads', async () => {
  await using bench = await openPullBench();
  const { host, ada } = bench;
  bench.line('This');
  let asked = 0;
  const guarded = {
    ...ada,
    beforeWrite: async () => {
      asked += 1;
      throw new Error('The lease is lost.');
    },
  };
  const [thread] = await host.reviewThreads(guarded, REPO, bench.number);
  expect(asked).toBe(0);
  await expect(host.resolveThread(guarded, thread?.id ?? '')).rejects.toThrow('The lease is lost.');
  expect(asked).toBe(1);
  expect((await bench.threads())[0]?.resolved).toBe(false);
});

it('finds nothing where the account may see nothing', async () => {
  await using bench = await openPullBench();
  const { host, ada } = bench;
  const missing = { code: 'codehost_not_found' };
  await expect(host.reviewThreads(ada, 'ada/absent', 1)).rejects.toMatchObject(missing);
  await expect(host.reviewThreads(ada, REPO, 99)).rejects.toMatchObject(missing);
  await expect(host.resolveThread(ada, 'PRRT_99')).rejects.toMatchObject(missing);
});

describe('an error that comes with status 200', () => {
  const fails = async (errors: readonly object[], headers: Record<string, string> = {}) => {
    const clock = { now: () => new Date(1_000_000) };
    await using server = await startScriptedHost((_, response) =>
      json(response, [200, { data: null, errors }], headers),
    );
    const options = {
      webUrl: server.url,
      apiUrl: server.url,
      clock,
      hosts: localHosts,
      userAgent: 'sluice-test',
      pace: quickPace,
    };
    const call = { token: CANARY, signal: new AbortController().signal };
    return await createCodeHost(options)
      .reviewThreads(call, REPO, 1)
      .then(
        () => null,
        (error: unknown) => error,
      );
  };

  it.each([
    ['NOT_FOUND', 'codehost_not_found'],
    ['FORBIDDEN', 'codehost_forbidden'],
    ['INSUFFICIENT_SCOPES', 'codehost_forbidden'],
    ['INTERNAL', 'codehost_unavailable'],
    ['UNPROCESSABLE', 'codehost_refused'],
    [undefined, 'codehost_refused'],
  ])('of type %s is %s', async (type, code) => {
    const error = await fails([{ type, message: `No, ${CANARY}\u0007 may not.` }]);
    expect(error).toMatchObject({ code });
    expect(String(error)).not.toContain(CANARY);
  });

  it('that the quota is used up asks to wait for it', async () => {
    const reset = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1300' };
    const error = await fails([{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }], reset);
    expect(error).toMatchObject({ code: 'codehost_busy', details: { retryAfterMs: 300_000 } });
  });

  it('of the host itself is that it is unavailable', async () => {
    const error = await fails([{ message: 'Something went wrong while executing your query.' }]);
    expect(error).toMatchObject({ code: 'codehost_unavailable' });
  });
});
