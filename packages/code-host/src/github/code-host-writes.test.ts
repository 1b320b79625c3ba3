import { scratchOrigin } from '@sluice/fake-code-host';
import { localHosts } from '@sluice/testing';
import { expect, it } from 'vitest';
import { type HostBench, openHostBench } from '../../test/host-bench.ts';
import { json, quickPace, startScriptedHost } from '../../test/scripted-host.ts';
import { createCodeHost } from './create-code-host.ts';

const from = { headBranch: 'sluice/1', headCommit: 'f'.repeat(40) };
const draft = {
  title: 'Stop the creaking',
  body: 'It does.',
  headBranch: 'sluice/1',
  baseBranch: 'main',
  draft: false,
};
const MARKER = '<!-- sluice:plan -->';

async function withBranch(bench: HostBench): Promise<HostBench> {
  await bench.there.push('ada/engine', { by: 'ada', branch: 'sluice/1', files: { 'a.txt': 'a' } });
  return bench;
}

it('opens a pull request, finds it, reads it and changes its description', async () => {
  await using bench = await withBranch(await openHostBench());
  const { there, host, ada } = bench;
  expect(await host.findChangeRequest(ada, 'ada/engine', from)).toBeNull();
  const opened = await host.openChangeRequest(ada, 'ada/engine', { ...draft, draft: true });
  const head = (await there.git('ada/engine', 'rev-parse', 'sluice/1')).trim();
  expect(opened).toEqual({
    number: opened.number,
    url: `${there.url}/ada/engine/pull/${opened.number}`,
    state: 'draft',
    headBranch: 'sluice/1',
    headCommit: head,
    baseBranch: 'main',
  });
  expect(await host.findChangeRequest(ada, 'ada/engine', from)).toEqual(opened);
  expect(await host.changeRequest(ada, 'ada/engine', opened.number)).toMatchObject(opened);
  await host.describeChangeRequest(ada, 'ada/engine', { number: opened.number, body: 'Told better.' });
  expect(await there.pulls('ada/engine')).toMatchObject([{ body: 'Told better.', title: draft.title, draft: true }]);
});

it('distinguishes merged and closed ones, and finds neither', async () => {
  await using bench = await withBranch(await openHostBench());
  const { there, host, ada } = bench;
  await there.push('ada/engine', { by: 'ada', branch: 'sluice/2', files: { 'b.txt': 'b' } });
  const merged = await host.openChangeRequest(ada, 'ada/engine', draft);
  const closed = await host.openChangeRequest(ada, 'ada/engine', { ...draft, headBranch: 'sluice/2' });
  await there.merge({ repo: 'ada/engine', number: merged.number, by: 'ada' });
  there.close({ repo: 'ada/engine', number: closed.number, by: 'ada' });
  expect((await host.changeRequest(ada, 'ada/engine', merged.number)).state).toBe('merged');
  expect((await host.changeRequest(ada, 'ada/engine', closed.number)).state).toBe('closed');
  expect(await host.findChangeRequest(ada, 'ada/engine', from)).toBeNull();
  expect(await host.findChangeRequest(ada, 'ada/engine', { ...from, headBranch: 'sluice/2' })).toBeNull();
});

it('finds a merged or closed one by its head commit, and prefers an open one', async () => {
  await using bench = await withBranch(await openHostBench());
  const { there, host, ada } = bench;
  const commit = await there.push('ada/engine', { by: 'ada', branch: 'sluice/1', files: { 'c.txt': 'c' } });
  const { number } = await host.openChangeRequest(ada, 'ada/engine', draft);
  there.close({ repo: 'ada/engine', number, by: 'ada' });
  const find = () => host.findChangeRequest(ada, 'ada/engine', { ...from, headCommit: commit });
  expect(await find()).toMatchObject({ number, state: 'closed', headCommit: commit });
  const second = await host.openChangeRequest(ada, 'ada/engine', draft);
  there.close({ repo: 'ada/engine', number: second.number, by: 'ada' });
  there.reopen({ repo: 'ada/engine', number, by: 'ada' });
  expect(await find()).toMatchObject({ number });
});

