import { scratchOrigin } from '@sluice/fake-code-host';
import { expect, it } from 'vitest';
import { openHostBench } from '../../test/host-bench.ts';

it('reads the account of a token, with an id that survives a change of the login', async () => {
  await using bench = await openHostBench();
  const before = await bench.host.account(bench.ada);
  expect(before).toMatchObject({ login: 'ada' });
  bench.there.renameUser('ada', 'lovelace');
  expect(await bench.host.account(bench.ada)).toMatchObject({ id: before.id, login: 'lovelace' });
});

it('lists the repositories that the account can push to, last pushed first, and filters them by a part of the name', async () => {
  await using bench = await openHostBench();
  const { there, clock, host } = bench;
  there.addUser({ login: 'bob' });
  const from = await there.git('ada/engine', 'rev-parse', '--absolute-git-dir');
  for (const name of ['ada/older', 'ada/newer', 'ada/closed']) {
    clock.advance(1_000);
    await there.addRepo({ fullName: name, from: from.trim() });
  }
  for (const name of ['ada/engine', 'ada/newer', 'ada/older'])
    there.setPermission(name, { login: 'bob', permission: 'write' });
  there.setPermission('ada/closed', { login: 'bob', permission: 'read' });
  const bob = bench.callAs('bob');
  const names = async (page: number, q: string | null) => {
    const { items, nextPage } = await host.repos(bob, { page, perPage: 2, q });
    return { names: items.map(({ fullName }) => fullName), nextPage };
  };
  expect(await names(1, null)).toEqual({ names: ['ada/newer', 'ada/older'], nextPage: 2 });
  expect(await names(2, null)).toEqual({ names: ['ada/engine'], nextPage: null });
  expect(await names(3, null)).toEqual({ names: [], nextPage: null });
  expect(await names(1, 'OLD')).toEqual({ names: ['ada/older'], nextPage: null });
  expect(await names(1, 'closed')).toEqual({ names: [], nextPage: null });
});

it('reads who has access to a repository, and to whom a login belongs', async () => {
  await using bench = await openHostBench();
  const { there, host, ada } = bench;
  for (const login of ['bob', 'eve', 'tom']) there.addUser({ login });
  there.setPermission('ada/engine', { login: 'bob', permission: 'maintain' });
  there.setPermission('ada/engine', { login: 'eve', permission: 'triage' });
  const idOf = async (login: string) => (await host.accountNamed(ada, login)).id;
  expect(await host.collaborators(ada, 'ada/engine')).toEqual({
    permissions: new Map([
      [await idOf('ada'), 'admin'],
      [await idOf('Bob'), 'write'],
      [await idOf('eve'), 'read'],
    ]),
    complete: true,
  });
  await expect(host.collaborators(bench.callAs('eve'), 'ada/engine')).rejects.toMatchObject({
    code: 'codehost_forbidden',
  });
  for (const login of ['unknown', '../user', ''])
    await expect(host.accountNamed(ada, login)).rejects.toMatchObject({ code: 'codehost_not_found' });
});

it("builds a repository's URL from the configured one, whatever the host returns", async () => {
  await using bench = await openHostBench();
  const { there, host, ada } = bench;
  expect(await host.repo(ada, 'ada/engine')).toMatchObject({
    fullName: 'ada/engine',
    url: `${there.url}/ada/engine`,
    defaultBranch: 'main',
    private: false,
  });
});

it('follows a repository to its new name', async () => {
  await using bench = await openHostBench();
  const { there, host, ada } = bench;
  const number = there.openIssue('ada/engine', { title: 'It creaks', by: 'ada' });
  const { id } = await host.repo(ada, 'ada/engine');
  there.renameRepo('ada/engine', 'machine');
  expect(await host.repo(ada, 'ada/engine')).toMatchObject({ id, fullName: 'ada/machine' });
  const byId = await host.repoById(ada, id);
  expect(byId).toMatchObject({ id, fullName: 'ada/machine', url: `${there.url}/ada/machine` });
  expect(await host.issue(ada, 'ada/engine', number)).toMatchObject({ title: 'It creaks' });
  const written = await host.putComment(ada, 'ada/engine', { number, marker: '<!-- m -->', body: '<!-- m -->\nHere' });
  expect(written.url).toContain('/ada/machine/issues/');
});

