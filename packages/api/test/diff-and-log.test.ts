import type { LogChunk } from '@sluice/core/agent';
import type { IssueId } from '@sluice/core/id';
import { NEW_PIPELINE } from '@sluice/core/pipeline';
import type { WorkspaceDiff } from '@sluice/core/workspace';
import { aPlan } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Login, type RunningApi, startApi } from './start-api.ts';

let api: RunningApi;
let ada: Login;
let id: string;
beforeEach(async () => {
  api = await startApi();
  ada = await api.login();
  ({ id } = await api.issue(ada));
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

async function lease() {
  const claimed = await api.stores.runs.claim(id as IssueId, { owner: 'a worker', ttlMs: 60_000 });
  if (claimed === null) throw new Error('The issue was not claimed.');
  return claimed.lease;
}

const get = (path: string, accept?: string) =>
  api.call('GET', `/api/issues/${id}${path}`, { as: ada, headers: accept === undefined ? {} : { accept } });

describe('GET /api/issues/{id}/diff', () => {
  const change: WorkspaceDiff = {
    base_commit: 'a'.repeat(40),
    head_commit: null,
    files: [{ path: 'src/sum.js', additions: 1, deletions: 1 }],
    diff: 'diff --git a/src/sum.js b/src/sum.js\n-0\n+1 ü\n',
  };

  it('is empty before there is a change, then the change as JSON or as a patch, by Accept', async () => {
    expect((await get('/diff')).body).toEqual({
      base_commit: null,
      head_commit: null,
      files: [],
      diff: '',
      evidence: null,
    });
    const early = await get('/diff', 'text/x-diff');
    expect([early.status, early.text]).toEqual([200, '']);

    expect(await api.stores.runs.saveDiff(await lease(), change)).toBe(true);
    for (const accept of [undefined, '*/*', 'application/json', 'application/json, text/x-diff', 'image/png']) {
      const json = await get('/diff', accept);
      const files = change.files.map((file) => ({ ...file, in_plan: true, reason: null, guarded: null }));
      expect([json.status, json.body], accept).toEqual([200, { ...change, files, evidence: null }]);
      expect(json.headers.get('vary')).toContain('Accept');
    }
    const link = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'; // a browser that follows a link
    for (const accept of ['text/x-diff', 'text/*', 'text/x-diff, application/json;q=0.5', link]) {
      const patch = await get('/diff', accept);
      expect([patch.status, patch.text], accept).toEqual([200, change.diff]);
      expect(patch.headers.get('content-type')).toBe('text/x-diff; charset=utf-8');
      expect(patch.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('shows which files are outside the plan, with the reason once the agent has given one', async () => {
    const plan = aPlan({ steps: [{ title: 'Fix sum', detail: '', files: ['src/sum.js'] }] });
    await api.toGate(id, plan);
    await api.call('POST', `/api/issues/${id}/approve`, { as: ada, json: { action: 'approve' } });
    const files = ['src/sum.js', 'README.md', 'toString'].map((path) => ({ path, additions: 1, deletions: 0 }));
    const held = await lease();
    await api.stores.runs.saveDiff(held, { ...change, files });
    const shown = async () => {
      const { files: all } = (await get('/diff')).body as { files: { in_plan: boolean; reason: string | null }[] };
      return all.map(({ in_plan, reason }) => [in_plan, reason]);
    };
    expect(await shown()).toEqual([
      [true, null],
      [false, null],
      [false, null],
    ]);

    const outside_plan = [
      { path: 'README.md', reason: 'It names the function.' },
      { path: 'toString', reason: null },
      { path: 'src/sum.js', reason: 'An earlier plan did not name it.' },
    ];
    const implementation = {
      summary: '',
      head_commit: 'c',
      outside_plan,
      ran: null,
      made_by: [],
      tests: null,
      review: null,
      findings: [],
    };
    await api.stores.issues.apply({
      issueId: id as IssueId,
      from: { status: 'running' },
      trigger: 'pipeline_updated',
      lease: held,
      set: { pipeline: { ...NEW_PIPELINE, implementation } },
      events: [],
    });
    expect(await shown()).toEqual([
      [true, null],
      [false, 'It names the function.'],
      [false, null],
    ]);
  });

  it('shows what was found out about a committed change, and never about an older one', async () => {
    const review = { decision: 'approve' as const, summary: 'Small and right.', findings: ['Name the limit.'] };
    const finding = { kind: 'test_skipped' as const, path: 'src/sum.test.js', line: 3, detail: 'A test is skipped.' };
    const implementation = {
      summary: '',
      head_commit: 'c'.repeat(40),
      outside_plan: [],
      ran: null,
      made_by: [],
      tests: null,
      review,
      findings: [finding],
    };
    const held = await lease();
    const evidence = async (head_commit: string | null) => {
      await api.stores.runs.saveDiff(held, { ...change, head_commit });
      return ((await get('/diff')).body as { evidence: unknown }).evidence;
    };
    await api.stores.issues.apply({
      issueId: id as IssueId,
      from: { status: 'running' },
      trigger: 'pipeline_updated',
      lease: held,
      set: { pipeline: { ...NEW_PIPELINE, implementation } },
      events: [],
    });
    expect(await evidence(null)).toBeNull();
    expect(await evidence('c'.repeat(40))).toEqual({ tests: null, findings: [finding], review });
    expect(await evidence('d'.repeat(40))).toBeNull();
  });

  it('says which files run with secrets, and why', async () => {
    const files = ['.github/workflows/ci.yml', 'src/sum.js'].map((path) => ({ path, additions: 1, deletions: 0 }));
    await api.stores.runs.saveDiff(await lease(), { ...change, files });
    const shown = (await get('/diff')).body as { files: { guarded: string | null }[] };
    expect(shown.files.map(({ guarded }) => guarded)).toEqual([
      expect.stringContaining('.github/workflows/ci.yml'),
      null,
    ]);
  });

  it('refuses in JSON also a client that wants a patch', async () => {
    const eve = await api.login();
    const answer = await api.call('GET', `/api/issues/${id}/diff`, { as: eve, headers: { accept: 'text/x-diff' } });
    expect([answer.status, answer.body.code]).toEqual([403, 'not_owner']);
    expect((await get('/diff?x=1', 'text/x-diff')).status).toBe(400);
  });
});

describe('GET /api/issues/{id}/log', () => {
  it('is read page by page as JSON, and whole as text', async () => {
    expect((await get('/log')).body).toEqual({ items: [], next_after: null });
    const chunks = Array.from(
      { length: 2_345 },
      (_, index): LogChunk => ({
        command: 'npm test',
        runSeq: index < 1_000 ? 12 : 34,
        stream: index % 2 === 0 ? 'stdout' : 'stderr',
        text: `line ${index}\n`,
      }),
    );
    expect(await api.stores.runs.appendLog(await lease(), chunks)).toBe(true);

    const items: { seq: number; text: string; stream: string; at: string; command: string; run_seq: number }[] = [];
    const pages: number[] = [];
    let after: number | null = 0;
    while (after !== null) {
      const { status, body }: Awaited<ReturnType<typeof get>> = await get(`/log?after=${after}`);
      expect(status).toBe(200);
      items.push(...(body.items as typeof items));
      pages.push((body.items as typeof items).length);
      after = body.next_after as number | null;
    }
    expect(pages).toEqual([1_000, 1_000, 345]);
    expect(items.map(({ text, stream, command, run_seq: runSeq }) => ({ text, stream, command, runSeq }))).toEqual(
      chunks,
    );
    expect(items[0]?.at).toMatch(/Z$/);

    const whole = await get('/log', 'text/plain');
    expect(whole.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(whole.text).toBe(chunks.map(({ text }) => text).join(''));
    const rest = await get(`/log?after=${items[2_339]?.seq}`, 'text/plain');
    expect(rest.text).toBe(
      chunks
        .slice(2_340)
        .map(({ text }) => text)
        .join(''),
    );
  });

  it('answers 400 for a position that is none, in either form', async () => {
    for (const accept of ['application/json', 'text/plain']) {
      for (const after of ['-1', 'x', '', '1.5'])
        expect((await get(`/log?after=${after}`, accept)).status, after).toBe(400);
    }
  });

  it('survives a reader who leaves in the middle of the text', async () => {
    const chunks = Array.from(
      { length: 5_000 },
      (): LogChunk => ({ command: 'c', runSeq: 1, stream: 'stdout', text: 'x'.repeat(4_000) }),
    );
    await api.stores.runs.appendLog(await lease(), chunks);
    const leaving = new AbortController();
    const response = await fetch(`${api.url}/api/issues/${id}/log`, {
      headers: { cookie: ada.cookie, accept: 'text/plain' },
      signal: leaving.signal,
    });
    await response.body?.getReader().read();
    leaving.abort();
    expect((await api.call('GET', '/api/health/ready')).status).toBe(200);
    expect(api.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
