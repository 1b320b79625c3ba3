import { callerOf } from '@sluice/core/access';
import type { BuildNews, ChangeRequestState } from '@sluice/core/code-host';
import type { UserId } from '@sluice/core/id';
import type { Issue } from '@sluice/core/issue';
import { type ChangeRequestKey, NO_OUTCOMES, toPicoUsd } from '@sluice/core/outcome';
import { type FollowUpCause, NEW_PIPELINE, type PipelineState } from '@sluice/core/pipeline';
import type { Repo } from '@sluice/core/repo';
import { describe, expect, it } from 'vitest';
import { newId } from '../builder/ids.ts';
import { followUpOn, hostedRepo, importOf } from './code-host-samples.ts';
import { applied, claimed, eventsOf, failed } from './pipeline-moves.ts';
import { atOnce, type OpenStores, type StoreHarness } from './store-harness.ts';

const MINUTE_MS = 60_000;
const NEWS: BuildNews = {
  ...{ commit: 'c0ffee', verdict: 'pending', failed: [], also_failing_at_base: [], optional_failed: [] },
  url: 'https://host.test/acme/sum/pull/9',
};

/** All of those that are asked for, whenever they were opened. */
const EVER = { from: new Date(0), to: new Date(8_640_000_000_000) };
const ONE_GROUP = { groupBy: null, isDivisible: true };