it('finds a repository by id when its earlier name belongs to another one', async () => {
  await using bench = await openHostBench();
  const { there, host, ada } = bench;
  const { id } = await host.repo(ada, 'ada/engine');
  there.renameRepo('ada/engine', 'machine');
  using origin = scratchOrigin();
  await there.addRepo({ fullName: 'ada/engine', from: origin.path });
  expect((await host.repo(ada, 'ada/engine')).id).not.toBe(id);
  expect(await host.repoById(ada, id)).toMatchObject({ id, fullName: 'ada/machine' });
  for (const none of ['4711', '', '1/issues', '..']) {
    await expect(host.repoById(ada, none)).rejects.toMatchObject({ code: 'codehost_not_found' });
  }
});

it('lists open issues without pull requests in full pages, and recognizes the last page', async () => {
  await using bench = await openHostBench();
  const { there, clock, host, ada } = bench;
  const issues: number[] = [];
  for (let index = 0; index < 6; index += 1) {
    clock.advance(1_000);
    await there.push('ada/engine', { by: 'ada', branch: `b${index}`, files: { 'a.txt': String(index) } });
    await there.openPull('ada/engine', { title: 'A change', head: `b${index}`, base: 'main', by: 'ada' });
    issues.unshift(there.openIssue('ada/engine', { title: `Issue ${index}`, by: 'ada', labels: ['bug'] }));
  }
  const closed = issues.shift() ?? 0;
  there.close({ repo: 'ada/engine', number: closed, by: 'ada' });

  const pages = [];
  for (let page: number | null = 1; page !== null; ) {
    const found = await host.issues(ada, 'ada/engine', { page, perPage: 2, q: null });
    pages.push(found.items.map(({ number }) => number));
    page = found.nextPage;
  }
  expect(pages).toEqual([issues.slice(0, 2), issues.slice(2, 4), issues.slice(4)]);
  const [first] = (await host.issues(ada, 'ada/engine', { page: 1, perPage: 1, q: null })).items;
  expect(first).toMatchObject({ title: 'Issue 4', labels: ['bug'], author: 'ada', byWriter: true, open: true });
  expect(first?.url).toBe(`${there.url}/ada/engine/issues/${issues[0]}`);
});

it('fills a page from several pages of the host', async () => {
  await using bench = await openHostBench();
  const { there, host, ada } = bench;
  const all = Array.from({ length: 230 }, (_, index) =>
    there.openIssue('ada/engine', { title: `Issue ${index}`, by: 'ada' }),
  ).toReversed();
  const second = await host.issues(ada, 'ada/engine', { page: 2, perPage: 90, q: null });
  expect(second.items.map(({ number }) => number)).toEqual(all.slice(90, 180));
  expect(second.nextPage).toBe(3);
  const third = await host.issues(ada, 'ada/engine', { page: 3, perPage: 90, q: null });
  expect(third.items.map(({ number }) => number)).toEqual(all.slice(180));
  expect(third.nextPage).toBeNull();
});

it('finds open issues by words of the title, in pages, without pull requests', async () => {
  await using bench = await openHostBench();
  const { there, host, ada } = bench;
  await there.push('ada/engine', { by: 'ada', branch: 'b', files: { 'a.txt': 'a' } });
  await there.openPull('ada/engine', { title: 'The valve leaks', head: 'b', base: 'main', by: 'ada' });
  const [first, second, third, closed] = [
    'The valve leaks',
    'It leaks',
    'Replace the VALVE: leaks oil',
    'A valve leaks',
  ].map((title) => there.openIssue('ada/engine', { title, body: 'valve leaks', by: 'ada', labels: ['bug'] }));
  there.close({ repo: 'ada/engine', number: Number(closed), by: 'ada' });
  const find = async (q: string, page = 1) => {
    const { items, nextPage } = await host.issues(ada, 'ada/engine', { page, perPage: 1, q });
    return { found: items.map(({ number }) => number), nextPage };
  };
  expect(await find('valve leaks')).toEqual({ found: [third], nextPage: 2 });
  expect(await find('valve leaks', 2)).toEqual({ found: [first], nextPage: null });
  expect(await find('IT LEAKS')).toEqual({ found: [second], nextPage: null });
  expect(await find('leaks valve')).toEqual({ found: [], nextPage: null });
  const [issue] = (await host.issues(ada, 'ada/engine', { page: 1, perPage: 10, q: 'It leaks' })).items;
  expect(issue).toMatchObject({
    title: 'It leaks',
    body: 'valve leaks',
    labels: ['bug'],
    author: 'ada',
    byWriter: true,
  });
});

