import type { BuildCheckState, ChangeRequestState, CodeHost } from '@sluice/core/code-host';
import { createCausedFollowUp } from '@sluice/core/follow-up';
import type { Issue } from '@sluice/core/issue';
import { type FollowUpCause, followUpKey } from '@sluice/core/pipeline';
import type { Workspaces } from '@sluice/core/workspace';
import { newId, until } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importedIssue } from './imported-issue.ts';
import { publishingHost } from './publishing-host.ts';
import { aChangeRequest } from './remembered-host.ts';
import { PLAN, writeByTool } from './scripted-agents.ts';
import { openWorld, type World } from './world.ts';

const BUILT = 'c0ffee';
const build: FollowUpCause = { kind: 'build', head_commit: BUILT, round: 1, jobs: ['unit'] };
const base: FollowUpCause = { kind: 'base', head_commit: BUILT, base_branch: 'main', base_commit: 'b'.repeat(40) };

/** The same workspaces, where what is merged is in conflict in the file that the coder changes. */
function inConflict(workspaces: Workspaces): Workspaces {
  const conflicts = [{ path: 'src/sum.js', kind: 'contents', byHand: false }];
  return {
    ...workspaces,
    prepare: async (request) => {
      const workspace = await workspaces.prepare(request);
      if (request.mergeCommit == null) return workspace;
      const outcome = async () => ({ isContained: false, conflicts });
      return { ...workspace, merge: { commit: request.mergeCommit, outcome } };
    },
  };
}

