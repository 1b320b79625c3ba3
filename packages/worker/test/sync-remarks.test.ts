import { type HostedComment, remarkMarker } from '@sluice/core/code-host';
import type { Issue } from '@sluice/core/issue';
import { type RemarkAnswer, remarksOf } from '@sluice/core/pipeline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CodeHostWorld, openCodeHostWorld } from './code-host-world.ts';
import { aChangeRequest, aHostedComment } from './remembered-host.ts';

let world: CodeHostWorld;
beforeEach(async () => {
  world = await openCodeHostWorld();
});
afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

const place = { path: 'src/sum.js', line: 3, quote: null };
const HEAD = 'd'.repeat(40);

function onLine(id: string, overrides: Partial<HostedComment> = {}): HostedComment {
  const review = { place, reviewId: 'review-7', reviewState: 'changes_requested' } as const;
  return aHostedComment(id, { ...review, body: `Do ${id}.`, ...overrides });
}

/** A published issue, and the comments on its pull request. */
async function reviewed(comments: readonly HostedComment[], settings = {}) {
  const repo = await world.register(settings);
  const first = await world.publish(repo);
  const { number } = first.changeRequest;
  world.host.comments.set(number, [...comments]);
  const sync = () => world.sync('change_request', number);
  const followUps = async () => (await world.issuesOf(repo)).filter(({ origin }) => origin === 'follow_up');
  return { repo, first, number, sync, followUps };
}

/** Ends a running follow-up as published, with these answers of its coder. */
async function publish(followUp: Issue, answers: readonly RemarkAnswer[], number: number): Promise<void> {
  const { status, pipeline } = await world.get(followUp.id);
  const outcome = await world.issues.apply({
    issueId: followUp.id,
    from: { status },
    trigger: 'published',
    set: {
      changeRequest: { number, state: 'open' },
      pipeline: { ...pipeline, remark_answers: answers },
      result: { ...NO_RESULT, branch: 'sluice/0badcafe-sum', head_commit: HEAD },
    },
    events: [],
  });
  expect(outcome.kind).toBe('applied');
}

const NO_RESULT = {
  ...{ base_commit: 'b'.repeat(40), change_request_url: null, summary: '', files_changed: 1, additions: 1 },
  ...{ deletions: 0, tests: null, findings: [], answer: null },
};
const answer = (id: string, outcome: RemarkAnswer['outcome']): RemarkAnswer => ({ id, outcome, answer: 'So.' });
const inWords = () => world.host.written.map(({ to, body }) => `${to}: ${body.split('\n')[2]?.replaceAll('\\', '')}`);