it('sends the words of a search as nothing but words', async () => {
  await using bench = await openHostBench();
  const { there, host, ada } = bench;
  there.openIssue('ada/engine', { title: 'It "creaks" is:pr repo:bob/secret', by: 'ada' });
  const find = async (q: string) => (await host.issues(ada, 'ada/engine', { page: 1, perPage: 10, q })).items.length;
  expect(await find('creaks" is:pr repo:bob/secret "')).toBe(1);
  expect(there.requests.at(-1)?.query.q).toBe(
    'repo:ada/engine is:issue state:open in:title "creaks is:pr repo:bob/secret"',
  );
  bench.asked();
  expect(await find(' "\\" ')).toBe(0);
  expect(bench.asked()).toEqual([]);
});

it('ends a search before the thousandth issue, where the host refuses the next page', async () => {
  await using bench = await openHostBench();
  const { there, host, ada } = bench;
  for (let index = 0; index < 1_001; index += 1) there.openIssue('ada/engine', { title: 'It creaks', by: 'ada' });
  const find = (page: number) => host.issues(ada, 'ada/engine', { page, perPage: 90, q: 'creaks' });
  expect((await find(10)).nextPage).toBe(11);
  const last = await find(11);
  expect([last.items.length, last.nextPage]).toEqual([90, null]);
  expect(await find(12)).toEqual({ items: [], nextPage: null });
});

it('says in words that too many searches were made, and goes on with other requests', async () => {
  await using bench = await openHostBench();
  const { there, host, ada, clock } = bench;
  const number = there.openIssue('ada/engine', { title: 'It creaks', by: 'ada' });
  const find = (q: string | null) => host.issues(ada, 'ada/engine', { page: 1, perPage: 10, q });
  for (let index = 0; index < 30; index += 1) await find(`creaks ${index}`);
  const refusal = {
    code: 'codehost_busy',
    details: { detail: expect.stringMatching(/few searches a minute.* in \d+ s/) },
  };
  await expect(find('creaks')).rejects.toMatchObject(refusal);
  bench.asked();
  await expect(find('creaks')).rejects.toMatchObject(refusal);
  expect(bench.asked()).toEqual([]);
  expect((await find(null)).items).toMatchObject([{ number }]);
  clock.advance(61_000);
  expect((await find('creaks')).items).toMatchObject([{ number }]);
});

it('finds no issue with the number of a pull request, of a deleted issue, or of none', async () => {
  await using bench = await openHostBench();
  const { there, host, ada } = bench;
  await there.push('ada/engine', { by: 'ada', branch: 'b', files: { 'a.txt': 'a' } });
  const pull = await there.openPull('ada/engine', { title: 'A change', head: 'b', base: 'main', by: 'ada' });
  const gone = there.openIssue('ada/engine', { title: 'Gone', by: 'ada' });
  there.deleteIssue('ada/engine', gone);
  for (const number of [pull, gone, 4711]) {
    await expect(host.issue(ada, 'ada/engine', number)).rejects.toMatchObject({ code: 'codehost_not_found' });
  }
});

it('distinguishes writers from readers, strangers and bots', async () => {
  await using bench = await openHostBench();
  const { there, host, ada, clock } = bench;
  const number = there.openIssue('ada/engine', { title: 'It creaks', by: 'ada' });
  for (const login of ['writer', 'keeper', 'reader', 'sorter', 'stranger']) there.addUser({ login });
  there.addUser({ login: 'robot[bot]', kind: 'Bot' });
  there.setPermission('ada/engine', { login: 'writer', permission: 'write' });
  there.setPermission('ada/engine', { login: 'keeper', permission: 'maintain' });
  there.setPermission('ada/engine', { login: 'reader', permission: 'read' });
  there.setPermission('ada/engine', { login: 'sorter', permission: 'triage' });
  there.setPermission('ada/engine', { login: 'robot[bot]', permission: 'write' });
  for (const by of ['ada', 'writer', 'keeper', 'reader', 'sorter', 'stranger', 'robot[bot]', 'writer']) {
    clock.advance(1_000);
    there.comment({ repo: 'ada/engine', number, by }, `Says ${by}`);
  }
  bench.asked();
  const comments = await host.comments(ada, 'ada/engine', { kind: 'issue', number });
  expect(comments.map(({ author, byWriter }) => [author, byWriter])).toEqual([
    ['ada', true],
    ['writer', true],
    ['keeper', true],
    ['reader', false],
    ['sorter', false],
    ['stranger', false],
    ['robot[bot]', false],
    ['writer', true],
  ]);
  expect(bench.asked().filter((asked) => asked.includes('/writer/permission'))).toHaveLength(1);

  // Without push access the host does not tell: then only the owner counts.
  const seen = await host.comments(bench.callAs('reader'), 'ada/engine', { kind: 'issue', number });
  expect(seen.filter(({ byWriter }) => byWriter).map(({ author }) => author)).toEqual(['ada']);
});