it('opens a non-draft where the host does not support drafts', async () => {
  const bench = await openHostBench();
  await using there = bench.there;
  using origin = scratchOrigin();
  await there.addRepo({ fullName: 'ada/plain', from: origin.path, private: true, drafts: false });
  await there.push('ada/plain', { by: 'ada', branch: 'sluice/1', files: { 'a.txt': 'a' } });
  const opened = await bench.host.openChangeRequest(bench.ada, 'ada/plain', draft);
  expect(opened).toMatchObject({ state: 'open', headBranch: 'sluice/1' });
  expect(await bench.host.openChangeRequest(bench.ada, 'ada/plain', draft)).toEqual(opened);
  expect(await there.pulls('ada/plain')).toHaveLength(1);
});

it('finds a pull request of an owner who was renamed', async () => {
  const whole = { full_name: 'lovelace/engine' };
  const pull = {
    number: 7,
    state: 'open',
    head: { ref: 'sluice/1', sha: 'a'.repeat(40), repo: whole },
    base: { ref: 'main', repo: whole },
  };
  const repo = { id: 1, ...whole, private: false, default_branch: 'main' };
  await using server = await startScriptedHost(({ url }, response) => {
    const isList = url?.startsWith('/repos/ada/engine/pulls');
    json(response, [200, isList ? (url?.includes('head=lovelace%3Asluice%2F1') ? [pull] : []) : repo]);
  });
  const clock = { now: () => new Date() };
  const host = createCodeHost({
    webUrl: server.url,
    apiUrl: server.url,
    clock,
    hosts: localHosts,
    userAgent: 'sluice-test',
  });
  const call = { token: 'gho_one', signal: new AbortController().signal };
  expect(await host.findChangeRequest(call, 'ada/engine', from)).toMatchObject({ number: 7 });
});

it('opens one pull request for two concurrent calls, also of two users', async () => {
  await using bench = await withBranch(await openHostBench());
  const { there, host, ada } = bench;
  there.addUser({ login: 'bob' });
  there.setPermission('ada/engine', { login: 'bob', permission: 'write' });
  const calls = [ada, ada, bench.callAs('bob')];
  const opened = await Promise.all(calls.map((call) => host.openChangeRequest(call, 'ada/engine', draft)));
  expect(new Set(opened.map(({ number }) => number)).size).toBe(1);
  expect(await there.pulls('ada/engine')).toHaveLength(1);
});

it.each(['lost', 'cut'] as const)(
  'finds the pull request whose answer was %s, without a second request to open it',
  async (kind) => {
    await using bench = await withBranch(await openHostBench());
    const { there, host, ada } = bench;
    const fault = there.arm({ on: 'POST /repos/:owner/:repo/pulls', fault: { kind } });
    bench.asked();
    const opened = await host.openChangeRequest(ada, 'ada/engine', draft);
    expect(fault.hits).toBe(1);
    expect(await there.pulls('ada/engine')).toMatchObject([{ number: opened.number, head: 'sluice/1' }]);
    expect(bench.asked().filter((asked) => asked.startsWith('POST'))).toHaveLength(1);
  },
);

it("reports the host's reason when it refuses to open one", async () => {
  await using bench = await withBranch(await openHostBench());
  const { host, ada } = bench;
  const nothing = host.openChangeRequest(ada, 'ada/engine', { ...draft, headBranch: 'main' });
  await expect(nothing).rejects.toMatchObject({
    code: 'codehost_refused',
    message: expect.stringContaining('No commits between main and main'),
  });
});

