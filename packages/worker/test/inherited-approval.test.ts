import { createCausedFollowUp } from '@sluice/core/follow-up';
import type { IssueId, UserId } from '@sluice/core/id';
import type { Issue } from '@sluice/core/issue';
import { type FollowUpCause, followUpKey } from '@sluice/core/pipeline';
import { repoSettingsSchema } from '@sluice/core/repo';
import { aNewUser, newId } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PLAN, type Script, writeByTool } from './scripted-agents.ts';
import { openWorld, type World } from './world.ts';

const HEAD = 'c0ffee';
const build: FollowUpCause = { kind: 'build', head_commit: HEAD, round: 1, jobs: ['unit'] };
const FIXES = { settings: repoSettingsSchema.parse({ follow_build: 'fix' }) };
const OUTSIDE = 'The follow-up touches files outside the approved plan: src/other.js.';

describe('a follow-up of a failed build', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  /** A published issue whose plan a person approved, and the follow-up of its build, at its first pause or its end. */
  async function followUp(
    script: Partial<Script> = {},
    repo: Parameters<World['newIssue']>[0] = FIXES,
    approve: (id: IssueId) => Promise<unknown> = (id) => world.decide(id, { action: 'approve' }),
  ) {
    const { worker } = await world.startWorker();
    const { id } = await world.newIssue(repo);
    await world.untilStatus(id, 'awaiting_approval');
    await approve(id);
    const first = await world.untilStatus(id, 'completed');
    await worker.stop({ graceMs: 0 });
    world.host.remote.clear(); // the tree of the double begins at the base, so that the branch is not as it was pushed
    await world.startWorker({ script });
    const ids = { next: () => newId() };
    const branch = first.pipeline.branch ?? '';
    const text = { title: 'Fix the build', body: 'unit fails.', url: 'https://host.test/acme/sum/pull/9' };
    const request = { first, branch, cause: build, key: followUpKey(build) ?? '', ...text, queue: true };
    expect(await createCausedFollowUp({ ...world, ids }, request)).toBe('queued');
    expect(await createCausedFollowUp({ ...world, ids }, request)).toBe('exists');
    const made = await world.codehostIndex.followUpOf(first.repoId, request.key);
    if (made === null) throw new Error('there is no follow-up');
    return { first, made };
  }
  const plansOther = { planner: () => ({ ...PLAN, steps: [{ title: 'Fix', detail: '', files: ['src/other.js'] }] }) };
  const decisions = async ({ id }: Issue) =>
    (await world.events(id)).flatMap((event) => (event.type === 'review.decided' ? [event.data] : []));

  it('within the files of the approved plan is decided by the approval of the first issue, recorded as that', async () => {
    const { first, made } = await followUp();
    const done = await world.untilStatus(made.id, 'completed');
    expect(done.pipeline.approved).toMatchObject({ revision: 1, inherited_from: first.id });
    expect(done.gate).toBeNull();
    const decided = { revision: 1, action: 'approve', guidance: null, user_id: first.userId };
    const { plan_hash, base_commit } = done.pipeline.approved ?? {};
    expect(await decisions(made)).toEqual([{ ...decided, plan_hash, base_commit, inherited_from: first.id }]);
    const story = await world.story(made.id);
    expect(story).toContain('human_review -> running');
    expect(story).not.toContain('review.requested');
    const { items } = await world.audit.list(first.userId, { limit: 10, cursor: null });
    const [entry] = items.filter(({ act }) => act.action === 'issue.decided' && act.subjectId === made.id);
    expect(entry).toMatchObject({
      actor: { kind: 'service' },
      act: { detail: { action: 'approve', on: 'plan', revision: 1, inherited_from: first.id } },
    });
  });

  it('is made once, and says at its own gate which files are outside the approved plan', async () => {
    const { made } = await followUp(plansOther);
    const { gate } = await world.untilStatus(made.id, 'awaiting_approval');
    expect(gate?.reasons[0]).toBe(OUTSIDE);
    expect((await world.story(made.id)).slice(-2)).toEqual(['review.requested', 'human_review -> awaiting_approval']);
    await world.decide(made.id, { action: 'approve' });
    await world.untilStatus(made.id, 'completed');
    const [decision, ...others] = await decisions(made);
    expect(others).toEqual([]);
    expect(decision).not.toHaveProperty('inherited_from');
  });

  it('stays a person’s to decide once they have asked for another plan', async () => {
    const planner: Script['planner'] = ({ guidance }) => (guidance === null ? plansOther.planner() : PLAN);
    const { made } = await followUp({ planner });
    await world.untilStatus(made.id, 'awaiting_approval');
    await world.decide(made.id, { action: 'instruct', guidance: 'Only sum.' });
    const again = await world.untilStatus(made.id, 'awaiting_approval');
    expect(again.gate?.revision).toBe(2);
    expect(again.gate?.reasons).not.toContain(OUTSIDE);
  });

  it('asks before it publishes files that its plan did not name', async () => {
    const { made } = await followUp({
      coder: async (_, context) => {
        await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
        await writeByTool(context, { path: 'src/other.js', text: 'new' });
        return { outcome: 'done', summary: 'Done.', outsidePlan: [] };
      },
    });
    const { gate } = await world.untilStatus(made.id, 'awaiting_approval');
    expect(gate).toMatchObject({ kind: 'publish', reasons: expect.arrayContaining([OUTSIDE]) });
    expect(world.host.remote.size).toBe(0);
    await world.decide(made.id, { action: 'approve', headCommit: gate?.head_commit ?? '' });
    await world.untilStatus(made.id, 'completed');
  });

  it('has its own gate where the repository only watches its builds', async () => {
    const { made } = await followUp({}, {});
    const { gate } = await world.untilStatus(made.id, 'awaiting_approval');
    expect(gate).toMatchObject({ kind: 'plan', revision: 1 });
  });

  it('has its own gate once the account of the person who approved is disabled', async () => {
    const planner: Script['planner'] = async ({ repo }) => {
      await world.users.disable(repo.userId);
      return PLAN;
    };
    const { made } = await followUp({ planner });
    await world.untilStatus(made.id, 'awaiting_approval');
    expect(await decisions(made)).toEqual([]);
  });

  it.each([
    ['two people have to approve by now', { plan_approvals: 2 }],
    ['the requester may not approve any more', { requester_approves: false }],
  ])('has its own gate where %s, and says so', async (_, rules) => {
    const planner: Script['planner'] = async ({ repo }) => {
      await world.repos.update(repo.id, { settings: { ...FIXES.settings, ...rules } });
      return PLAN;
    };
    const { made } = await followUp({ planner });
    const { gate } = await world.untilStatus(made.id, 'awaiting_approval');
    expect(gate?.reasons[0]).toContain('not enough by the rules');
    expect(await decisions(made)).toEqual([]);
  });

  it.each([
    [
      'has lost that role',
      async (id: UserId, { repo }: { repo: Issue['repoId'] }) => {
        await world.members.put({ repoId: repo, userId: id, role: 'contributor', origin: 'added' });
      },
    ],
    [
      'has left the repository',
      async (id: UserId, { repo }: { repo: Issue['repoId'] }) => {
        await world.members.remove(repo, id);
      },
    ],
    [
      'is disabled',
      async (id: UserId) => {
        await world.users.disable(id);
      },
    ],
  ])('has its own gate once the member who approved %s', async (_, end) => {
    const grace = aNewUser();
    await world.users.create(grace);
    const planner: Script['planner'] = async ({ repo }) => {
      await end(grace.id, { repo: repo.id });
      return PLAN;
    };
    const { made } = await followUp({ planner }, FIXES, async (id) => {
      const issue = await world.get(id);
      await world.members.put({ repoId: issue.repoId, userId: grace.id, role: 'approver', origin: 'added' });
      await world.decideAsSeen(issue, { action: 'approve' }, grace.id);
    });
    await world.untilStatus(made.id, 'awaiting_approval');
    expect(await decisions(made)).toEqual([]);
  });
});
