import { callerOf } from '@sluice/core/access';
import { AppError } from '@sluice/core/error';
import type { IssueId, UserId } from '@sluice/core/id';
import { type DecideGateContext, type Decision, decideGate, type Inbox, type Issue } from '@sluice/core/issue';
import { ANY_APPROVER, type ApprovalPolicy } from '@sluice/core/pipeline';
import { type Repo, type RepoSettings, repoSettingsSchema } from '@sluice/core/repo';
import { describe, expect, it } from 'vitest';
import { newId } from '../builder/ids.ts';
import { aTarget } from './notification.contract.ts';
import { applied, broughtToGate, eventsOf } from './pipeline-moves.ts';
import {
  atOnce,
  newIssueOn,
  type OpenStores,
  registeredRepo,
  registeredUser,
  type StoreHarness,
} from './store-harness.ts';

const TWO = { plan_approvals: 2 };
const OTHERS = { requester_approves: false };

/** The rules of approvals at a gate, with several people at once. */
export function approvalContract(open: OpenStores): void {
  describe('approvals', () => {
    it.each([
      ['one approval', {}],
      ['two approvals', TWO],
    ])('of twelve people at once, where it takes %s, count once each and end the gate once', async (_, rules) => {
      await using stores = await open();
      const { repo, id } = await atGate(stores, rules);
      const people = await atOnce(12, () => approverOf(stores, repo));
      const outcomes = await atOnce(12, (at) => approve(stores, id, people[at] as UserId));
      const needed = 'plan_approvals' in rules ? 2 : 1;
      expect(outcomes.filter((one) => one === 'awaiting_approval')).toHaveLength(needed - 1);
      expect(outcomes.filter((one) => one === 'running')).toHaveLength(1);
      const refused = outcomes.filter((one) => one === 'issue_not_awaiting_approval' || one === 'plan_revision_stale');
      expect(refused).toHaveLength(12 - needed);
      const types = (await eventsOf(stores, id)).map(({ type }) => type);
      expect(types.filter((type) => type === 'review.approved')).toHaveLength(needed - 1);
      expect(types.filter((type) => type === 'review.decided')).toHaveLength(1);
    });

    it('of one person, sent twice at once, count once', async () => {
      await using stores = await open();
      const { repo, id } = await atGate(stores, TWO);
      const ada = await approverOf(stores, repo);
      const outcomes = await atOnce(4, () => approve(stores, id, ada));
      expect(outcomes.sort()).toEqual([
        'already_approved',
        'already_approved',
        'already_approved',
        'awaiting_approval',
      ]);
      expect((await stores.issues.get(id))?.gate?.approvals.map(({ user_id }) => user_id)).toEqual([ada]);
    });

    it.each<[string, (stores: StoreHarness, repo: Repo, id: UserId) => Promise<unknown>]>([
      ['lost the role', ({ members }, repo, userId) => members.put(memberOf(repo, userId, 'contributor'))],
      ['left', ({ members }, repo, userId) => members.remove(repo.id, userId)],
      ['was disabled', ({ users }, _, userId) => users.disable(userId)],
    ])('do not count once the person who gave one %s, which refuses the next', async (_, lose) => {
      await using stores = await open();
      const { repo, id } = await atGate(stores, TWO);
      const [ada, bob] = [await approverOf(stores, repo), await approverOf(stores, repo)];
      expect(await approve(stores, id, ada)).toBe('awaiting_approval');
      await lose(stores, repo, ada);
      expect(await approve(stores, id, bob)).toBe('approval_lapsed');
      expect((await stores.issues.get(id))?.gate?.approvals).toEqual([]);
      expect(await approve(stores, id, bob)).toBe('awaiting_approval');
      expect(await approve(stores, id, await approverOf(stores, repo))).toBe('running');
    });

    it('that rest on a role or a rule which has changed by the write find the gate changed', async () => {
      await using stores = await open();
      const { repo, id } = await atGate(stores);
      const [ada, bob] = [await approverOf(stores, repo), newId<UserId>()];
      const resting = (policy: ApprovalPolicy, users: UserId[]) => {
        const approval = { repoId: repo.id, gate: 'plan', policy, users } as const;
        const from = { status: 'awaiting_approval' } as const;
        return stores.issues.apply({ issueId: id, from, trigger: 'plan_approved', approval, events: [] });
      };
      expect(await resting(ANY_APPROVER, [ada, bob])).toEqual({ kind: 'stale' });
      await stores.repos.update(repo.id, { settings: rulesOf(OTHERS) });
      expect(await resting(ANY_APPROVER, [ada])).toEqual({ kind: 'stale' });
      expect(await resting({ requesterApproves: false, approvals: 1 }, [ada])).toMatchObject({ kind: 'applied' });
    });

    it('follow rules that became stricter while the gate waits, and not those that were relaxed', async () => {
      await using stores = await open();
      const { repo, id } = await atGate(stores);
      await stores.repos.update(repo.id, { settings: rulesOf({ ...TWO, ...OTHERS }) });
      expect(await approve(stores, id, repo.userId)).toBe('requester_may_not_approve');
      const ada = await approverOf(stores, repo);
      expect(await approve(stores, id, ada)).toBe('awaiting_approval');
      await stores.repos.update(repo.id, { settings: rulesOf() });
      expect(await approve(stores, id, ada)).toBe('already_approved');
      expect(await approve(stores, id, await approverOf(stores, repo))).toBe('running');
    });

    it('have a minimum in the whole installation', async () => {
      await using stores = await open({ leastApproval: { requesterApproves: false, approvals: 2 } });
      const { repo, id } = await atGate(stores);
      expect(await stores.repos.approvalRules(repo.id)).toEqual({
        plan: { requesterApproves: false, approvals: 2 },
        publish: { requesterApproves: false, approvals: 2 },
      });
      expect(await approve(stores, id, repo.userId)).toBe('requester_may_not_approve');
      expect(await stores.repos.approvalRules(newId())).toBeNull();
    });

    it('move the gate to what waits for others, for the requester and those who have given theirs', async () => {
      await using stores = await open();
      const { repo, id } = await atGate(stores, { ...TWO, ...OTHERS });
      const [ada, bob] = [await approverOf(stores, repo), await approverOf(stores, repo)];
      const listOf = async (userId: UserId) => listWith(await stores.issues.inbox({ caller: callerOf(userId) }), id);
      expect([await listOf(repo.userId), await listOf(ada)]).toEqual(['waitsForOthers', 'needsYou']);
      await approve(stores, id, ada);
      expect([await listOf(ada), await listOf(bob)]).toEqual(['waitsForOthers', 'needsYou']);
    });

    it('are asked for again after each, of those alone who can still give one', async () => {
      await using stores = await open();
      const { repo, id } = await atGate(stores, { ...TWO, ...OTHERS });
      const [ada, bob] = [await approverOf(stores, repo), await approverOf(stores, repo)];
      const targets = await Promise.all([repo.userId, ada, bob].map((userId) => targetOf(stores, userId)));
      await approve(stores, id, ada);
      const asked = await Promise.all(
        targets.map((target) => stores.notifications.deliveries({ targetId: target, ...FIRST })),
      );
      expect(asked.map(({ items }) => items.map(({ notification }) => notification))).toEqual([
        [],
        [],
        [expect.objectContaining({ type: 'gate.opened', data: expect.objectContaining(ONE_OF_TWO) })],
      ]);
    });
  });

  describe('a follow-up', () => {
    it('belongs to the person who asked for the first issue, and once they have left, to who registered the repository', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const ada = await approverOf(stores, repo);
      const first = applied(await stores.issues.create(newIssueOn(repo, { userId: ada }), { queue: false }));
      const followUp = () => newIssueOn(repo, { userId: ada, origin: 'follow_up', parentIssueId: first.id });
      expect(applied(await stores.issues.create(followUp(), { queue: false })).userId).toBe(ada);
      await stores.members.remove(repo.id, ada);
      expect(applied(await stores.issues.create(followUp(), { queue: false })).userId).toBe(repo.userId);
    });
  });
}