it('writes a comment, edits it in place, and leaves it unchanged when the text is equal', async () => {
  await using bench = await openHostBench();
  const { there, host, ada, clock } = bench;
  const number = there.openIssue('ada/engine', { title: 'It creaks', by: 'ada' });
  const put = (text: string) =>
    host.putComment(ada, 'ada/engine', { number, marker: MARKER, body: `${MARKER}\n${text}` });
  const first = await put('Working on it.');
  clock.advance(1_000);
  expect(await put('Done.')).toEqual(first);
  expect(there.comments('ada/engine', number)).toMatchObject([{ body: `${MARKER}\nDone.`, isEdited: true }]);
  bench.asked();
  expect(await put('Done.\n')).toEqual(first);
  expect(bench.asked().filter((asked) => !asked.startsWith('GET'))).toEqual([]);
  expect(first.id).toMatch(/^issue-\d+$/);
});

it('writes one comment for two concurrent calls', async () => {
  await using bench = await openHostBench();
  const { there, host, ada } = bench;
  const number = there.openIssue('ada/engine', { title: 'It creaks', by: 'ada' });
  const texts = ['One', 'Two', 'Three'];
  const put = await Promise.all(
    texts.map((text) => host.putComment(ada, 'ada/engine', { number, marker: MARKER, body: `${MARKER}\n${text}` })),
  );
  expect(new Set(put.map(({ id }) => id)).size).toBe(1);
  expect(there.comments('ada/engine', number)).toHaveLength(1);
});

it.each(['lost', 'cut'] as const)(
  'finds the comment whose answer was %s, among many, without writing it again',
  async (kind) => {
    await using bench = await openHostBench();
    const { there, host, ada } = bench;
    const number = there.openIssue('ada/engine', { title: 'It creaks', by: 'ada' });
    for (let index = 0; index < 120; index += 1) there.comment({ repo: 'ada/engine', number, by: 'ada' }, `${index}`);
    there.arm({ on: 'POST /repos/:owner/:repo/issues/:number/comments', fault: { kind } });
    const { id } = await host.putComment(ada, 'ada/engine', { number, marker: MARKER, body: `${MARKER}\nDone.` });
    const ours = there.comments('ada/engine', number).filter(({ body }) => body.startsWith(MARKER));
    expect(ours.map((comment) => `issue-${comment.id}`)).toEqual([id]);
  },
);

it('asks its caller before each write, and sends none that it refuses', async () => {
  await using bench = await withBranch(await openHostBench());
  const { there, host, ada } = bench;
  const number = there.openIssue('ada/engine', { title: 'It creaks', by: 'ada' });
  bench.asked();
  let asked = 0;
  let isRefused = true;
  const call = {
    ...ada,
    beforeWrite: async () => {
      asked += 1;
      if (isRefused) throw new Error('another one has it now');
    },
  };
  const put = (body: string) => host.putComment(call, 'ada/engine', { number, marker: MARKER, body });
  const open = () => host.openChangeRequest(call, 'ada/engine', draft);
  await expect(put('One')).rejects.toThrow('another one has it now');
  await expect(open()).rejects.toThrow('another one has it now');
  expect(asked).toBe(2);
  expect(bench.asked().filter((one) => !one.startsWith('GET'))).toEqual([]);
  isRefused = false;
  await put('One');
  await put('Two');
  await open();
  expect(asked).toBe(5);
  isRefused = true;
  await expect(put('Three')).rejects.toThrow('another one has it now'); // an edit is a write too
  expect(there.comments('ada/engine', number)).toMatchObject([{ body: `${MARKER}\nTwo` }]);
});

it('reports what the host answered, when its caller could not be asked the first time', async () => {
  await using bench = await openHostBench();
  const { there, host, ada } = bench;
  const number = there.openIssue('ada/engine', { title: 'It creaks', by: 'ada' });
  await host.putComment(ada, 'ada/engine', { number, marker: MARKER, body: `${MARKER}\nOne` });
  let asked = 0;
  const beforeWrite = async () => {
    asked += 1;
    if (asked === 1) throw new Error('the store was away');
  };
  there.arm({ on: 'PATCH /repos/:owner/:repo/issues/comments/:comment', fault: { kind: 'status', status: 422 } });
  const edited = host.putComment({ ...ada, beforeWrite }, 'ada/engine', { number, marker: MARKER, body: MARKER });
  await expect(edited).rejects.toMatchObject({ code: expect.stringContaining('codehost_') });
  expect(asked).toBe(2);
});