/** The contract of the records of pull requests, on any database. */
export function outcomeContract(name: string, open: OpenStores): void {
  describe(`what came of pull requests on ${name}`, () => {
    it('is recorded with the pull request of an issue, and says who made it', async () => {
      await using stores = await open();
      const { issue, key } = await opened(stores, 'draft');
      const record = {
        ...key,
        issueId: issue.id,
        openedAt: stores.clock.now(),
        state: 'draft',
        readyAt: null,
        mergedAt: null,
        closedAt: null,
        revertedAt: null,
        headCommit: 'c0ffee',
        peopleCommits: 0,
        reviewRounds: 0,
        buildRounds: 0,
        firstBuild: null,
        build: null,
        closeAskedAt: null,
        closeAnswer: null,
        models: ['a model', 'b model'],
        promptRevision: 'p1',
        atFirstSight: true,
      };
      expect(await stores.outcomes.get(key)).toEqual(record);
      expect(await stores.outcomes.ofIssue(issue.id)).toEqual(record);
      expect(await stores.outcomes.get({ ...key, number: 10 })).toBeNull();
      expect(await stores.outcomes.ofIssue(newId())).toBeNull();
    });

    it('goes on with the follow-ups: their rounds, commits and models', async () => {
      await using stores = await open();
      const { repo, issue, key } = await opened(stores, 'open');
      const before = await stores.outcomes.get(key);
      const causes: readonly FollowUpCause[] = [
        { kind: 'review', review_id: 'review-1', round: 1, by_bot: false, remarks: [] },
        { kind: 'comment' },
        { kind: 'build', head_commit: 'c0ffee', round: 1, jobs: [] },
        { kind: 'base', head_commit: 'c0ffee', base_branch: 'main', base_commit: 'ba5e' },
      ];
      for (const cause of causes) {
        const followUp = followUpOn(repo, `of-${cause.kind}`, { parentIssueId: issue.id, followUp: cause });
        applied(await stores.issues.create(followUp, { queue: false }));
        expect(await stores.issues.create(followUp, { queue: false })).toMatchObject({ kind: 'exists' });
      }
      const followUp = followUpOn(repo, 'line-3', { parentIssueId: issue.id });
      const running = applied(await stores.issues.create(followUp, { queue: true }));
      await publish(stores, running, { state: 'open', pipeline: pipelineOf('beef', ['c model', 'a model']) });
      expect(await stores.outcomes.get(key)).toEqual({
        ...before,
        reviewRounds: 3,
        buildRounds: 1,
        headCommit: 'beef',
        models: ['a model', 'b model', 'c model'],
      });
      expect(await stores.outcomes.ofIssue(running.id)).toEqual(await stores.outcomes.get(key));
    });

    it('follows what the code host says, and writes nothing when that is nothing new', async () => {
      await using stores = await open();
      const { issue, key } = await opened(stores, 'draft');
      const openedAt = stores.clock.now();
      stores.clock.advance(MINUTE_MS);
      const readyAt = stores.clock.now();
      await stores.outcomes.note(key, {
        state: 'open',
        peopleCommits: 2,
        build: { ...NEWS, verdict: 'failure' },
      });
      stores.clock.advance(MINUTE_MS);
      const mergedAt = stores.clock.now();
      const merged = { state: 'merged', build: { ...NEWS, verdict: 'success' } } as const;
      const noted = await stores.outcomes.note(key, merged);
      expect(noted).toMatchObject({
        state: 'merged',
        openedAt,
        readyAt,
        mergedAt,
        peopleCommits: 2,
        firstBuild: 'failure',
      });
      stores.clock.advance(MINUTE_MS);
      expect(await stores.outcomes.note(key, merged)).toEqual(noted);
      expect(await stores.outcomes.get(key)).toEqual(noted);
      const revertedAt = stores.clock.now();
      expect(await stores.outcomes.note(key, { ...merged, revertedAt })).toEqual({ ...noted, revertedAt });
      expect(await closeEvents(stores, issue)).toEqual([]);
      expect(await stores.outcomes.note({ ...key, number: 10 }, merged)).toBeNull();
    });

    it('tells news of the build once, however many processes find it, and of a head without a build nothing', async () => {
      await using stores = await open();
      const { issue, key } = await opened(stores, 'open');
      const failed: BuildNews = { ...NEWS, verdict: 'failure', failed: ['unit'], given_up: true };
      for (const build of [NEWS, failed, null, NEWS]) {
        const notes = await atOnce(4, () => stores.outcomes.note(key, { state: 'open', build }));
        for (const noted of notes) expect(noted?.build).toEqual(build);
        expect((await stores.outcomes.get(key))?.build).toEqual(build);
        await stores.outcomes.note(key, { state: 'open' });
      }
      const events = (await eventsOf(stores, issue.id)).filter(({ type }) => type === 'build.updated');
      expect(events.map(({ data }) => data)).toEqual([NEWS, failed, NEWS]);
    });

    it('asks once for the reason of each close, and not of one that was opened again', async () => {
      await using stores = await open();
      const { issue, key, repo } = await opened(stores, 'open');
      stores.clock.advance(MINUTE_MS);
      const notes = await atOnce(4, () => stores.outcomes.note(key, { state: 'closed' }));
      const closedAt = stores.clock.now();
      for (const noted of notes) expect(noted).toMatchObject({ state: 'closed', closedAt, closeAskedAt: closedAt });
      expect(await closeEvents(stores, issue)).toEqual([{ type: 'close.asked', data: { number: 9 } }]);
      expect(stores.heard.events.at(-1)).toMatchObject({ issueId: issue.id, userId: repo.userId });
      stores.clock.advance(MINUTE_MS);
      const reopened = await stores.outcomes.note(key, { state: 'open' });
      expect(reopened).toMatchObject({ state: 'open', closedAt: null, closeAskedAt: null });
      expect(await answered(stores, key, repo.userId)).toEqual({ kind: 'not_closed' });
      await stores.outcomes.note(key, { state: 'closed' });
      expect(await closeEvents(stores, issue)).toHaveLength(2);
    });

    it('keeps the reason of a close with who gave it and when, and lets no other person replace it', async () => {
      await using stores = await open();
      const { issue, key, repo } = await opened(stores, 'open');
      expect(await answered(stores, { ...key, number: 10 }, repo.userId)).toEqual({ kind: 'absent' });
      await stores.outcomes.note(key, { state: 'closed' });
      stores.clock.advance(MINUTE_MS);
      const answer = { reason: 'too_large', note: 'In three parts, please.', userId: repo.userId } as const;
      const closeAnswer = { ...answer, at: stores.clock.now() };
      const audit = {
        userId: repo.userId,
        actor: { kind: 'operator' },
        act: { action: 'issue.close_explained', subjectId: issue.id, detail: {} },
      } as const;
      const first = await stores.outcomes.answerClose(key, answer, audit);
      expect(first).toMatchObject({ kind: 'answered', record: { closeAnswer } });
      stores.clock.advance(MINUTE_MS);
      expect(await stores.outcomes.answerClose(key, answer, audit)).toEqual(first);
      expect(await answered(stores, key, newId())).toEqual({ kind: 'answered_before', answer: closeAnswer });
      const { userId: user_id, ...given } = answer;
      expect((await closeEvents(stores, issue)).slice(1)).toEqual([
        { type: 'close.answered', data: { number: 9, ...given, user_id } },
      ]);
      expect((await stores.audit.list(repo.userId, { limit: 10, cursor: null })).items).toHaveLength(1);
      expect(await answered(stores, key, repo.userId)).toMatchObject({ kind: 'answered' });
      expect((await stores.outcomes.get(key))?.closeAnswer).toMatchObject({ reason: 'duplicate', note: null });
      expect(await closeEvents(stores, issue)).toHaveLength(3);
    });

    it('is counted with what the issue and its follow-ups cost together, as far as their prices are known', async () => {
      await using stores = await open();
      const { repo, issue } = await opened(stores, 'open');
      const query = { ...EVER, caller: callerOf(repo.userId), repoId: repo.id };
      const counted = async () => (await stores.outcomes.tally(query, ONE_GROUP))?.[0]?.tally;
      const openedAt = stores.clock.now();
      expect(await counted()).toEqual({
        ...NO_OUTCOMES,
        ...{ firstOpenedAt: openedAt, opened: 1, planned: 1, atFirstSight: 1, priced: 1 },
      });
      const spent = async (costUsd: number | null) => {
        const followUp = followUpOn(repo, `review-${newId()}`, { parentIssueId: issue.id });
        const { id } = applied(await stores.issues.create(followUp, { queue: true }));
        await spend(stores, id, costUsd);
        await failed(stores, id);
      };
      await spent(0.1);
      await spent(0.2);
      expect(await counted()).toMatchObject({ cost: toPicoUsd(0.3), priced: 1, reviewRounds: 2 });
      await spent(null);
      expect(await counted()).toMatchObject({ cost: 0n, priced: 0, reviewRounds: 3 });
    });

    it('is counted in the state that it is in, with the reason of its close and the first verdict of its build', async () => {
      await using stores = await open();
      const { repo, key } = await opened(stores, 'open');
      const query = { ...EVER, caller: callerOf(repo.userId), repoId: repo.id };
      const group = async () => (await stores.outcomes.tally(query, ONE_GROUP))?.[0];
      const counted = async () => (await group())?.tally;
      await stores.outcomes.note(key, {
        state: 'closed',
        peopleCommits: 2,
        build: { ...NEWS, verdict: 'failure' },
      });
      await answered(stores, key, repo.userId);
      expect(await counted()).toMatchObject({
        ...{ merged: 0, closed: 1, peopleCommits: 2, mergedUntouched: 0 },
        firstBuilds: { success: 0, failure: 1, cancelled: 0 },
        closeReasons: { duplicate: 1, other: 0 },
      });
      expect(await group()).toMatchObject({ group: null, mergeTimes: [] });
      await stores.outcomes.note(key, { state: 'open' });
      stores.clock.advance(MINUTE_MS + 7);
      const revertedAt = stores.clock.now();
      await stores.outcomes.note(key, { state: 'merged', peopleCommits: 0, revertedAt });
      expect(await counted()).toMatchObject({
        ...{ merged: 1, closed: 0, reverted: 1, mergedUntouched: 1, pricedMerged: 1 },
        closeReasons: { duplicate: 0 },
      });
      expect(await group()).toMatchObject({ group: null, mergeTimes: [MINUTE_MS + 7] });
    });

    it('is counted for those who may read its repository, in the period in which it was opened', async () => {
      await using stores = await open();
      const { repo } = await opened(stores, 'open');
      const openedAt = stores.clock.now();
      const later = new Date(openedAt.getTime() + 1);
      const caller = callerOf(repo.userId);
      const other = await hostedRepo(stores, { name: 'acme/other' });
      const limited = (repoId: Repo['id']) => ({ ...caller, limits: { role: 'viewer', repoId } as const });
      for (const [query, found] of [
        [{}, 1],
        [{ repoId: repo.id }, 1],
        [{ repoId: other.id }, 0],
        [{ caller: callerOf(other.userId) }, 0],
        [{ caller: limited(repo.id) }, 1],
        [{ caller: limited(other.id) }, 0],
        [{ from: openedAt, to: later }, 1],
        [{ from: later }, 0],
        [{ to: openedAt }, 0],
      ] as const) {
        const asked = { ...EVER, caller, repoId: null, ...query };
        expect(await stores.outcomes.tally(asked, ONE_GROUP)).toHaveLength(found);
        const span = { first: openedAt, last: openedAt, opened: 1, atOnce: expect.any(Number) };
        expect(await stores.outcomes.span(asked)).toEqual(found === 0 ? null : span);
      }
    });

    it.each([
      ['repo', async ({ id }: Repo) => id],
      ['model', async () => 'a model, b model'],
      ['prompt_revision', async () => 'p1'],
    ] as const)('is counted in a group by %s', async (groupBy, nameOf) => {
      await using stores = await open();
      const { repo } = await opened(stores, 'open');
      const query = { ...EVER, caller: callerOf(repo.userId), repoId: null };
      expect(await stores.outcomes.tally(query, { groupBy, isDivisible: true })).toMatchObject([
        { group: await nameOf(repo), repoName: groupBy === 'repo' ? repo.name : null, tally: { opened: 1 } },
      ]);
    });

    it('goes with its issue', async () => {
      await using stores = await open();
      const { issue, key } = await opened(stores, 'open');
      expect(await stores.issues.remove(issue.id)).toBe('removed');
      expect(await stores.outcomes.get(key)).toBeNull();
      expect(await stores.outcomes.note(key, { state: 'merged' })).toBeNull();
    });
  });
}