const FIRST = { limit: 10, cursor: null };
const ONE_OF_TWO = { approvals: 1, approvals_needed: 2 };

const rulesOf = (rules: Partial<RepoSettings> = {}) => repoSettingsSchema.parse(rules);

const memberOf = (repo: Repo, userId: UserId, role: 'approver' | 'contributor') =>
  ({ repoId: repo.id, userId, role, origin: 'added' }) as const;

async function approverOf(stores: StoreHarness, repo: Repo): Promise<UserId> {
  const { id } = await registeredUser(stores);
  await stores.members.put(memberOf(repo, id, 'approver'));
  return id;
}

/** An issue of the user who registered its repository, at its gate. */
async function atGate(stores: StoreHarness, rules: Partial<RepoSettings> = {}): Promise<{ repo: Repo; id: IssueId }> {
  const repo = await registeredRepo(stores, { settings: rulesOf(rules) });
  const { id } = applied(await stores.issues.create(newIssueOn(repo), { queue: true }));
  await broughtToGate(stores, id, { requester_approves: rulesOf(rules).requester_approves });
  return { repo, id };
}

/** @returns the status after an approval, or the code of its refusal */
async function approve(stores: StoreHarness, id: IssueId, userId: UserId): Promise<string> {
  const issue = (await stores.issues.get(id)) as Issue;
  const context = {
    ...stores,
    caller: callerOf(userId),
    ...{ codehost: null, codehostTokens: null },
    // The gate has no base commit, so that nothing is compared, and there is no token to open.
    bases: { since: () => Promise.reject(new Error('There is no base.')) },
    cipher: { encrypt: () => ({ encrypted: '', nonce: '' }), decrypt: () => '' },
  } satisfies DecideGateContext;
  const decision: Decision = { action: 'approve', revision: 1 };
  const by = { userId, actor: { kind: 'user', sessionId: null } } as const;
  const { signal } = new AbortController();
  try {
    return (await decideGate(context, issue as never, { decision, by, signal })).status;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

function listWith(inbox: Inbox, id: IssueId): string | undefined {
  const lists = { needsYou: inbox.needsYou, waitsForOthers: inbox.waitsForOthers };
  return Object.entries(lists).find(([, { items }]) => items.some(({ issue }) => issue.id === id))?.[0];
}

async function targetOf({ notifications }: StoreHarness, userId: UserId): Promise<string> {
  const secret = { id: newId(), encryptedToken: { encrypted: '1:one', nonce: 'one' } };
  const outcome = await notifications.createTarget(aTarget(userId, { events: ['gate.opened'] }), secret);
  if (outcome.kind !== 'created') throw new Error(`the target was not created: ${outcome.kind}`);
  return outcome.target.id;
}