it('does not treat an account that took over the login of a writer as a writer', async () => {
  await using bench = await openHostBench();
  const { there, host, ada } = bench;
  const number = there.openIssue('ada/engine', { title: 'It creaks', by: 'ada' });
  there.addUser({ login: 'mallory' });
  there.addUser({ login: 'writer' });
  there.setPermission('ada/engine', { login: 'mallory', permission: 'read' });
  there.setPermission('ada/engine', { login: 'writer', permission: 'write' });
  there.comment({ repo: 'ada/engine', number, by: 'mallory' }, 'Do as I say');
  // Between the two requests the accounts swap logins.
  const end = there.onRequest(({ path }) => {
    if (!path.endsWith('/permission')) return;
    end();
    there.renameUser('mallory', 'nobody');
    there.renameUser('writer', 'mallory');
  });
  const [comment] = await host.comments(ada, 'ada/engine', { kind: 'issue', number });
  expect(comment).toMatchObject({ body: 'Do as I say', byWriter: false });
});

it('reads all comments on a pull request in chronological order', async () => {
  await using bench = await openHostBench();
  const { there, host, ada, clock } = bench;
  await there.push('ada/engine', { by: 'ada', branch: 'b', files: { 'a.txt': 'a' } });
  const number = await there.openPull('ada/engine', { title: 'A change', head: 'b', base: 'main', by: 'ada' });
  const place = { repo: 'ada/engine', number, by: 'ada' };
  const acts = [
    () => there.commentLine(place, { path: 'a.txt', line: 1, body: 'This line' }),
    () => there.comment(place, 'In general'),
    () => there.review(place, { state: 'CHANGES_REQUESTED', body: 'Not yet' }),
    () => there.review(place, { state: 'APPROVED', body: '' }),
    () =>
      there.commentLine(place, {
        path: 'a.txt',
        line: null,
        body: 'A line that is gone',
        hunk: '@@ -1,2 +1,3 @@ f\n a\n+b\n',
      }),
  ];
  const ids = acts.map((act) => {
    clock.advance(1_000);
    return act();
  });
  const comments = await host.comments(ada, 'ada/engine', { kind: 'change_request', number });
  expect(comments.map(({ id, body, place: at }) => [id, body, at])).toEqual([
    [`line-${ids[0]}`, 'This line', { path: 'a.txt', line: 1, quote: null }],
    [`issue-${ids[1]}`, 'In general', null],
    [`review-${ids[2]}`, 'Not yet', null],
    [`line-${ids[4]}`, 'A line that is gone', { path: 'a.txt', line: null, quote: ' a\n+b' }],
  ]);
  for (const { url } of comments) expect(url).toContain(`${there.url}/ada/engine/pull/${number}`);
});

/** A pull request in `ada/engine`. */
async function aPull({ there }: Awaited<ReturnType<typeof openHostBench>>) {
  await there.push('ada/engine', { by: 'ada', branch: 'b', files: { 'a.txt': 'a' } });
  const number = await there.openPull('ada/engine', { title: 'A change', head: 'b', base: 'main', by: 'ada' });
  return { repo: 'ada/engine', number, by: 'ada' };
}

it('groups comments on lines by review, and replies by their own', async () => {
  await using bench = await openHostBench();
  const { there, host, ada } = bench;
  const place = await aPull(bench);
  const line = (body: string) => ({ path: 'a.txt', line: 1, body });
  const one = there.review(place, { state: 'CHANGES_REQUESTED', body: 'Not yet', lines: [line('This'), line('That')] });
  const lone = there.commentLine(place, line('Alone'));
  there.commentLine(place, { ...line('An answer'), replyTo: lone });
  const comments = await host.comments(ada, 'ada/engine', { kind: 'change_request', number: place.number });
  const reviewOf = new Map(comments.map(({ body, reviewId }) => [body, reviewId]));
  for (const body of ['Not yet', 'This', 'That']) expect(reviewOf.get(body)).toBe(`review-${one}`);
  expect(new Set(reviewOf.values()).size).toBe(3);
  expect([...reviewOf.values()].every((id) => id?.startsWith('review-'))).toBe(true);
});