describe('the remarks of a review', () => {
  it('are listed on its follow-up, each with its thread and place', async () => {
    const text = aHostedComment('review-7', { reviewId: 'review-7', body: 'Nearly.' });
    const reply = onLine('line-9', { inReplyTo: 'line-5', place: { path: 'b.js', line: null, quote: null } });
    const { sync, followUps } = await reviewed([onLine('line-1'), reply, text]);
    await sync();
    const [followUp] = await followUps();
    expect(followUp?.pipeline.follow_up).toMatchObject({
      kind: 'review',
      review_id: 'review-7',
      round: 1,
      by_bot: false,
    });
    const remarks = remarksOf(followUp?.pipeline.follow_up ?? null);
    expect(remarks.map(({ id, thread, path, line }) => [id, thread, path, line])).toEqual([
      ['review-7', null, null, null],
      ['line-1', 'line-1', 'src/sum.js', 3],
      ['line-9', 'line-5', 'b.js', null],
    ]);
    expect(remarks[1]).toMatchObject({ author: 'ada', text: 'Do line-1.', url: expect.stringContaining('#line-1') });
  });

  it('are answered in their threads when it is published, and resolved where they are done', async () => {
    const { number, sync, followUps } = await reviewed([onLine('line-1'), onLine('line-2'), onLine('line-3')]);
    await sync();
    const [followUp] = await followUps();
    if (followUp === undefined) throw new Error('there is no follow-up');
    await sync();
    expect(world.host.written).toEqual([]);
    await publish(followUp, [answer('line-1', 'done'), answer('line-2', 'declined')], number);
    for (let time = 0; time < 3; time += 1) expect(await sync()).toEqual({ kind: 'done' });
    expect(inWords()).toEqual([
      'line-1: Done in dddddddddddd: So.',
      'line-2: Declined: So.',
      expect.stringMatching(/^line-3: Not done yet: The agent said nothing/),
    ]);
    expect(world.host.written[0]?.body.startsWith(remarkMarker(followUp.id, 'line-1'))).toBe(true);
    expect(world.host.resolved).toEqual(['thread of line-1']);
    const answered = await world.codehostIndex.answeredRemarks(followUp.id);
    expect([...answered.values()].map(({ remark, outcome, commit }) => [remark, outcome, commit])).toEqual([
      ['line-1', 'done', HEAD],
      ['line-2', 'declined', null],
      ['line-3', 'question', null],
    ]);
  });

  it('are answered however their follow-up ends, also when the pull request is closed by then', async () => {
    const { number, sync, followUps } = await reviewed([onLine('line-1'), aHostedComment('issue-2')]);
    await sync();
    for (const { id } of await followUps()) await world.end(id);
    world.host.changes.set(number, aChangeRequest(number, { state: 'closed' }));
    expect(await sync()).toEqual({ kind: 'done' });
    expect(inWords()).toEqual([
      'line-1: Declined: The work on it was cancelled.',
      expect.stringMatching(
        /^null: To \[a comment\]\(\S+#issue-2\) by `ada`: Declined: The work on it was cancelled\.$/,
      ),
    ]);
    expect(world.host.resolved).toEqual([]);
  });

  it('get another answer in the place of the first one when a retry succeeds', async () => {
    const { number, sync, followUps } = await reviewed([onLine('line-1')]);
    await sync();
    const [followUp] = await followUps();
    if (followUp === undefined) throw new Error('there is no follow-up');
    const error = { stage: 'test', detail: 'The tests fail.' } as const;
    const gaveUp = { trigger: 'gave_up', set: { error }, events: [] } as const;
    await world.issues.apply({ issueId: followUp.id, from: { status: 'running' }, ...gaveUp });
    await sync();
    expect(inWords()).toEqual(['line-1: Failed: The tests fail.']);
    await world.issues.apply({ issueId: followUp.id, from: { status: 'failed' }, trigger: 'retried', events: [] });
    await sync();
    expect(inWords()).toEqual(['line-1: Failed: The tests fail.']);
    await publish(followUp, [answer('line-1', 'done')], number);
    await sync();
    expect(inWords()).toEqual(['line-1: Done in dddddddddddd: So.']);
    expect(world.host.resolved).toEqual(['thread of line-1']);
  });

  it('are answered in the conversation where their thread is gone, and nowhere where that is closed', async () => {
    const { number, sync, followUps } = await reviewed([onLine('line-1')]);
    await sync();
    world.host.comments.set(number, []);
    for (const { id } of await followUps()) await world.end(id);
    await sync();
    expect(inWords()).toEqual([
      expect.stringMatching(/^null: To \[a comment on a line\]\(.*\) by `ada` \(`src\/sum\.js`\): /),
    ]);
  });

  it('leave a thread open in which somebody has asked for more', async () => {
    const { number, sync, followUps } = await reviewed([onLine('line-1')]);
    await sync();
    const [followUp] = await followUps();
    if (followUp === undefined) throw new Error('there is no follow-up');
    const more = onLine('line-2', { inReplyTo: 'line-1', reviewId: 'review-8' });
    world.host.comments.set(number, [onLine('line-1'), more]);
    await publish(followUp, [answer('line-1', 'done')], number);
    await sync();
    expect(world.host.resolved).toEqual([]);
    const [, second] = await followUps();
    if (second === undefined) throw new Error('there is no second follow-up');
    await publish(second, [answer('line-2', 'done')], number);
    await sync();
    expect(world.host.resolved).toEqual(['thread of line-1']);
    expect(inWords()).toHaveLength(2);
  });

  it('are not answered again when a person has deleted the answer or opened the thread', async () => {
    const { number, sync, followUps } = await reviewed([onLine('line-1')]);
    await sync();
    const [followUp] = await followUps();
    if (followUp === undefined) throw new Error('there is no follow-up');
    await publish(followUp, [answer('line-1', 'done')], number);
    await sync();
    world.host.written.length = 0;
    world.host.resolved.length = 0;
    await sync();
    expect([world.host.written, world.host.resolved]).toEqual([[], []]);
  });

  it('are not written by a process that has lost the claim', async () => {
    const { sync, followUps } = await reviewed([onLine('line-1')]);
    await sync();
    for (const { id } of await followUps()) await world.end(id);
    const { confirmClaim } = world.work;
    Object.assign(world.work, { confirmClaim: () => Promise.reject(new Error('lost')) });
    expect((await sync()).kind).toBe('failed');
    expect(world.host.written).toEqual([]);
    Object.assign(world.work, { confirmClaim });
    await sync();
    expect(world.host.written).toHaveLength(1);
  });
});

describe('reviews beyond the rounds', () => {
  const review = (at: number, overrides: Partial<HostedComment> = {}) =>
    aHostedComment(`review-${at}`, {
      reviewId: `review-${at}`,
      createdAt: new Date(at),
      body: `Do ${at}.`,
      ...overrides,
    });
  const later = (at: number) => ({ createdAt: new Date(Date.UTC(2030, 0, 1, 0, at)) });

  it('of people make a follow-up that waits for a person, who is asked once', async () => {
    Object.assign(world.work, { followUpRounds: 1 });
    const { first, number, sync, followUps } = await reviewed([1, 2, 3].map((at) => review(at, later(at))));
    await sync();
    const [running] = await followUps();
    if (running === undefined) throw new Error('there is no follow-up');
    await world.end(running.id);
    for (let time = 0; time < 3; time += 1) expect(await sync()).toEqual({ kind: 'done' });
    const all = await followUps();
    expect(all.map(({ status, queuedAt }) => [status, queuedAt === null])).toEqual([
      ['cancelled', false],
      ['pending', true],
      ['pending', true],
    ]);
    expect(all[1]?.pipeline.warnings).toEqual([expect.stringContaining('waits until a person runs it')]);
    const asked = world.host.written.filter(({ marker }) => marker.includes('rounds/people'));
    expect(asked.map(({ body }) => body)).toEqual([expect.stringContaining('worked on this pull request once')]);
    const events = await world.issues.events(first.id, { after: 0, limit: 100 });
    expect(events.flatMap(({ type, data }) => (type === 'review.waits' ? [data] : []))).toEqual([
      expect.objectContaining({ number, review: 'review-2', by_bot: false, rounds: 1 }),
      expect.objectContaining({ number, review: 'review-3', by_bot: false, rounds: 1 }),
    ]);
  });

  it('of bots make none, and are counted apart from those of people', async () => {
    Object.assign(world.work, { followUpRounds: 1 });
    const bot = { author: 'lint[bot]', byWriter: false, byBot: true };
    const comments = [1, 2, 3].map((at) => review(at, { ...bot, ...later(at) }));
    const { sync, followUps } = await reviewed([...comments, review(4, later(4))], { review_bots: ['lint'] });
    for (let time = 0; time < 3; time += 1) await sync();
    const all = await followUps();
    expect(all.map(({ pipeline }) => pipeline.follow_up)).toMatchObject([
      { review_id: 'review-1', round: 1, by_bot: true },
      { review_id: 'review-4', round: 1, by_bot: false },
    ]);
    expect(world.host.written.map(({ marker }) => /rounds\/\w+/.exec(marker)?.[0])).toEqual(['rounds/bots']);
  });
});
