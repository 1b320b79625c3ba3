import { AppError } from '@sluice/core/error';
import type { IssueId } from '@sluice/core/id';
import type { BaseBranches } from '@sluice/core/workspace';
import { aPlan, untilFound } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Login, type RunningApi, startApi } from './start-api.ts';

const BASE = 'b'.repeat(40);
const plan = aPlan({ steps: [{ title: 'Fix sum', detail: '', files: ['src/sum.js', 'test/sum.test.js'] }] });

type Asked = Parameters<BaseBranches['since']>[0];
let asked: Asked[];
let tip: string;
/** What the remote does when it is asked; tests say what. */
let answer: (request: Asked) => Promise<readonly string[]>;
const bases: BaseBranches = {
  since: async (request) => {
    asked.push(request);
    return { tip, changed: await answer(request) };
  },
};

let api: RunningApi;
let ada: Login;
let id: string;
beforeEach(async () => {
  asked = [];
  tip = 'f'.repeat(40);
  answer = async () => [];
  api = await startApi({ bases });
  ada = await api.login();
  const repo = await api.repo(ada, { access_token: 'a-token' });
  ({ id } = await api.issue(ada, { repo_id: repo.id, base_branch: 'next' }));
  await api.toGate(id, plan, { plan_hash: 'a hash', base_commit: BASE });
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

const decide = (json: object) => api.call('POST', `/api/issues/${id}/approve`, { as: ada, json });
const approve = () => decide({ action: 'approve' });
/** Asked over the wire: whatever was to be decided when the remote answered has been by then. */
const shownStatus = async () => (await api.call('GET', `/api/issues/${id}`, { as: ada })).body.status;
const stored = async () => {
  const issue = await api.stores.issues.get(id as IssueId);
  if (issue === null) throw new Error('The issue is gone.');
  return issue;
};

describe('GET /api/issues/{id}/base', () => {
  const compare = (as = ada) => api.call('GET', `/api/issues/${id}/base`, { as });
  const unmoved = { branch: 'next', base_commit: BASE, files_changed: 0, planned_files: [] };

  it('tells whether the branch has moved, and in which planned files, as an approval finds it', async () => {
    answer = async () => ['README.md', 'src/sum.js'];
    const { status, body } = await compare();
    const moved = { current_commit: 'f'.repeat(40), moved: true, files_changed: 2, planned_files: ['src/sum.js'] };
    expect([status, body]).toEqual([200, { ...unmoved, ...moved }]);
    expect((await approve()).body).toMatchObject({ code: 'plan_stale', files: body.planned_files });
    answer = async () => ['README.md'];
    expect((await compare()).body).toMatchObject({ moved: true, files_changed: 1, planned_files: [] });
    tip = BASE;
    answer = async () => [];
    expect((await compare()).body).toEqual({ ...unmoved, current_commit: BASE, moved: false });
    expect(await shownStatus()).toBe('awaiting_approval');
  });

  it('asks nothing where the gate does not know its base', async () => {
    const repo = await api.repo(ada);
    ({ id } = await api.issue(ada, { repo_id: repo.id }));
    await api.toGate(id, plan);
    expect((await compare()).body).toMatchObject({ base_commit: null, current_commit: null, moved: false });
    expect(asked).toEqual([]);
  });

  it.each([
    ['base_branch_missing', 409, 'base_branch_gone'],
    ['remote_unreachable', 502, 'remote_unreachable'],
    ['repo_unsafe', 502, 'repo_unsafe'],
  ] as const)('refuses as an approval does when the remote says %s', async (said, status, code) => {
    answer = async () => {
      throw new AppError(said);
    };
    const refused = await compare();
    expect([refused.status, refused.body.code]).toEqual([status, code]);
  });

  it('is 409 unless the issue is at a gate', async () => {
    expect((await decide({ action: 'reject' })).status).toBe(200);
    const { status, body } = await compare();
    expect([status, body.code]).toEqual([409, 'issue_not_awaiting_approval']);
    expect(body.detail).toContain('`rejected`');
    expect(asked).toEqual([]);
  });
});

describe('POST /api/issues/{id}/approve', () => {
  it('shows at the gate what the approval is for, and records it', async () => {
    const { body } = await api.call('GET', `/api/issues/${id}`, { as: ada });
    expect(body.gate).toMatchObject({ plan_hash: 'a hash', base_commit: BASE });
    answer = async () => ['docs/other.md'];
    expect((await approve()).status).toBe(200);
    expect((await stored()).pipeline.approved).toEqual({ revision: 1, plan_hash: 'a hash', base_commit: BASE });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ branch: 'next', baseCommit: BASE });
    expect(await asked[0]?.repo.token(new AbortController().signal)).toBe('a-token');
  });

  it('answers 409 plan_stale with the planned files in which the base has moved; instruct goes on', async () => {
    answer = async () => ['README.md', 'src/sum.js', 'test/sum.test.js'];
    const before = await stored();
    const { status, body } = await approve();
    expect([status, body.code, body.files]).toEqual([409, 'plan_stale', ['src/sum.js', 'test/sum.test.js']]);
    expect(body.detail).toMatch(/next.*src\/sum\.js.*instruct/);
    expect(await stored()).toEqual(before);

    asked = [];
    const instructed = await decide({ action: 'instruct', guidance: 'On the new base.' });
    expect([instructed.status, instructed.body.stage]).toEqual([200, 'plan']);
    expect(asked).toEqual([]);
  });

  it('rejects a plan whatever its base is, without asking the remote', async () => {
    answer = async () => ['src/sum.js'];
    expect((await decide({ action: 'reject' })).status).toBe(200);
    expect(asked).toEqual([]);
  });

  it('answers 409 when the base branch is gone, with what to do, and decides nothing', async () => {
    answer = async () => {
      throw new AppError('base_branch_missing', { detail: 'The repository has no branch "next".' });
    };
    const before = await stored();
    const { status, body } = await approve();
    expect([status, body.code]).toEqual([409, 'base_branch_gone']);
    expect(body.detail).toMatch(/`next`.*[Rr]estore.*reject/);
    expect(await stored()).toEqual(before);
    expect((await decide({ action: 'reject' })).status).toBe(200);
  });

  it('answers 502 when the remote cannot be reached, and decides nothing', async () => {
    answer = async () => {
      throw new AppError('remote_unreachable', { detail: 'The remote says: no route to host.' });
    };
    const before = await stored();
    const { status, body } = await approve();
    expect([status, body.code]).toEqual([502, 'remote_unreachable']);
    expect(await stored()).toEqual(before);
  });

  it('does not wait longer than 30 seconds for a remote that hangs, and decides nothing after it', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const soon = new AbortController();
      setImmediate(() => soon.abort(new DOMException('late', 'TimeoutError')));
      return soon.signal;
    });
    const hung = Promise.withResolvers<readonly string[]>();
    answer = () => hung.promise;
    const { status, body } = await approve();
    expect([status, body.code]).toEqual([502, 'remote_unreachable']);
    expect(body.detail).toContain('30 seconds');
    expect(timeout).toHaveBeenCalledWith(30_000);
    expect(asked[0]?.signal.aborted).toBe(true);
    timeout.mockRestore();
    hung.resolve([]);
    expect(await shownStatus()).toBe('awaiting_approval');
  });

  it('stops asking, and decides nothing, when the caller goes away', async () => {
    const begun = Promise.withResolvers<void>();
    const hung = Promise.withResolvers<readonly string[]>();
    answer = () => {
      begun.resolve();
      return hung.promise;
    };
    const leaving = new AbortController();
    const call = fetch(`${api.url}/api/issues/${id}/approve`, {
      method: 'POST',
      headers: { cookie: ada.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'approve' }),
      signal: leaving.signal,
    });
    await begun.promise;
    leaving.abort();
    await expect(call).rejects.toThrow();
    await untilFound(() => asked[0]?.signal.aborted);
    hung.resolve([]);
    expect(await shownStatus()).toBe('awaiting_approval');
    expect(api.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('is for the plan that was seen: another decision while the remote is asked goes first', async () => {
    const begun = Promise.withResolvers<void>();
    const go = Promise.withResolvers<readonly string[]>();
    answer = () => {
      begun.resolve();
      return go.promise;
    };
    const approval = approve();
    await begun.promise;
    expect((await decide({ action: 'instruct', guidance: 'Smaller.' })).status).toBe(200);
    go.resolve([]);
    const { status, body } = await approval;
    expect([status, body.code]).toEqual([409, 'issue_not_awaiting_approval']);
    expect((await stored()).stage).toBe('plan');
  });

  it('lets exactly one of several approvals at once through', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, approve));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });
});
