import { callerOf, type Role } from '@sluice/core/access';
import type { IssueId } from '@sluice/core/id';
import type { IssueEvent } from '@sluice/core/issue';
import { eventually } from '@sluice/testing';
import { createTRPCClient, httpSubscriptionLink } from '@trpc/client';
import { EventSource } from 'eventsource';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIssueFeed } from '../../src/feed/issue-feed.ts';
import { resumeToken } from '../../src/feed/resume-token.ts';
import type { AppRouter } from '../../src/transport/trpc/app-router.ts';
import { type Login, type RunningApi, startApi } from '../start-api.ts';
import { type OpenStream, openStream } from './open-stream.ts';

let api: RunningApi;
let ada: Login;
beforeEach(async () => {
  api = await startApi({ maxActivePipelines: 10 });
  ada = await api.login();
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

/** Stands for "within a second" on a busy machine. Without a signal a stream ends at the next heartbeat, after 15 s. */
const PROMPTLY_MS = 10_000;
const follow = (query = '', headers: Record<string, string> = {}, as = ada) =>
  openStream(`${api.url}/api/events${query}`, { cookie: as.cookie, ...headers });
const received = (stream: OpenStream) =>
  stream.events().flatMap(({ data }) => (data.seq === undefined ? [] : [`${data.issue_id} ${data.seq}`]));
const lastId = (stream: OpenStream) => stream.events().at(-1)?.id ?? '';

async function append(id: string, text: string): Promise<void> {
  const outcome = await api.stores.issues.apply({
    issueId: id as IssueId,
    from: { status: 'running' },
    trigger: 'stage_advanced',
    events: [{ type: 'agent.message', data: { agent: 'coder', text } }],
  });
  expect(outcome.kind).toBe('applied');
}

/** Every event of these issues, in the form of `received`. */
async function all(...ids: string[]): Promise<string[]> {
  const found = [];
  for (const id of ids) {
    for (const { seq } of await api.stores.issues.events(id as IssueId, { after: 0, limit: 10_000 })) {
      found.push(`${id} ${seq}`);
    }
  }
  return found.toSorted();
}

/** Checks that each event came once, and those of an issue in order. */
function expectWhole(seen: readonly string[], wanted: readonly string[]): void {
  expect(seen.toSorted()).toEqual(wanted);
  const lastOf = new Map<string, number>();
  for (const [id = '', seq] of seen.map((one) => one.split(' '))) {
    expect(Number(seq)).toBeGreaterThan(lastOf.get(id) ?? 0);
    lastOf.set(id, Number(seq));
  }
}

describe('GET /api/events', () => {
  it('begins now with a resume token, and sends the events of every issue of the user', async () => {
    const one = await api.issue(ada);
    await using stream = await follow();
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    await eventually(() => expect(stream.events()).toHaveLength(1));
    expect(stream.events()[0]).toMatchObject({ event: 'stream.opened', data: { type: 'stream.opened' } });
    const eve = await api.login();
    const hers = await api.issue(eve);
    const two = await api.issue(ada);
    await append(one.id, 'a');
    await append(hers.id, 'not for Ada');
    await append(two.id, 'b');
    await eventually(() => expect(received(stream)).toHaveLength(4));
    expect(received(stream)).toEqual([`${two.id} 1`, `${two.id} 2`, `${one.id} 3`, `${two.id} 3`]);
    expect(stream.events().at(-1)).toMatchObject({
      event: 'agent.message',
      data: { seq: 3, issue_id: two.id, type: 'agent.message', data: { text: 'b' } },
    });
    expect(stream.raw()).not.toContain('not for Ada');
  });

  it('sends the whole history first with after=0, including issues that have ended', async () => {
    const one = await api.issue(ada);
    for (let count = 0; count < 150; count += 1) await append(one.id, String(count));
    await api.call('DELETE', `/api/issues/${one.id}`, { as: ada });
    const two = await api.issue(ada);
    await using stream = await follow('?after=0');
    const wanted = await all(one.id, two.id);
    await eventually(() => expect(received(stream)).toHaveLength(wanted.length));
    expectWhole(received(stream), wanted);
  });

  it('resumes after each dropped connection with no gap and no repeat, while others write', async () => {
    const ids = [];
    for (let count = 0; count < 4; count += 1) ids.push((await api.issue(ada)).id);
    let writing = true;
    let connections = 0;
    const writers = ids.map(async (id) => {
      for (let count = 0; count < 60 || connections < 4; count += 1) {
        await append(id, String(count));
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    });
    const done = Promise.all(writers).then(() => {
      writing = false;
    });
    const seen: string[] = [];
    let id = '0';
    for (let isLast = false; !isLast; ) {
      isLast = !writing;
      await using stream = await follow('', { 'last-event-id': id });
      const enough = isLast ? (await all(...ids)).length - seen.length : 5;
      // There may be fewer left: then wait for the end of the writing.
      const isEnough = () => received(stream).length >= enough || (!isLast && !writing);
      await eventually(() => expect(isEnough()).toBe(true));
      stream.drop();
      await stream.ended;
      seen.push(...received(stream));
      id = lastId(stream) || id;
      connections += 1;
    }
    await done;
    expect(connections).toBeGreaterThan(3);
    expectWhole(seen, await all(...ids));
  });

  it('resumes from stream.opened when no event has come yet', async () => {
    const { id } = await api.issue(ada);
    const first = await follow();
    await eventually(() => expect(first.events()).toHaveLength(1));
    first.drop();
    await first.ended;
    await append(id, 'in between');
    await using again = await follow('', { 'last-event-id': lastId(first) });
    await eventually(() => expect(received(again)).toEqual([`${id} 3`]));
  });

  it('answers 400 to an invalid token, and 401 without a session', async () => {
    for (const query of ['?after=x', '?after=-1', '?after=1~1', '?after=1&after=2']) {
      expect((await api.call('GET', `/api/events${query}`, { as: ada })).body).toMatchObject({
        code: 'validation_failed',
      });
    }
    expect((await api.call('GET', '/api/events')).status).toBe(401);
  });

  it('sends no event of another user to a token that names their issue', async () => {
    const { id } = await api.issue(ada);
    const eve = await api.login();
    await using hers = await follow('?after=0');
    await eventually(() => expect(received(hers)).toHaveLength(2));
    await using stream = await follow('', { 'last-event-id': lastId(hers) }, eve);
    const own = await api.issue(eve);
    await append(id, 'secret');
    await eventually(() => expect(received(stream)).toEqual([`${own.id} 1`, `${own.id} 2`]));
  });

  it.each([
    ['logs out', () => api.call('POST', '/api/auth/logout', { as: ada })],
    [
      'is disabled',
      async () => {
        await api.stores.users.disable(ada.user.id);
        api.signals.sessionEnded(ada.sessionId);
      },
    ],
    [
      'is logged out by a process whose signals do not arrive',
      async () => {
        await api.stores.sessions.revoke(ada.sessionId);
        api.signals.eventsWritten({ issueId: '', userId: '', seq: Number.POSITIVE_INFINITY });
      },
    ],
  ])('ends within a second when its user %s, and leaves no listener behind', async (_what, end) => {
    await using stream = await follow();
    await eventually(() => expect(stream.events()).toHaveLength(1));
    await end();
    const ended = await Promise.race([
      stream.ended,
      new Promise((resolve) => setTimeout(resolve, PROMPTLY_MS, 'open')),
    ]);
    expect(ended).not.toBe('open');
    await eventually(() => expect(api.signals.listenerCount()).toBe(0));
  });

  it('is a subscription over tRPC as well, with the same tokens', async () => {
    const { id } = await api.issue(ada);
    const link = httpSubscriptionLink({
      url: `${api.url}/api/trpc`,
      EventSource,
      eventSourceOptions: () => ({
        fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, cookie: ada.cookie } }),
      }),
    });
    const client = createTRPCClient<AppRouter>({ links: [link] });
    const seen: { id: string; type: string }[] = [];
    const subscription = client.events.watch.subscribe(
      { after: '0' },
      { onData: ({ id, data }) => seen.push({ id, type: data.type }) },
    );
    await eventually(() => expect(seen).toHaveLength(2));
    subscription.unsubscribe();
    await append(id, 'later');
    await using stream = await follow('', { 'last-event-id': seen[1]?.id ?? '' });
    await eventually(() => expect(received(stream)).toEqual([`${id} 3`]));
  });
});

