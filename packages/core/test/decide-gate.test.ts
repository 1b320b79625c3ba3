import { describe, expect, it } from 'vitest';
import type { TokenCipher } from '../src/account/token-cipher.ts';
import { AppError } from '../src/error/app-error.ts';
import { type DecideGateContext, type Decision, decideGate } from '../src/issue/decide-gate.ts';
import type { Issue } from '../src/issue/issue.ts';
import type { Gate } from '../src/pipeline/gate.ts';
import type { Plan } from '../src/pipeline/plan.ts';
import { type Repo, repoSettingsSchema } from '../src/repo/repo.ts';
import { anIssue, ann, byAnn, memoryIssues } from './memory-issues.ts';

const at = '2026-11-20T09:15:00.000Z';
const plan: Plan = {
  revision: 2,
  summary: 'Add all numbers.',
  steps: [{ title: 'Fix', detail: 'Reduce.', files: ['src/sum.ts'] }],
  acceptance_criteria: [],
  risks: [],
  test_strategy: 'Unit tests.',
  guidance: null,
  created_at: at,
};
const planGate: Gate = {
  kind: 'plan',
  revision: 2,
  plan_hash: 'hash',
  base_commit: 'base',
  head_commit: null,
  requested_at: at,
  expires_at: null,
  reasons: [],
  blocker: null,
};
const publishGate: Gate = { ...planGate, kind: 'publish', head_commit: 'head' };

function atGate(gate: Gate, overrides: Partial<Issue> = {}) {
  return anIssue({ status: 'awaiting_approval', stage: 'human_review', plan, gate, holdsSlot: true, ...overrides });
}

const repo: Repo = {
  id: 'repo' as Repo['id'],
  userId: ann,
  name: 'acme/sum',
  url: 'https://host.test/acme/sum',
  canonicalRemote: 'https://host.test/acme/sum',
  defaultBranch: 'main',
  provider: 'git',
  codehostRepoId: null,
  setupCommand: null,
  testCommand: null,
  instructions: null,
  settings: repoSettingsSchema.parse({}),
  accessToken: null,
  activeIssueId: null,
  index: null,
  createdAt: new Date(at),
  updatedAt: new Date(at),
};
const unused = () => Promise.reject(new Error('This method is not part of the test.'));
const cipher: TokenCipher = {
  encrypt: () => ({ encrypted: '', nonce: '' }),
  decrypt: () => '',
};

/** Decides on the issue, with a base branch on which these files have changed. */
function decide(issue: ReturnType<typeof anIssue>, decision: Decision, changed: readonly string[] | AppError = []) {
  const store = memoryIssues(issue);
  const context: DecideGateContext = {
    issues: store.issues,
    repos: {
      create: unused,
      get: async () => repo,
      list: unused,
      update: unused,
      relocate: unused,
      remove: unused,
    },
    bases: {
      since: async () => {
        if (changed instanceof AppError) throw changed;
        return { tip: 'tip', changed };
      },
    },
    cipher,
    codehost: null,
    codehostTokens: null,
  };
  const signal = new AbortController().signal;
  return { ...store, decided: decideGate(context, issue, { decision, by: byAnn, signal }) };
}

