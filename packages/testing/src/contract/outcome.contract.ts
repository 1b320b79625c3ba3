import {
  type BuildNews,
  type ChangeRequestKey,
  type ChangeRequestState,
  type FollowUpCause,
  type Issue,
  NEW_PIPELINE,
  type PipelineState,
  type Repo,
  type UserId,
} from '@sluice/core';
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

/** What is promised of the records of pull requests, on any database. */
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

    it('is listed with what the issue and its follow-ups cost together, as far as their prices are known', async () => {
      await using stores = await open();
      const { repo, issue, key } = await opened(stores, 'open');
      const query = { repoId: repo.id, from: null, to: null, after: 0, limit: 10 };
      const record = await stores.outcomes.get(key);
      expect(await stores.outcomes.list(query)).toEqual([{ ...record, costUsd: 0 }]);
      const openedAt = stores.clock.now();
      const later = new Date(openedAt.getTime() + 1);
      for (const none of [
        { after: 9 },
        { from: later },
        { to: openedAt },
        { limit: 0 },
        { repoId: newId<Repo['id']>() },
      ]) {
        expect(await stores.outcomes.list({ ...query, ...none })).toEqual([]);
      }
      expect(await stores.outcomes.list({ ...query, from: openedAt, to: later, after: 8 })).toHaveLength(1);
      const spent = async (costUsd: number | null) => {
        const followUp = followUpOn(repo, `review-${newId()}`, { parentIssueId: issue.id });
        const { id } = applied(await stores.issues.create(followUp, { queue: true }));
        await spend(stores, id, costUsd);
        await failed(stores, id);
      };
      await spent(0.25);
      await spent(0.5);
      expect(await stores.outcomes.list(query)).toMatchObject([{ costUsd: 0.75, reviewRounds: 2 }]);
      await spent(null);
      expect(await stores.outcomes.list(query)).toMatchObject([{ costUsd: null, reviewRounds: 3 }]);
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
  const step = await stores.runs.beginAttempt(lease, { stage: 'triage', round: 1, agent: 'triager' });
  if (step === null) throw new Error('the lease was lost');
  const usage = { input_tokens: 1, output_tokens: 1, cost_usd: costUsd };
  await stores.runs.appendJournal(lease, step, { entries: [{ kind: 'usage', usage, model: 'a model' }], events: [] });
  await stores.runs.release(lease);
}