describe('GET /api/events with a token of another history', () => {
  /** The first event of a stream with that token, and the events behind it once one more was written. */
  async function firstAnd(token: string, id: string) {
    await using stream = await follow('', { 'last-event-id': token });
    await eventually(() => expect(stream.events().length).toBeGreaterThan(0));
    await append(id, 'after the restore');
    await eventually(() => expect(received(stream)).toHaveLength(1));
    const [first, next] = stream.events();
    return { first: first?.event, ids: [first?.id, next?.id], text: next?.data.data };
  }

  it('starts over with stream.opened where the token is beyond what exists, as after a restore', async () => {
    const { id } = await api.issue(ada);
    const floor = await api.deps.eventLog.lastOrdinal();
    const { first, text } = await firstAnd(String(floor + 20), id);
    expect(first).toBe('stream.opened');
    expect(text).toMatchObject({ text: 'after the restore' });
  });

  it('starts over with stream.opened where the token is of another epoch, and resumes with its own', async () => {
    const { id } = await api.issue(ada);
    const before = await follow('?after=0');
    await eventually(() => expect(received(before)).toHaveLength(2));
    before.drop();
    const old = lastId(before);
    expect(old).not.toContain(':');
    await api.deps.eventLog.beginEpoch();
    const epoch = await api.deps.eventLog.epoch();
    const { first, ids } = await firstAnd(old, id);
    expect(first).toBe('stream.opened');
    for (const one of ids) expect(one).toMatch(new RegExp(`^${epoch}:`));
    await using resumed = await follow('', { 'last-event-id': ids[0] ?? '' });
    await eventually(() => expect(received(resumed)).toEqual([`${id} 3`]));
    await api.deps.eventLog.beginEpoch();
    expect(await firstAnd(ids[1] ?? '', id)).toMatchObject({ first: 'stream.opened' });
    await using everything = await follow('?after=0');
    await eventually(() => expect(received(everything)).toHaveLength(4));
  });
});