/** An issue whose plan was approved as it was, published as number 9. */
async function opened(
  stores: StoreHarness,
  state: ChangeRequestState,
): Promise<{ repo: Repo; issue: Issue; key: ChangeRequestKey }> {
  const repo = await hostedRepo(stores);
  const issue = applied(await stores.issues.create(importOf(repo, 7), { queue: true }));
  const pipeline = pipelineOf('c0ffee', ['b model', 'a model']);
  return {
    repo,
    issue: await publish(stores, issue, { state, pipeline }),
    key: { repoId: repo.id, number: 9 },
  };
}

async function publish(
  stores: StoreHarness,
  { id }: Issue,
  { state, pipeline }: { state: ChangeRequestState; pipeline: PipelineState },
): Promise<Issue> {
  return applied(
    await stores.issues.apply({
      issueId: id,
      from: { status: 'running' },
      trigger: 'published',
      lease: await claimed(stores, id),
      set: { pipeline, changeRequest: { number: 9, state } },
      events: [],
    }),
  );
}

function pipelineOf(head_commit: string, made_by: readonly string[]): PipelineState {
  return {
    ...NEW_PIPELINE,
    approved: { revision: 1, plan_hash: null, base_commit: null },
    implementation: {
      summary: 'Sum adds up.',
      head_commit,
      outside_plan: [],
      ran: null,
      made_by,
      prompt_revision: 'p1',
      tests: null,
      review: null,
      findings: [],
    },
    publication: { head_commit, asked: [], confirmed: null, change_request: null },
  };
}

async function answered({ outcomes }: StoreHarness, key: ChangeRequestKey, userId: UserId) {
  return await outcomes.answerClose(key, { reason: 'duplicate', note: null, userId });
}

async function closeEvents(stores: StoreHarness, { id }: Issue) {
  const events = await eventsOf(stores, id);
  return events.filter(({ type }) => type.startsWith('close.')).map(({ type, data }) => ({ type, data }));
}

async function spend(stores: StoreHarness, id: Issue['id'], costUsd: number | null): Promise<void> {
  const lease = await claimed(stores, id);
  const attempt = await stores.runs.beginAttempt(lease, { stage: 'triage', round: 1, agent: 'triager' });
  if (attempt === null) throw new Error('the lease was lost');
  const usage = { input_tokens: 1, output_tokens: 1, cost_usd: costUsd };
  await stores.runs.appendJournal(lease, attempt, {
    entries: [{ kind: 'usage', usage, model: 'a model' }],
    events: [],
  });
  await stores.runs.release(lease);
}
