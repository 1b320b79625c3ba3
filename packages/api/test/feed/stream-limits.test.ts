import { request } from 'node:http';
import type { IssueId } from '@sluice/core/id';
import type { NewEvent } from '@sluice/core/issue';
import { eventually } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_STREAMS_PER_SESSION, MAX_STREAMS_PER_USER } from '../../src/feed/stream-slots.ts';
import { type Login, type RunningApi, startApi } from '../start-api.ts';
import { type OpenStream, openStream } from './open-stream.ts';

let api: RunningApi;
let ada: Login;
beforeEach(async () => {
  api = await startApi();
  ada = await api.login();
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

const open = (as: Login, path = '/api/events') => openStream(`${api.url}${path}`, { cookie: as.cookie });
const many = (count: number, as: Login, path?: string) =>
  Promise.all(Array.from({ length: count }, () => open(as, path)));
const dropAll = (streams: readonly OpenStream[]) => Promise.all(streams.map((stream) => stream[Symbol.asyncDispose]()));
const expectNoListener = () => eventually(() => expect(api.signals.listenerCount()).toBe(0));

/** Opens as many streams as a session may have, which fails if any other is still counted. */
async function expectAllFree(as: Login): Promise<void> {
  await eventually(async () => {
    const streams = await many(MAX_STREAMS_PER_SESSION, as);
    const statuses = streams.map(({ status }) => status);
    await dropAll(streams);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
}

describe('open streams', () => {
  it('are at most fifty per session, over REST and tRPC together, and one that closes makes room', async () => {
    const { id } = await api.issue(ada);
    const trpc = `/api/trpc/issues.events?input=${encodeURIComponent(JSON.stringify({ id }))}`;
    const ways = ['/api/events', `/api/issues/${id}/events`, trpc, '/api/trpc/events.watch?input=%7B%7D'];
    const streams = await Promise.all(
      Array.from({ length: MAX_STREAMS_PER_SESSION }, (_, at) => open(ada, ways[at % ways.length])),
    );
    expect(streams.map(({ status }) => status)).toEqual(Array(MAX_STREAMS_PER_SESSION).fill(200));

    const refused = await api.call('GET', '/api/events', { as: ada });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('15');
    expect(refused.body).toEqual({
      code: 'too_many_streams',
      detail: expect.stringContaining('At most 50 event streams of one session'),
      limit: 50,
      retry_after_seconds: 15,
      request_id: expect.any(String),
    });
    // tRPC sends the refusal of a subscription as the stream's only event.
    const overTrpc = await api.call('GET', trpc, { as: ada });
    const [, sent = ''] = overTrpc.text.match(/^event: serialized-error\ndata: (.*)$/m) ?? [];
    expect(JSON.parse(sent).data).toMatchObject({
      httpStatus: 429,
      error: { code: 'too_many_streams', limit: 50, retry_after_seconds: 15 },
    });

    streams[2]?.drop();
    await eventually(async () => {
      await using another = await open(ada);
      expect(another.status).toBe(200);
    });
    // Other sessions and other users are not affected.
    const others = [await open(await api.otherSession(ada)), await open(await api.login())];
    expect(others.map(({ status }) => status)).toEqual([200, 200]);
    await dropAll([...streams, ...others]);
    await expectNoListener();
  });

  it('are at most two hundred per user, and one event reaches all of them', async () => {
    const { id } = await api.issue(ada);
    const sessions = [ada];
    while (sessions.length < MAX_STREAMS_PER_USER / MAX_STREAMS_PER_SESSION) sessions.push(await api.otherSession(ada));
    const streams = (
      await Promise.all(sessions.map((as) => many(MAX_STREAMS_PER_SESSION, as, `/api/issues/${id}/events`)))
    ).flat();
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await api.call('GET', '/api/events', { as: await api.otherSession(ada) });
    expect([refused.status, refused.body.limit]).toEqual([429, 200]);
    expect(refused.body.detail).toContain('of one user');

    const before = await api.stores.issues.get(id as IssueId);
    if (before === null) throw new Error('The issue is gone.');
    await eventually(() =>
      expect(streams.every((stream) => stream.events().at(-1)?.data.seq === before.lastSeq)).toBe(true),
    );
    const event: NewEvent = { type: 'agent.message', data: { agent: 'coder', text: 'to all' } };
    await api.stores.issues.apply({
      issueId: before.id,
      from: { status: before.status },
      trigger: 'stage_advanced',
      events: [event],
    });
    await eventually(() =>
      expect(streams.filter((stream) => stream.events().at(-1)?.data.type === 'agent.message')).toHaveLength(200),
    );
    await dropAll(streams);
    await expectNoListener();
  });

  it('are not counted any more after a thousand began and ended in every way', async () => {
    const { id } = await api.issue(ada);
    const head = () =>
      new Promise<void>((resolve, reject) => {
        const asked = request(`${api.url}/api/events`, { method: 'HEAD', headers: { cookie: ada.cookie } });
        asked.on('response', (response) => response.resume().on('end', resolve)).on('error', reject);
        asked.end();
      });
    const leaveAtOnce = async () => {
      const leaving = new AbortController();
      const asked = fetch(`${api.url}/api/events`, { headers: { cookie: ada.cookie }, signal: leaving.signal });
      setImmediate(() => leaving.abort());
      await asked.then(
        (response) => response.body?.cancel(),
        () => {},
      );
    };
    const ways: readonly (() => Promise<unknown>)[] = [
      async () => (await open(ada)).drop(),
      async () => (await open(ada, `/api/issues/${id}/events`)).drop(),
      async () => (await open(ada, '/api/trpc/events.watch?input=%7B%7D')).drop(),
      () => api.call('GET', '/api/events?after=mangled', { as: ada }),
      head,
      leaveAtOnce,
    ];
    for (let opened = 0; opened < 1_000; opened += 30) {
      await Promise.all(Array.from({ length: 30 }, (_, at) => ways[at % ways.length]?.()));
    }
    await expectNoListener();
    await expectAllFree(ada);
  });

  it('are not counted any more when the session has ended, or the server has closed them', async () => {
    for (let count = 0; count < MAX_STREAMS_PER_USER / MAX_STREAMS_PER_SESSION; count += 1) {
      const doomed = await api.otherSession(ada);
      const streams = await many(MAX_STREAMS_PER_SESSION, doomed);
      expect((await api.call('POST', '/api/auth/logout', { as: doomed })).status).toBe(204);
      await Promise.all(streams.map(({ ended }) => ended));
    }
    await expectAllFree(ada);

    const others = await many(MAX_STREAMS_PER_SESSION, ada);
    api.closeStreams();
    await Promise.all(others.map(({ ended }) => ended));
    // The refusal is the shutdown, not the streams that the server has just closed.
    await eventually(async () => {
      const late = await open(ada);
      await late.ended;
      expect([late.status, late.events()]).toEqual([200, []]);
    });
    await expectNoListener();
  });
});
