import type { IssueId } from '@sluice/core/id';
import type { IssueWire } from '@sluice/core/issue';
import { newId } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Login, type RunningApi, startApi } from './start-api.ts';

let api: RunningApi;
let ada: Login;
let eve: Login;
beforeEach(async () => {
  api = await startApi();
  ada = await api.login();
  eve = await api.login();
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

const get = (id: string, as = ada) => api.call('GET', `/api/issues/${id}`, { as });
const approve = (id: string, json: unknown, as = ada) => api.call('POST', `/api/issues/${id}/approve`, { as, json });
const statusOf = async (id: string) => (await get(id)).body.status;

/** Routes of one issue, with a body that is valid. */
const routes: [string, string, unknown][] = [
  ['GET', '', undefined],
  ['DELETE', '', undefined],
  ['DELETE', '/permanent', undefined],
  ['POST', '/run', undefined],
  ['POST', '/retry', undefined],
  ['POST', '/approve', { action: 'approve' }],
  ['GET', '/history', undefined],
  ['GET', '/steps', undefined],
  ['GET', '/plans', undefined],
  ['GET', '/diff', undefined],
  ['GET', '/log', undefined],
  ['GET', '/events', undefined],
];

describe('every route of an issue', () => {
  it.each(routes)(
    '%s %s: 401 without a session, 404 for what is not there, 403 for another user',
    async (method, tail, json) => {
      const issue = await api.issue(ada);
      const call = (id: string, as?: Login) => api.call(method, `/api/issues/${id}${tail}`, { as, json });
      const anonymous = await call(issue.id);
      expect([anonymous.status, anonymous.body.code]).toEqual([401, 'session_missing']);
      for (const id of [newId(), 'no-uuid', issue.id.toUpperCase(), '%zz', '..%2f..', '7']) {
        const absent = await call(id, ada);
        expect([absent.status, absent.body.code], id).toEqual([404, 'issue_not_found']);
      }
      const foreign = await call(issue.id, eve);
      expect([foreign.status, foreign.body.code]).toEqual([403, 'not_owner']);
      expect(foreign.text).not.toContain(issue.id);
      expect(await statusOf(issue.id)).toBe('running');
    },
  );

  it.each(routes)('%s %s: 400 for a member that it does not know', async (method, tail, json) => {
    const issue = await api.issue(ada);
    const inBody = json !== undefined || method === 'POST';
    const members = ['titel', 'id', '__proto__', 'constructor', 'toString'];
    for (const member of members) {
      const raw = `{${JSON.stringify(json ?? {}).slice(1, -1)}${json === undefined ? '' : ','}"${member}":"x"}`;
      const answer = inBody
        ? await api.call(method, `/api/issues/${issue.id}${tail}`, {
            as: ada,
            raw,
            headers: { 'content-type': 'application/json' },
          })
        : await api.call(method, `/api/issues/${issue.id}${tail}?${member}=x`, { as: ada });
      expect([answer.status, answer.body.code], member).toEqual([400, 'validation_failed']);
      expect(answer.body.errors, member).toContainEqual({ path: member, message: 'is not a known field' });
    }
    if (inBody) {
      const answer = await api.call(method, `/api/issues/${issue.id}${tail}?revision=1`, { as: ada, json: json ?? {} });
      expect(answer.status).toBe(400);
    }
    expect(await statusOf(issue.id)).toBe('running');
  });
});

describe('POST /api/issues', () => {
  it('answers 400 with the branches that there are for a base branch that the remote lacks, and creates nothing', async () => {
    const repo = await api.repo(ada);
    const json = { repo_id: repo.id, title: 'A title', body: '', base_branch: 'nest' };
    const answer = await api.call('POST', '/api/issues', { as: ada, json });
    expect([answer.status, answer.body.code]).toEqual([400, 'base_branch_missing']);
    const detail = 'The repository has no branch "nest". It has "next", "main".';
    expect(answer.body).toMatchObject({ detail, errors: [{ path: 'base_branch' }] });
    const list = await api.call('GET', '/api/issues', { as: ada });
    expect(list.body.items).toEqual([]);
  });

  it('answers 201 with the issue, its place, and the pipeline started', async () => {
    const repo = await api.repo(ada);
    const json = { repo_id: repo.id, title: 'A title', body: '', labels: ['bug'], base_branch: 'next' };
    const answer = await api.call('POST', '/api/issues', { as: ada, json });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ ...json, status: 'running', origin: 'api', plan: null, queue_position: null });
    expect(answer.headers.get('location')).toBe(`/api/issues/${answer.body.id}`);
    expect((await get(String(answer.body.id))).body).toEqual(answer.body);
  });

  it.each([
    ['repo_id', { repo_id: undefined }],
    ['repo_id', { repo_id: 'no-uuid' }],
    ['repo_id', { repo_id: 7 }],
    ['title', { title: undefined }],
    ['title', { title: '' }],
    ['title', { title: '   ' }],
    ['title', { title: 'x'.repeat(201) }],
    ['title', { title: 'two\nlines' }],
    ['body', { body: undefined }],
    ['body', { body: null }],
    ['body', { body: 'ä'.repeat(32_769) }],
    ['labels', { labels: 'bug' }],
    ['labels.0', { labels: [''] }],
    ['base_branch', { base_branch: '' }],
    ['titel', { titel: 'x' }],
  ])('answers 400 that names %s', async (path, wrong) => {
    const json = { repo_id: newId(), title: 'A title', body: '', ...wrong };
    const answer = await api.call('POST', '/api/issues', { as: ada, json });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([{ path, message: expect.any(String) }]);
    expect(answer.body.detail).toContain(path);
  });

  it('counts characters as people do: 200 emoji and 64 KiB are accepted', async () => {
    const issue = await api.issue(ada, { title: '🚀'.repeat(200), body: 'ä'.repeat(32_768) });
    expect((await get(issue.id)).body).toMatchObject({ title: '🚀'.repeat(200), body: 'ä'.repeat(32_768) });
  });

  it('answers 404 for an unknown repository and 403 for another user’s', async () => {
    const repo = await api.repo(eve);
    const create = (repo_id: string) =>
      api.call('POST', '/api/issues', { as: ada, json: { repo_id, title: 'A', body: '' } });
    expect((await create(newId())).status).toBe(404);
    expect((await create(repo.id)).status).toBe(403);
  });

  it('lets one of eight creates at once win and refuses seven with 409 that names the winner', async () => {
    const repo = await api.repo(ada);
    const json = { repo_id: repo.id, title: 'A title', body: '' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.call('POST', '/api/issues', { as: ada, json })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    const winner = answers.find(({ status }) => status === 201)?.body.id;
    for (const { body } of answers.filter(({ status }) => status === 409)) {
      expect(body).toMatchObject({ code: 'repo_busy', active_issue_id: winner });
    }
  });

  it('holds a remote between users, and names the active issue only to its owner', async () => {
    const url = 'https://example.test/acme/both';
    const issue = await api.issue(ada, { repo_id: (await api.repo(ada, { url })).id });
    const repo = await api.repo(eve, { url });
    const answer = await api.call('POST', '/api/issues', { as: eve, json: { repo_id: repo.id, title: 'A', body: '' } });
    expect([answer.status, answer.body.code]).toEqual([409, 'repo_busy']);
    expect(answer.text).not.toContain(issue.id);
  });

  it('lets an issue wait for its repository where that is asked for, and queues it when the other one ends', async () => {
    const url = 'https://example.test/acme/both';
    const first = await api.issue(ada, { repo_id: (await api.repo(ada, { url })).id });
    const json = { repo_id: (await api.repo(eve, { url })).id, title: 'A', body: '', queue: true };
    const key = { 'idempotency-key': 'once' };
    const answers = [];
    for (let tries = 0; tries < 2; tries += 1) {
      answers.push(await api.call('POST', '/api/issues', { as: eve, json, headers: key }));
    }
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    const waiting = answers[0]?.body as unknown as IssueWire;
    expect(answers[1]?.body).toEqual(waiting);
    expect(waiting).toMatchObject({ status: 'pending', queued_at: null, queue_position: null, waits_for_repo: true });
    expect(JSON.stringify(waiting)).not.toContain(first.id);
    const run = (body: unknown) => api.call('POST', `/api/issues/${waiting.id}/run`, { as: eve, json: body });
    expect((await run({ queue: true })).body).toMatchObject({ id: waiting.id, waits_for_repo: true });
    expect((await run({})).status).toBe(409);
    const edit = await api.call('PATCH', `/api/issues/${waiting.id}`, { as: eve, json: { title: 'B' } });
    expect(edit.body).toMatchObject({ title: 'B', waits_for_repo: true });
    expect((await api.call('DELETE', `/api/issues/${first.id}`, { as: ada })).status).toBe(204);
    expect((await get(waiting.id, eve)).body).toMatchObject({ status: 'running', title: 'B', waits_for_repo: false });
  });

  it('leaves the sixth of six pending and visible until a slot frees', async () => {
    const users = await Promise.all(Array.from({ length: 2 }, () => api.login()));
    const issues: { id: string; as: Login }[] = [];
    for (let count = 0; count < 6; count += 1) {
      const as = users[count % 2] ?? ada;
      issues.push({ id: (await api.issue(as)).id, as });
    }
    const [first, last] = [issues[0], issues[5]];
    if (first === undefined || last === undefined) throw new Error('unreachable');
    expect((await get(last.id, last.as)).body).toMatchObject({ status: 'pending', queue_position: 1 });
    const listed = await api.call('GET', '/api/issues?status=pending', { as: last.as });
    expect((listed.body.items as { id: string }[]).map(({ id }) => id)).toEqual([last.id]);
    expect((await api.call('POST', `/api/issues/${last.id}/run`, { as: last.as })).status).toBe(200);
    expect((await api.call('DELETE', `/api/issues/${first.id}`, { as: first.as })).status).toBe(204);
    expect((await get(last.id, last.as)).body).toMatchObject({ status: 'running', queue_position: null });
  });
});

describe('GET /api/issues', () => {
  it('lists the user’s own, newest first, page by page', async () => {
    const created: string[] = [];
    for (let count = 0; count < 5; count += 1) created.unshift((await api.issue(ada, { title: `Title ${count}` })).id);
    await api.issue(eve);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? 'limit=2' : `limit=2&cursor=${encodeURIComponent(cursor)}`;
      const { status, body } = await api.call('GET', `/api/issues?${query}`, { as: ada });
      expect(status).toBe(200);
      seen.push(...(body.items as { id: string }[]).map(({ id }) => id));
      cursor = body.next_cursor as string | null;
    } while (cursor !== null);
    expect(seen).toEqual(created);
  });

  it('filters by status (repeated), repository and text', async () => {
    const one = await api.issue(ada, { title: 'The Needle' });
    const two = await api.issue(ada, { body: '100% of_hay' });
    await api.fail(two.id);
    const ids = async (query: string) => {
      const { status, body } = await api.call('GET', `/api/issues?${query}`, { as: ada });
      expect(status, query).toBe(200);
      return (body.items as { id: string }[]).map(({ id }) => id);
    };
    expect(await ids('status=running')).toEqual([one.id]);
    expect(await ids('status=running&status=failed')).toEqual([two.id, one.id]);
    expect(await ids(`repo_id=${one.repo_id}`)).toEqual([one.id]);
    expect(await ids(`repo_id=${newId()}`)).toEqual([]);
    expect(await ids('q=needle')).toEqual([one.id]);
    expect(await ids('q=100%25')).toEqual([two.id]);
    expect(await ids('q=%')).toEqual([two.id]);
    expect(await ids('q=')).toEqual([two.id, one.id]);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=0x10', 'limit'],
    ['limit=99999999999999999999999', 'limit'],
    ['limit=true', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['status=done', 'status.0'],
    ['repo_id=x', 'repo_id'],
    ['q=%00', 'q'],
    ['stauts=running', 'stauts'],
    ['__proto__=1', '__proto__'],
    ['constructor=1', 'constructor'],
    ['toString=1&toString=2', 'toString'],
    ['hasOwnProperty', 'hasOwnProperty'],
  ])('answers 400 for ?%s', async (query, path) => {
    const answer = await api.call('GET', `/api/issues?${query}`, { as: ada });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ path }]);
  });

  it.each(['mangled', '%F0%9F%9A%80', 'eyJ4IjoxfQ', 'AAAA'])('answers 400 for the cursor %s', async (cursor) => {
    const answer = await api.call('GET', `/api/issues?cursor=${cursor}`, { as: ada });
    expect([answer.status, answer.body.code]).toEqual([400, 'cursor_invalid']);
  });
});