it("does not edit another author's comment with a copied marker", async () => {
  await using bench = await openHostBench();
  const { there, host, ada } = bench;
  there.addUser({ login: 'mallory' });
  const number = there.openIssue('ada/engine', { title: 'It creaks', by: 'ada' });
  there.comment({ repo: 'ada/engine', number, by: 'mallory' }, `${MARKER}\nMine.`);
  there.comment({ repo: 'ada/engine', number, by: 'ada' }, `As it says: ${MARKER}`);
  await host.putComment(ada, 'ada/engine', { number, marker: MARKER, body: 'Done.' });
  expect(there.comments('ada/engine', number).map(({ body }) => body)).toEqual([
    `${MARKER}\nMine.`,
    `As it says: ${MARKER}`,
    `${MARKER}\nDone.`,
  ]);
});

it('sends one write at a time for a token', async () => {
  await using bench = await openHostBench();
  const { there, host, ada } = bench;
  const numbers = ['a', 'b', 'c', 'd'].map((title) => there.openIssue('ada/engine', { title, by: 'ada' }));
  let under = 0;
  let most = 0;
  there.onRequest(({ write }) => {
    if (write) most = Math.max(most, ++under);
  });
  there.beforeAnswer(({ write }) => {
    if (write) under -= 1;
  });
  const put = (number: number) => host.putComment(ada, 'ada/engine', { number, marker: MARKER, body: MARKER });
  await Promise.all(numbers.map(put));
  expect(most).toBe(1);
});

it('keeps the gaps between writes that the provider requires', async () => {
  await using bench = await openHostBench({ ...quickPace, writeGapMs: 10, noticeGapMs: 1_500 });
  const { there, host, ada } = bench;
  const numbers = ['a', 'b', 'c'].map((title) => there.openIssue('ada/engine', { title, by: 'ada' }));
  const times: number[] = [];
  there.onRequest(({ write }) => {
    if (write) times.push(performance.now());
  });
  await Promise.all(
    numbers.map((number) => host.putComment(ada, 'ada/engine', { number, marker: MARKER, body: MARKER })),
  );
  const [first = 0, second = 0, third = 0] = times;
  // On a busy machine one request may arrive late and the next one on time.
  expect(second - first).toBeGreaterThan(500);
  expect(third - second).toBeGreaterThan(500);
});

it('waits briefly within the call when the host asks to, also for a write', async () => {
  await using bench = await withBranch(await openHostBench());
  const { there, host, ada } = bench;
  const fault = there.arm({ fault: { kind: 'secondary_limit', retryAfterSeconds: 2 }, times: 1 });
  await host.openChangeRequest(ada, 'ada/engine', draft);
  expect(fault.hits).toBe(1);
  expect(await there.pulls('ada/engine')).toHaveLength(1);
});

it('sends no requests with a token until the time that the host has named', async () => {
  await using bench = await openHostBench();
  const { there, host, ada, clock } = bench;
  there.addUser({ login: 'bob' });
  there.arm({ fault: { kind: 'secondary_limit', retryAfterSeconds: 300 } });
  bench.asked();
  await expect(host.account(ada)).rejects.toMatchObject({ code: 'codehost_busy', details: { retryAfterMs: 300_000 } });
  clock.advance(100_000);
  await expect(host.account(ada)).rejects.toMatchObject({ code: 'codehost_busy', details: { retryAfterMs: 200_000 } });
  expect(bench.asked()).toHaveLength(1);
  expect(await host.account(bench.callAs('bob'))).toMatchObject({ login: 'bob' });
  clock.advance(200_000);
  expect(await host.account(ada)).toMatchObject({ login: 'ada' });
});
