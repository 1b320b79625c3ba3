import { describe, expect, it } from 'vitest';
import { callerOf } from '../src/access/caller.ts';
import type { TokenCipher } from '../src/account/token-cipher.ts';
import { AppError } from '../src/error/app-error.ts';
import type { UserId } from '../src/id/id.ts';
import { type DecideGateContext, decideGate } from '../src/issue/decide-gate.ts';
import type { Decision } from '../src/issue/gate-change.ts';
import type { Issue } from '../src/issue/issue.ts';
import { ANY_APPROVER, approvalRules } from '../src/pipeline/approval-policy.ts';
import type { Gate } from '../src/pipeline/gate.ts';
import type { Plan } from '../src/pipeline/plan.ts';
import { type Repo, type RepoSettings, repoSettingsSchema } from '../src/repo/repo.ts';
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
  approvals: [],
  approvals_needed: 1,
  requester_approves: true,
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

interface Setting {
  /** The files that have changed on the base branch. */
  readonly changed?: readonly string[] | AppError;
  /** Who decides. */
  readonly by?: UserId;
  readonly rules?: Partial<RepoSettings>;
  /** The approvers who have lost the role. */
  readonly lost?: readonly UserId[];
}

/** Decides on the issue, with a base branch on which these files have changed. */
function decide(issue: ReturnType<typeof anIssue>, decision: Decision, changed: readonly string[] | AppError = []) {
  return decideIn(issue, decision, { changed });
}