describe('a member of a repository', () => {
  let grace: Login;
  let repo: string;
  const put = (role: Role) =>
    api.call('POST', `/api/repos/${repo}/members`, { as: ada, json: { user: grace.user.email, role } });
  const remove = () => api.call('DELETE', `/api/repos/${repo}/members/${grace.user.id}`, { as: ada });
  beforeEach(async () => {
    grace = await api.login();
    repo = (await api.repo(ada)).id;
  });

  it('receives the events of its issues from then on, in a stream that was open before', async () => {
    await using stream = await follow('', {}, grace);
    await eventually(() => expect(stream.events()).toHaveLength(1));
    const before = await api.issue(ada, { repo_id: repo });
    await put('viewer');
    await append(before.id, 'seen');
    await eventually(() => expect(received(stream)).toContain(`${before.id} 3`), PROMPTLY_MS);
  });

  it('receives nothing more once they are removed: of all issues, or of the one that they followed', async () => {
    await put('viewer');
    const { id } = await api.issue(ada, { repo_id: repo });
    await using all = await follow('?after=0', {}, grace);
    await using one = await openStream(`${api.url}/api/issues/${id}/events`, { cookie: grace.cookie });
    await eventually(() => expect([received(all).length, received(one).length]).toEqual([2, 2]));
    expect((await remove()).status).toBe(204);
    await append(id, 'secret');
    await eventually(
      async () => expect(await Promise.race([one.ended, Promise.resolve('open')])).not.toBe('open'),
      PROMPTLY_MS,
    );
    const own = await api.issue(grace);
    await eventually(() => expect(received(all)).toContain(`${own.id} 1`), PROMPTLY_MS);
    expect([received(all), received(one)].flat().filter((event) => event === `${id} 3`)).toEqual([]);
  });
});

describe('IssueFeed.followUser', () => {
  const follow = (eventLog: typeof api.deps.eventLog, after: string, gone: AbortSignal) =>
    createIssueFeed({ ...api.deps, eventLog })
      .followUser(resumeToken.parse(after), {
        caller: callerOf(ada.session.userId),
        session: ada.session,
        gone,
        hangUp: () => {},
      })
      [Symbol.asyncIterator]();

  it('resumes after every single event while little is settled, as on a busy Postgres', async () => {
    const ids = [];
    for (let count = 0; count < 3; count += 1) ids.push((await api.issue(ada)).id);
    for (let count = 0; count < 40; count += 1) await append(ids[count % 3] ?? '', String(count));
    const wanted = await all(...ids);
    const { eventLog } = api.deps;
    let calls = 0;
    // Behind by up to 50 events, a different number each time.
    const lagging = {
      ...eventLog,
      settledUpTo: async () => {
        calls += 1;
        return Math.max(0, (await eventLog.settledUpTo()) - ((calls * 17) % 50));
      },
    };
    const seen: string[] = [];
    let after = '0';
    while (seen.length < wanted.length) {
      const gone = new AbortController();
      const { value } = await follow(lagging, after, gone.signal).next();
      if (value === undefined) throw new Error('The stream ended by itself.');
      gone.abort();
      after = value.id;
      const { issue_id, seq } = value.event as IssueEvent;
      seen.push(`${issue_id} ${seq}`);
    }
    expectWhole(seen, wanted);
  });

  it('sends an event that appears below one already sent, and keeps the order of its issue', async () => {
    const [late, early] = [(await api.issue(ada)).id, (await api.issue(ada)).id];
    await append(late, 'drawn first, seen last');
    await append(early, 'drawn second, seen first');
    const { eventLog } = api.deps;
    const floor = await eventLog.settledUpTo();
    let isHidden = true;
    const outOfOrder = {
      ...eventLog,
      settledUpTo: async () => (isHidden ? 0 : floor),
      changed: async (...args: Parameters<typeof eventLog.changed>) => {
        const found = await eventLog.changed(...args);
        return { ...found, issues: found.issues.filter(({ issueId }) => !isHidden || issueId !== late) };
      },
    };
    const gone = new AbortController();
    const events = follow(outOfOrder, '0', gone.signal);
    const take = async (count: number) => {
      const taken = [];
      for (let one = 0; one < count; one += 1) {
        const { value } = await events.next();
        if (value === undefined) throw new Error('The stream ended by itself.');
        const { issue_id, seq } = value.event as IssueEvent;
        taken.push(`${issue_id} ${seq}`);
      }
      return taken;
    };
    expect(await take(3)).toEqual([1, 2, 3].map((seq) => `${early} ${seq}`));
    isHidden = false;
    api.signals.eventsWritten({ issueId: late, userId: ada.user.id, seq: 3 });
    expect(await take(3)).toEqual([1, 2, 3].map((seq) => `${late} ${seq}`));
    gone.abort();
    await events.return?.();
    expect(api.signals.listenerCount()).toBe(0);
  });
});