describe('a follow-up of a failed build, or of a base that moved', () => {
  let world: World;
  let outside: ReturnType<typeof publishingHost>;
  const there: { state: ChangeRequestState; head: string; unit: BuildCheckState } = {
    ...{ state: 'open', head: BUILT, unit: 'failure' },
  };
  beforeEach(async () => {
    world = await openWorld();
    outside = publishingHost();
    Object.assign(there, { state: 'open', head: BUILT, unit: 'failure' });
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const host = (): CodeHost => ({
    ...outside.host,
    changeRequest: async (_call, _repo, number) =>
      aChangeRequest(number, { state: there.state, headCommit: there.head }),
    build: async (_call, _repo, { commit }) => {
      const check = {
        summary: null,
        source: 'check',
        partOf: null,
        url: null,
        startedAt: null,
        completedAt: null,
      } as const;
      const checks = [{ ...check, id: 'check-1', name: 'unit', state: there.unit, required: true }];
      return { commit, required: ['unit'], complete: true, checks };
    },
  });

  interface Meanwhile {
    readonly planning?: () => void;
    readonly coding?: () => void;
    /** The coder leaves the approved plan, and this happens while a person decides on that. */
    readonly atGate?: () => void;
  }

  /** A published issue and its follow-up; what happens at the host when its planner works, or its coder. */
  async function followUp(meanwhile: Meanwhile = {}, cause = build) {
    const workspaces = inConflict(outside.withPush(world.host.workspaces));
    const deps = { codehost: outside.host, codehostTokens: outside.tokens, workspaces };
    const { worker } = await world.startWorker({ deps });
    const first = await importedIssue(world, { settings: { follow_build: 'fix', follow_base: 'merge' } });
    await world.decideAsSeen(await world.untilStatus(first.id, 'awaiting_approval'), { action: 'approve' });
    const published = await world.untilStatus(first.id, 'completed');
    await worker.stop({ graceMs: 0 });
    world.host.remote.clear(); // the tree of the double begins at the base, so that the branch is not as it was pushed
    outside.calls.length = 0;
    const branch = published.pipeline.branch ?? '';
    const text = { title: 'Fix the build', body: 'It fails.', url: 'https://host.test/acme/sum/pull/100' };
    const request = { first: published, branch, cause, key: followUpKey(cause) ?? '', ...text, queue: true };
    const { agents } = await world.startWorker({
      deps: { ...deps, codehost: host() },
      script: {
        planner: () => {
          meanwhile.planning?.();
          return { ...PLAN, test_strategy: 'The test "adds" passes.' };
        },
        coder: async (_, context) => {
          meanwhile.coding?.();
          await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
          if (meanwhile.atGate !== undefined) await writeByTool(context, { path: 'src/other.js', text: 'fixed' });
          return { outcome: 'done', summary: 'Fixed.', outsidePlan: [] };
        },
      },
    });
    await createCausedFollowUp({ ...world, ids: { next: () => newId() } }, request);
    const made = await world.codehostIndex.followUpOf(published.repoId, request.key);
    if (made === null) throw new Error('there is no follow-up');
    if (meanwhile.atGate !== undefined) {
      const asked = await world.untilStatus(made.id, 'awaiting_approval');
      meanwhile.atGate();
      await world.decideAsSeen(asked, { action: 'approve', headCommit: asked.gate?.head_commit ?? '' });
    }
    await until('it has ended', async () => (await world.get(made.id)).finishedAt !== null);
    return { done: await world.get(made.id), agents };
  }
  const answerOf = ({ result }: Issue) => [result?.branch, result?.answer];

  it('is published while it is needed', async () => {
    const { done } = await followUp();
    expect(done).toMatchObject({ status: 'completed', result: { change_request_url: expect.anything() } });
    expect(outside.calls).toContain('push');
  });

  it.each([
    [
      'another head',
      { head: 'beef' },
      'The branch has another head (beef): the build of c0ffee does not count any more.',
    ],
    ['passed meanwhile', { unit: 'success' }, 'The jobs were run again and passed: the build of c0ffee is not broken.'],
    ['been merged', { state: 'merged' }, 'Pull request #100 is merged: its build is not fixed any more.'],
  ] as const)('ends before it begins when the pull request has %s', async (_name, change, answer) => {
    Object.assign(there, change);
    const { done, agents } = await followUp();
    expect([done.status, ...answerOf(done)]).toEqual(['completed', null, answer]);
    expect(agents.inputs.planner).toEqual([]);
    expect(outside.calls).toEqual([]);
  });

  it.each([{ head: 'beef' }, { unit: 'success' }] as const)(
    'ends before its coder starts when %o is true meanwhile',
    async (change) => {
      const { done, agents } = await followUp({ planning: () => Object.assign(there, change) });
      expect(done.result?.answer).toMatch(/another head|passed/);
      expect([agents.inputs.planner.length, agents.inputs.coder]).toEqual([1, []]);
      expect(outside.calls).toEqual([]);
    },
  );

  it('pushes nothing when a person has pushed while its coder worked', async () => {
    const { done } = await followUp({ coding: () => Object.assign(there, { head: 'beef' }) });
    expect(done.result?.answer).toContain('another head (beef)');
    expect(outside.calls).toEqual([]);
  });

  it('pushes what its coder made although the jobs have passed meanwhile', async () => {
    const { done } = await followUp({ coding: () => Object.assign(there, { unit: 'success' }) });
    expect(done.result?.answer).toBeNull();
    expect(outside.calls).toContain('push');
  });

  it.each([
    ['another head', { head: 'beef' }, 'another head (beef)'],
    ['been closed', { state: 'closed' }, 'is closed'],
  ] as const)(
    'pushes nothing when the pull request has %s while a person decides on its files',
    async (_, change, answer) => {
      const { done } = await followUp({ atGate: () => Object.assign(there, change) });
      expect([done.status, done.result?.answer]).toEqual(['completed', expect.stringContaining(answer)]);
      expect(outside.calls).toEqual([]);
    },
  );

  it('is published after such a decision while it is needed', async () => {
    const { done } = await followUp({ atGate: () => undefined });
    expect(done.result?.answer).toBeNull();
    expect(outside.calls).toContain('push');
  });

  it.each(['planning', 'coding'] as const)(
    'merges no base into a pull request that was merged while it was %s',
    async (time) => {
      if (time === 'planning') there.state = 'merged';
      const { done } = await followUp({ coding: () => Object.assign(there, { state: 'merged' }) }, base);
      expect(done.result?.answer).toBe('Pull request #100 is merged: its base is not merged into it any more.');
      expect(outside.calls).toEqual([]);
    },
  );

  it('merges a base whichever commits people have pushed', async () => {
    const { done } = await followUp({ coding: () => Object.assign(there, { head: 'beef', unit: 'success' }) }, base);
    expect(done.result?.answer).toBeNull();
    expect(outside.calls).toContain('push');
  });
});