describe('GET /api/issues/{id}', () => {
  it('has an ETag that changes with the issue, and answers 304 without a body while it has not', async () => {
    const issue = await api.issue(ada);
    const first = await get(issue.id);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const again = (match: string) =>
      api.call('GET', `/api/issues/${issue.id}`, { as: ada, headers: { 'if-none-match': match } });
    for (const match of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const same = await again(match);
      expect([same.status, same.text, same.headers.get('etag')], match).toEqual([304, '', etag]);
    }
    expect((await again('"other"')).status).toBe(200);
    await api.toGate(issue.id);
    const changed = await again(etag);
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
  });
});

describe('POST /api/issues/{id}/run', () => {
  it('starts an imported issue, changes nothing when it is queued, and answers 409 in any other status', async () => {
    const repo = await api.repo(ada);
    const id = newId<IssueId>();
    const imported = {
      id,
      userId: ada.user.id,
      repoId: repo.id as never,
      title: 'A',
      body: '',
      labels: [],
      baseBranch: 'main',
    };
    await api.stores.issues.create({ ...imported, origin: 'codehost' }, { queue: false });
    const run = () => api.call('POST', `/api/issues/${id}/run`, { as: ada });
    const started = await run();
    expect([started.status, started.body.status]).toEqual([200, 'running']);
    const again = await run();
    expect([again.status, again.body.code, again.body.status]).toEqual([409, 'issue_not_pending', 'running']);
  });

  it('takes no body, an empty one, and an empty one in chunks', async () => {
    const issue = await api.issue(ada);
    const run = (init: RequestInit & { duplex?: 'half' }) =>
      fetch(`${api.url}/api/issues/${issue.id}/run`, {
        method: 'POST',
        ...init,
        headers: { cookie: ada.cookie, ...init.headers },
      });
    const empty = () => new ReadableStream({ start: (controller) => controller.close() });
    expect((await run({})).status).toBe(409);
    expect((await run({ body: '{}', headers: { 'content-type': 'application/json' } })).status).toBe(409);
    expect((await run({ body: empty(), duplex: 'half' })).status).toBe(409);
    expect((await run({ body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } })).status).toBe(
      415,
    );
  });
});