it('tells what a review decided, which thread an answer belongs to, and which authors are apps', async () => {
  await using bench = await openHostBench();
  const { there, host, ada } = bench;
  const place = await aPull(bench);
  there.addUser({ login: 'critic[bot]', kind: 'Bot' });
  const line = (body: string) => ({ path: 'a.txt', line: 1, body });
  const review = { state: 'COMMENTED', body: 'Two remarks', lines: [line('This'), line('That')] } as const;
  const reviewId = `review-${there.review({ ...place, by: 'critic[bot]' }, review)}`;
  const first = there.commentLine(place, line('Alone'));
  there.commentLine(place, { ...line('An answer'), replyTo: first });
  there.review(place, { state: 'CHANGES_REQUESTED', body: 'Not yet' });
  there.comment(place, 'In general');
  const comments = await host.comments(ada, 'ada/engine', { kind: 'change_request', number: place.number });
  const told = new Map(
    comments.map(({ body, byBot, reviewState, inReplyTo }) => [body, { byBot, reviewState, inReplyTo }]),
  );
  const byApp = { byBot: true, reviewState: 'commented', inReplyTo: null };
  for (const body of ['Two remarks', 'This', 'That']) expect(told.get(body)).toEqual(byApp);
  expect(comments.filter((comment) => comment.reviewId === reviewId)).toHaveLength(3);
  expect(told.get('Alone')).toEqual({ ...byApp, byBot: false });
  expect(told.get('An answer')).toEqual({ ...byApp, byBot: false, inReplyTo: `line-${first}` });
  expect(told.get('Not yet')).toMatchObject({ byBot: false, reviewState: 'changes_requested' });
  expect(told.get('In general')).toEqual({ byBot: false, reviewState: null, inReplyTo: null });
});

it('returns a review completely or not at all, even if it is submitted during the read', async () => {
  for (const list of ['reviews', 'comments', 'comments?'] as const) {
    await using bench = await openHostBench();
    const { there, host, ada } = bench;
    const place = await aPull(bench);
    const subject = { kind: 'change_request', number: place.number } as const;
    there.review(place, { state: 'COMMENTED', body: 'An older one' });
    const submit = () =>
      there.review(place, { state: 'COMMENTED', body: 'Whole', lines: [{ path: 'a.txt', line: 1, body: 'part' }] });
    const hook = list === 'comments?' ? there.onRequest : there.beforeAnswer;
    const end = hook(({ path }) => {
      if (!path.endsWith(`/pulls/${place.number}/${list.replace('?', '')}`)) return;
      end();
      submit();
    });
    const seen = (await host.comments(ada, 'ada/engine', subject)).map(({ body }) => body);
    expect([['An older one'], ['An older one', 'Whole', 'part']]).toContainEqual(seen);
    const next = (await host.comments(ada, 'ada/engine', subject)).map(({ body }) => body);
    expect(next).toEqual(['An older one', 'Whole', 'part']);
  }
});

it('reads the end of a very long conversation', async () => {
  await using bench = await openHostBench();
  const { there, host, ada } = bench;
  const number = there.openIssue('ada/engine', { title: 'It creaks', by: 'ada' });
  for (let index = 1; index <= 730; index += 1) there.comment({ repo: 'ada/engine', number, by: 'ada' }, `${index}`);
  const bodies = (await host.comments(ada, 'ada/engine', { kind: 'issue', number })).map(({ body }) => body);
  expect(bodies).toHaveLength(430);
  expect([bodies[0], bodies.at(-1)]).toEqual(['301', '730']);
});

it('revalidates cached responses without quota, separately for each token', async () => {
  await using bench = await openHostBench();
  const { there, host, ada } = bench;
  const first = await host.repo(ada, 'ada/engine');
  expect(await host.repo(ada, 'ada/engine')).toEqual(first);
  await host.repo(bench.callAs('ada'), 'ada/engine');
  expect(bench.asked()).toEqual(['200', '304', '200'].map((status) => `GET /repos/ada/engine ${status}`));
  there.renameRepo('ada/engine', 'machine');
  expect((await host.repo(ada, 'ada/engine')).fullName).toBe('ada/machine');
});