function decideIn(
  issue: ReturnType<typeof anIssue>,
  decision: Decision,
  { changed = [], by = ann, rules = {}, lost = [] }: Setting = {},
) {
  const store = memoryIssues(issue);
  const context: DecideGateContext = {
    issues: store.issues,
    repos: {
      create: unused,
      get: async () => repo,
      approvalRules: async () => approvalRules(repoSettingsSchema.parse(rules), ANY_APPROVER),
      list: unused,
      listAll: unused,
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
    clock: { now: () => new Date(at) },
    members: {
      role: async () => 'approver',
      approversAmong: async (_, userIds) => userIds.filter((id) => !lost.includes(id)),
    },
    caller: callerOf(by),
  };
  const signal = new AbortController().signal;
  return {
    ...store,
    decided: decideGate(context, issue, { decision, by: { ...byAnn, userId: by }, client: 'Firefox on Linux', signal }),
  };
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

describe('where two people have to approve', () => {
  const two = { plan_approvals: 2, publish_approvals: 2 };
  const [bob, cleo] = ['bob', 'cleo'] as UserId[] as [UserId, UserId];
  const approvedBy = (...users: UserId[]) => ({ approvals: users.map((user_id) => ({ user_id, at })) });
  const approve: Decision = { action: 'approve', revision: 2 };
  const about = { plan_hash: 'hash', base_commit: 'base', head_commit: null, client: 'Firefox on Linux' };

  it('keeps the gate open after the first, and records what it was about', async () => {
    const { decided, changes } = decideIn(atGate(planGate), approve, { by: bob, rules: two });
    expect(await decided).toMatchObject({ status: 'awaiting_approval', stage: 'human_review' });
    expect((await decided).gate).toMatchObject({ approvals: [{ user_id: bob, at }], approvals_needed: 2 });
    const counted = { approvals: 1, approvals_needed: 2 };
    expect(changes).toMatchObject([
      {
        trigger: 'approval_added',
        from: { lastSeq: 1 },
        events: [{ type: 'review.approved', data: { user_id: bob, ...counted, ...about } }],
        audit: { userId: bob, act: { action: 'issue.decided', detail: { action: 'approve', ...counted, ...about } } },
      },
    ]);
  });

  it('goes on after the second, which rests on the first', async () => {
    const issue = atGate({ ...planGate, ...approvedBy(bob) });
    const { decided, changes } = decideIn(issue, approve, { by: cleo, rules: two });
    expect(await decided).toMatchObject({ status: 'running', stage: 'implement', gate: null });
    expect(changes).toMatchObject([
      {
        trigger: 'plan_approved',
        from: { lastSeq: 1 },
        approval: { repoId: 'repo', gate: 'plan', policy: { approvals: 2 }, users: [bob] },
        events: [{ type: 'review.decided', data: { user_id: cleo, ...approvedBy(bob, cleo), ...about } }],
        audit: { act: { detail: { approvals: 2, approvals_needed: 2 } } },
      },
    ]);
  });

  it('counts no person twice', async () => {
    const issue = atGate({ ...planGate, ...approvedBy(bob) });
    const { decided, changes } = decideIn(issue, approve, { by: bob, rules: two });
    await expect(decided).rejects.toMatchObject({ code: 'already_approved', details: { body: { approvals: 1 } } });
    expect(changes).toEqual([]);
  });

  it('asks for the second at the publish gate too, for the same commit', async () => {
    const confirm: Decision = { action: 'approve', headCommit: 'head' };
    const first = decideIn(atGate(publishGate), confirm, { by: bob, rules: two });
    const added = await first.decided;
    expect(added).toMatchObject({ status: 'awaiting_approval', gate: approvedBy(bob) });
    const second = decideIn(atGate(added.gate as Gate), confirm, { by: cleo, rules: two });
    expect(await second.decided).toMatchObject({ status: 'running', stage: 'publish' });
    expect(second.changes[0]?.events[0]?.data).toMatchObject({ head_commit: 'head', base_commit: 'base' });
  });

  it('drops the approval of a person who may no longer approve, and refuses the one that it would have completed', async () => {
    const issue = atGate({ ...planGate, ...approvedBy(bob) });
    const { decided, changes, issues } = decideIn(issue, approve, { by: cleo, rules: two, lost: [bob] });
    await expect(decided).rejects.toMatchObject({
      code: 'approval_lapsed',
      details: { body: { user_ids: [bob], approvals: 0, approvals_needed: 2 } },
    });
    const dropped = { type: 'review.approvals_dropped', data: { user_ids: [bob], reason: 'approver_lost' } };
    expect(changes).toMatchObject([{ trigger: 'approvals_dropped', events: [dropped] }]);
    expect((await issues.get(issue.id))?.gate?.approvals).toEqual([]);
  });

  it('drops the approvals of a plan whose base has moved', async () => {
    const issue = atGate({ ...planGate, ...approvedBy(bob) });
    const { decided, changes } = decideIn(issue, approve, { changed: ['src/sum.ts'], by: cleo, rules: two });
    await expect(decided).rejects.toMatchObject({ code: 'plan_stale' });
    expect(changes).toMatchObject([{ trigger: 'approvals_dropped', set: { gate: { approvals: [] } } }]);
  });

  it('takes one person to reject or to instruct', async () => {
    const issue = atGate({ ...planGate, ...approvedBy(bob) });
    const rejected = decideIn(issue, { action: 'reject' }, { by: bob, rules: two });
    expect(await rejected.decided).toMatchObject({ status: 'rejected', gate: null });
    const instructed = decideIn(issue, { action: 'instruct', guidance: 'Shorter.' }, { by: cleo, rules: two });
    expect(await instructed.decided).toMatchObject({ status: 'running', stage: 'plan', gate: null });
  });

  it('counts an approval on top of one that came first', async () => {
    const { decided, interfere } = decideIn(atGate(planGate), approve, { by: cleo, rules: two });
    interfere({ gate: { ...planGate, ...approvedBy(bob) } });
    expect(await decided).toMatchObject({ status: 'running' });
  });

  it('does not let rules that were relaxed meanwhile relax the open gate', async () => {
    const opened = atGate({ ...planGate, approvals_needed: 2, requester_approves: false });
    const { decided } = decideIn(opened, approve, { by: bob });
    expect(await decided).toMatchObject({ status: 'awaiting_approval', gate: { approvals_needed: 2 } });
    await expect(decideIn(opened, approve).decided).rejects.toMatchObject({ code: 'requester_may_not_approve' });
  });
});

describe('where somebody else has to approve', () => {
  const rules = { requester_approves: false };

  it.each([planGate, publishGate])('refuses the requester at the $kind gate, who may still instruct', async (gate) => {
    const { decided, changes } = decideIn(atGate(gate), { action: 'approve' }, { rules });
    await expect(decided).rejects.toMatchObject({ code: 'requester_may_not_approve' });
    expect(changes).toEqual([]);
    const instructed = decideIn(atGate(gate), { action: 'instruct', guidance: 'Shorter.' }, { rules });
    expect(await instructed.decided).toMatchObject({ status: 'running' });
  });

  it('does not count an approval that the requester gave before', async () => {
    const issue = atGate({ ...planGate, approvals_needed: 2, approvals: [{ user_id: ann, at }] });
    const { decided } = decideIn(issue, { action: 'approve' }, { by: 'bob' as UserId, rules });
    await expect(decided).rejects.toMatchObject({ code: 'approval_lapsed', details: { body: { user_ids: [ann] } } });
  });
});