describe('POST /api/issues/{id}/retry', () => {
  const retry = (id: string) => api.call('POST', `/api/issues/${id}/retry`, { as: ada });

  it('puts a failed issue back to the stage that failed, without its error, and answers 409 in any other status', async () => {
    const { id } = await api.issue(ada);
    const early = await retry(id);
    expect([early.status, early.body.code, early.body.status]).toEqual([409, 'issue_not_failed', 'running']);
    const before = (await get(id)).body;
    await api.fail(id);
    const retried = await retry(id);
    expect([retried.status, retried.body.error]).toEqual([200, null]);
    expect(retried.body).toMatchObject({ status: 'running', stage: before.stage, finished_at: null });
    expect((await retry(id)).body.code).toBe('issue_not_failed');
  });

  it('accepts one of eight concurrent retries, and refuses the others because the issue has not failed', async () => {
    const { id } = await api.issue(ada);
    await api.fail(id);
    const answers = await Promise.all(Array.from({ length: 8 }, () => retry(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
    expect(answers.filter(({ body }) => body.code === 'issue_not_failed')).toHaveLength(7);
  });

  it('answers 409 while another issue holds the repository, and leaves it failed', async () => {
    const failed = await api.issue(ada);
    await api.fail(failed.id);
    const holder = await api.issue(ada, { repo_id: failed.repo_id });
    const busy = await retry(failed.id);
    expect([busy.status, busy.body.code, busy.body.active_issue_id]).toEqual([409, 'repo_busy', holder.id]);
    expect(await statusOf(failed.id)).toBe('failed');
  });

  it('counts against the same limit as a run', async () => {
    for (let count = 0; count < 15; count += 1) {
      expect((await retry('x')).status).toBe(404);
      expect((await api.call('POST', '/api/issues/x/run', { as: ada })).status).toBe(404);
    }
    expect((await retry('x')).status).toBe(429);
  });
});

describe('POST /api/issues/{id}/approve', () => {
  it.each([
    ['approve', undefined, 'running'],
    ['instruct', 'Leave the API alone.', 'running'],
    ['reject', undefined, 'rejected'],
  ])('%s decides the plan once, then it is 409', async (action, guidance, status) => {
    const issue = await api.issue(ada);
    await api.toGate(issue.id);
    const answer = await approve(issue.id, { action, guidance, revision: 1 });
    expect([answer.status, answer.body.status, answer.body.gate]).toEqual([200, status, null]);
    const again = await approve(issue.id, { action: 'approve' });
    expect([again.status, again.body.code, again.body.status]).toEqual([409, 'issue_not_awaiting_approval', status]);
  });

  it('answers 409 before the review is open and for a revision that is not the current one', async () => {
    const issue = await api.issue(ada);
    expect((await approve(issue.id, { action: 'approve' })).status).toBe(409);
    await api.toGate(issue.id);
    const stale = await approve(issue.id, { action: 'approve', revision: 2 });
    expect([stale.status, stale.body.code, stale.body.revision]).toEqual([409, 'plan_revision_stale', 1]);
  });

  it('at the publish gate takes an approval only with the commit that waits', async () => {
    const issue = await api.issue(ada);
    const head = 'c'.repeat(40);
    await api.toGate(issue.id, undefined, { kind: 'publish', head_commit: head });
    for (const json of [{}, { revision: 1 }, { head_commit: 'd'.repeat(40) }]) {
      const refused = await approve(issue.id, { action: 'approve', ...json });
      expect([refused.status, refused.body.code, refused.body.head_commit]).toEqual([
        409,
        'issue_not_awaiting_publication',
        head,
      ]);
    }
    expect(await statusOf(issue.id)).toBe('awaiting_approval');
    expect((await approve(issue.id, { action: 'approve', head_commit: head })).status).toBe(200);
  });

  it('at the plan gate refuses a commit: no change waits there', async () => {
    const issue = await api.issue(ada);
    await api.toGate(issue.id);
    const refused = await approve(issue.id, { action: 'approve', head_commit: 'c'.repeat(40) });
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('Leave out `head_commit`')]);
  });

  it.each([
    ['reject', undefined],
    ['instruct', 'Leave the workflow.'],
  ])('at the publish gate takes %s without a commit: nothing is published by it', async (action, guidance) => {
    const issue = await api.issue(ada);
    await api.toGate(issue.id, undefined, { kind: 'publish', head_commit: 'c'.repeat(40) });
    expect((await approve(issue.id, { action, guidance })).status).toBe(200);
  });

  it.each([
    [{}, 'action'],
    [{ action: 'merge' }, 'action'],
    [{ action: 'instruct' }, 'guidance'],
    [{ action: 'instruct', guidance: '' }, 'guidance'],
    [{ action: 'instruct', guidance: ' \n ' }, 'guidance'],
    [{ action: 'instruct', guidance: 'x'.repeat(8_001) }, 'guidance'],
    [{ action: 'approve', guidance: 'x' }, 'guidance'],
    [{ action: 'reject', guidance: 'x' }, 'guidance'],
    [{ action: 'approve', revision: '1' }, 'revision'],
    [{ action: 'approve', revision: null }, 'revision'],
    [{ action: 'approve', revision: true }, 'revision'],
    [{ action: 'approve', revision: 0 }, 'revision'],
  ])('answers 400 for %j', async (json, path) => {
    const issue = await api.issue(ada);
    await api.toGate(issue.id);
    const answer = await approve(issue.id, json);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ path }]);
    expect(await statusOf(issue.id)).toBe('awaiting_approval');
  });

  it('lets one of twelve approvals at once take effect', async () => {
    const issue = await api.issue(ada);
    await api.toGate(issue.id);
    const answers = await Promise.all(Array.from({ length: 12 }, () => approve(issue.id, { action: 'approve' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(409)]);
    const events = await api.stores.issues.events(issue.id as IssueId, { after: 0, limit: 100 });
    expect(events.filter(({ type }) => type === 'review.decided')).toHaveLength(1);
  });
});