describe('at the plan gate', () => {
  it('approves the plan with its hash and base, and continues with the implementation', async () => {
    const { decided, changes } = decide(atGate(planGate), { action: 'approve', revision: 2 }, ['README.md']);
    expect(await decided).toMatchObject({ status: 'running', stage: 'implement', gate: null });
    expect((await decided).pipeline.approved).toEqual({ revision: 2, plan_hash: 'hash', base_commit: 'base' });
    expect(changes[0]).toMatchObject({
      events: [{ type: 'review.decided', data: { action: 'approve', revision: 2, user_id: 'ann' } }],
      audit: {
        userId: 'ann',
        act: { action: 'issue.decided', detail: { action: 'approve', on: 'plan', revision: 2 } },
      },
    });
  });

  it('records a decision that does not name what it decides on as blind, in the event and in the audit entry', async () => {
    const blindly = decide(atGate(planGate), { action: 'approve' });
    await blindly.decided;
    expect(blindly.changes[0]).toMatchObject({
      events: [{ data: { revision: 2, blind: true } }],
      audit: { act: { detail: { revision: 2, blind: true } } },
    });
    const seeing = decide(atGate(publishGate), { action: 'approve', headCommit: 'head' });
    await seeing.decided;
    expect(seeing.changes[0]?.events[0]?.data).not.toHaveProperty('blind');
    expect(seeing.changes[0]?.audit?.act.detail).not.toHaveProperty('blind');
  });

  it('rejects the plan, which ends the issue', async () => {
    expect(await decide(atGate(planGate), { action: 'reject' }).decided).toMatchObject({ status: 'rejected' });
  });

  it('sends instructions to the planner', async () => {
    const { decided } = decide(atGate(planGate), { action: 'instruct', guidance: 'Use a loop.' });
    expect(await decided).toMatchObject({ status: 'running', stage: 'plan' });
    expect((await decided).pipeline).toMatchObject({ planning: { guidance: 'Use a loop.' }, approved: null });
  });

  it.each<{ what: string; decision: Decision; changed?: readonly string[] | AppError; code: string }>([
    { what: 'another revision', decision: { action: 'approve', revision: 1 }, code: 'plan_revision_stale' },
    { what: 'a commit', decision: { action: 'approve', headCommit: 'head' }, code: 'issue_not_awaiting_publication' },
    { what: 'changed files', decision: { action: 'approve' }, changed: ['src/sum.ts', 'x'], code: 'plan_stale' },
    {
      what: 'a missing base branch',
      decision: { action: 'approve' },
      changed: new AppError('base_branch_missing'),
      code: 'base_branch_gone',
    },
  ])('refuses a decision on $what', async ({ decision, changed, code }) => {
    const { decided, changes } = decide(atGate(planGate), decision, changed);
    await expect(decided).rejects.toMatchObject({ code });
    expect(changes).toEqual([]);
  });

  it('queues the issue when its slot was freed, except to reject it', async () => {
    const freed = atGate(planGate, { holdsSlot: false });
    expect(await decide(freed, { action: 'approve' }).decided).toMatchObject({ status: 'pending', stage: 'implement' });
    expect(await decide(freed, { action: 'reject' }).decided).toMatchObject({ status: 'rejected' });
  });
});

describe('at the publish gate', () => {
  it('releases exactly the commit that the approver saw', async () => {
    const { decided } = decide(atGate(publishGate), { action: 'approve', headCommit: 'head' }, ['src/sum.ts']);
    expect(await decided).toMatchObject({ status: 'running', stage: 'publish' });
    expect((await decided).pipeline.publication).toMatchObject({ confirmed: { head_commit: 'head' } });
  });

  it.each<[string, Decision]>([
    ['no commit', { action: 'approve', revision: 2 }],
    ['another commit', { action: 'approve', headCommit: 'other' }],
    ['another commit, to reject', { action: 'reject', headCommit: 'other' }],
  ])('refuses a decision that names %s', async (_what, decision) => {
    const { decided, changes } = decide(atGate(publishGate), decision);
    await expect(decided).rejects.toMatchObject({ code: 'issue_not_awaiting_publication' });
    expect(changes).toEqual([]);
  });

  it('sends instructions to the coder', async () => {
    const { decided } = decide(atGate(publishGate), { action: 'instruct', guidance: 'Keep the workflow.' });
    expect(await decided).toMatchObject({ status: 'running', stage: 'implement' });
    expect((await decided).pipeline.feedback).toContain('Keep the workflow.');
  });
});

it('refuses a decision without an open gate, and names the status', async () => {
  const { decided } = decide(anIssue({ status: 'running' }), { action: 'approve' });
  await expect(decided).rejects.toMatchObject({
    code: 'issue_not_awaiting_approval',
    message: expect.stringMatching(/`running`/),
  });
});

it('decides again when the issue changed but its gate did not', async () => {
  const { decided, interfere } = decide(atGate(publishGate), { action: 'reject' });
  interfere({ title: 'Another title' });
  expect(await decided).toMatchObject({ status: 'rejected', title: 'Another title' });
});

it('loses to a concurrent decision that opened another gate', async () => {
  const { decided, interfere } = decide(atGate(planGate), { action: 'instruct', guidance: 'Use a loop.' });
  interfere({ plan: { ...plan, revision: 3 }, gate: { ...planGate, revision: 3 } });
  await expect(decided).rejects.toMatchObject({ code: 'plan_revision_stale' });
});