describe('DELETE /api/issues/{id}', () => {
  it('cancels with 204 and keeps the issue, then is 409; permanent removes it, and only then', async () => {
    const issue = await api.issue(ada);
    const remove = (tail = '') => api.call('DELETE', `/api/issues/${issue.id}${tail}`, { as: ada });
    const early = await remove('/permanent');
    expect([early.status, early.body.code, early.body.status]).toEqual([409, 'issue_not_terminal', 'running']);
    const cancelled = await remove();
    expect([cancelled.status, cancelled.text]).toEqual([204, '']);
    expect(await statusOf(issue.id)).toBe('cancelled');
    const again = await remove();
    expect([again.status, again.body.code, again.body.status]).toEqual([409, 'issue_terminal', 'cancelled']);
    expect((await remove('/permanent')).status).toBe(204);
    expect((await get(issue.id)).status).toBe(404);
    expect((await remove('/permanent')).status).toBe(404);
  });
});

describe('GET /api/issues', () => {
  it('filters by label, origin and time, turns round, and leaves the texts out where that is asked', async () => {
    const owner = await api.login();
    const repo = await api.repo(owner);
    const first = await api.issue(owner, { repo_id: repo.id, title: 'one', labels: ['bug'] });
    await api.call('DELETE', `/api/issues/${first.id}`, { as: owner });
    await api.issue(owner, { repo_id: repo.id, title: 'two' });
    const listed = async (query: string) => {
      const { body } = await api.call('GET', `/api/issues?${query}`, { as: owner });
      return body.items as Record<string, unknown>[];
    };
    const titles = async (query: string) => (await listed(query)).map(({ title }) => title);
    expect(await titles('')).toEqual(['two', 'one']);
    expect(await titles('sort=created')).toEqual(['one', 'two']);
    expect(await titles('label=bug')).toEqual(['one']);
    expect(await titles('origin=codehost')).toEqual([]);
    const total = async (query: string) => (await api.call('GET', `/api/issues?${query}`, { as: owner })).body.total;
    const totals = [];
    for (const query of [
      '',
      'total=true&limit=1',
      'total=true&status=cancelled',
      'total=true&q=',
      'total=true&label=bug',
    ])
      totals.push(await total(query));
    expect(totals).toEqual([undefined, 2, 1, 2, null]);
    expect(await titles('created_after=2000-01-01T00:00:00Z&created_before=2001-01-01T00:00:00Z')).toEqual([]);
    const day = await api.call('GET', '/api/issues?created_after=2026-01-01', { as: owner });
    expect(day.body).toMatchObject({
      errors: [{ path: 'created_after', message: expect.stringContaining('with its offset') }],
    });
    expect(await titles('created_after=2000-01-01T00:00:00%2B01:00')).toEqual(['two', 'one']);
    const [summary = {}] = await listed('fields=summary&label=bug');
    const seen = { id: first.id, title: 'one', status: 'cancelled', branch: null, verdict: null, form: 'summary' };
    expect(summary).toMatchObject(seen);
    for (const absent of ['body', 'plan', 'gate', 'result', 'error', 'budget'])
      expect(summary).not.toHaveProperty(absent);
    expect((await listed('label=bug'))[0]).toMatchObject({ plan: null, form: 'full' });
  });
});
