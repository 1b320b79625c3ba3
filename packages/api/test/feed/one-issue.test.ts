import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { IssueId } from '@sluice/core/id';
import type { LiveEvent } from '@sluice/core/issue';
import { eventually, settableClock } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Login, type RunningApi, startApi } from '../start-api.ts';
import { appendTo, lastSeqOf, seqs, upTo } from './issue-history.ts';
import { openStream } from './open-stream.ts';

let api: RunningApi;
let ada: Login;
beforeEach(async () => {
  api = await startApi();
  ada = await api.login();
});
afterEach(async () => {
  vi.useRealTimers();
  await api[Symbol.asyncDispose]();
});

/** Stands for "within a second" on a busy machine. Without a signal a stream ends at the next heartbeat, after 15 s. */
const PROMPTLY_MS = 10_000;
const follow = (id: string, options: { query?: string; headers?: Record<string, string>; as?: Login } = {}) =>
  openStream(`${api.url}/api/issues/${id}/events${options.query ?? ''}`, {
    cookie: (options.as ?? ada).cookie,
    ...options.headers,
  });
const lastSeq = (id: string) => lastSeqOf(api, id);
const append = (id: string, text: string) => appendTo(api, id, text);
const expectNoListener = () => eventually(() => expect(api.signals.listenerCount()).toBe(0));

function sendLive(id: string, text: string): void {
  const event: LiveEvent = {
    type: 'agent.delta',
    issue_id: id,
    at: new Date().toISOString(),
    data: { agent: 'coder', text },
  };
  api.signals.live(event);
}

describe('GET /api/issues/{id}/events', () => {
  it('sends the whole history, then new events, and closes after the event that ends the issue', async () => {
    const { id } = await api.issue(ada);
    await using stream = await follow(id);
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.headers.get('cache-control')).toContain('no-store');
    await eventually(async () => expect(seqs(stream)).toEqual(upTo(await lastSeq(id))));
    expect(stream.raw()).toMatch(/^retry: 2000\n\n/);
    const [first] = stream.events();
    expect(first).toMatchObject({
      id: '1',
      event: 'issue.created',
      data: { seq: 1, issue_id: id, type: 'issue.created', at: expect.stringMatching(/Z$/), data: { issue: { id } } },
    });

    await api.toGate(id);
    await api.call('POST', `/api/issues/${id}/approve`, { as: ada, json: { action: 'reject' } });
    expect(await stream.ended).toBe('closed');
    expect(seqs(stream)).toEqual(upTo(await lastSeq(id)));
    expect(stream.events().at(-1)?.data).toMatchObject({ type: 'issue.status', data: { to: 'rejected' } });
    await expectNoListener();
  });

  it('sends the whole history to a client whose last event is not in it, as after a restore', async () => {
    const { id } = await api.issue(ada);
    const last = await lastSeq(id);
    const whole = async (options: Parameters<typeof follow>[1]) => {
      await using stream = await follow(id, options);
      await eventually(() => expect(seqs(stream)).toEqual(upTo(last)));
      return stream.events().at(-1)?.id ?? '';
    };
    await whole({ headers: { 'last-event-id': String(last + 20) } });
    await whole({ query: `?after=${last + 20}` });

    await api.deps.eventLog.beginEpoch();
    const epoch = await api.deps.eventLog.epoch();
    const newest = await whole({ headers: { 'last-event-id': String(last) } }); // of before the restore
    expect(newest).toBe(`${epoch}:${last}`);
    await using resumed = await follow(id, { headers: { 'last-event-id': newest } });
    await using numbered = await follow(id, { query: `?after=${last}` });
    await append(id, 'after the restore');
    for (const stream of [resumed, numbered]) await eventually(() => expect(seqs(stream)).toEqual([last + 1]));
    await api.deps.eventLog.beginEpoch();
    await using again = await follow(id, { headers: { 'last-event-id': newest } });
    await eventually(() => expect(seqs(again)).toEqual(upTo(last + 1)));
  });

  it('sends the whole history of an ended issue to a client whose last event is not in it', async () => {
    const { id } = await api.issue(ada);
    await api.fail(id);
    const last = await lastSeq(id);
    const all = await follow(id, { headers: { 'last-event-id': String(last + 1) } });
    expect([await all.ended, seqs(all)]).toEqual(['closed', upTo(last)]);
  });

  it('answers 204 to a reconnect that has seen everything of an ended issue, and the rest to one that has not', async () => {
    const { id } = await api.issue(ada);
    await api.fail(id);
    const last = await lastSeq(id);
    const all = await follow(id);
    expect([await all.ended, seqs(all)]).toEqual(['closed', upTo(last)]);
    for (const options of [{ headers: { 'last-event-id': String(last) } }, { query: `?after=${last}` }]) {
      const nothing = await api.call('GET', `/api/issues/${id}/events${options.query ?? ''}`, {
        as: ada,
        headers: options.headers ?? {},
      });
      expect([nothing.status, nothing.text]).toEqual([204, '']);
    }
    const rest = await follow(id, { headers: { 'last-event-id': String(last - 1) } });
    expect([await rest.ended, seqs(rest)]).toEqual(['closed', [last]]);
    expect((await follow(id, { headers: { 'last-event-id': '' } })).status).toBe(200);
  });

  it('continues with the next sequence number when a failed issue is retried', async () => {
    const { id } = await api.issue(ada);
    await api.fail(id);
    const ended = await lastSeq(id);
    await api.stores.issues.apply({
      issueId: id as IssueId,
      from: { status: 'failed' },
      trigger: 'retried',
      events: [],
    });
    await using stream = await follow(id, { headers: { 'last-event-id': String(ended) } });
    expect(stream.status).toBe(200);
    await eventually(() => expect(seqs(stream)[0]).toBe(ended + 1));
    expect((await api.call('DELETE', `/api/issues/${id}`, { as: ada })).status).toBe(204);
    expect(await stream.ended).toBe('closed');
    expect(seqs(stream)).toEqual(upTo(await lastSeq(id), ended + 1));
  });

  it('prefers Last-Event-ID to ?after, which a browser repeats with every reconnect', async () => {
    const { id } = await api.issue(ada);
    for (let count = 0; count < 5; count += 1) await append(id, String(count));
    const last = await lastSeq(id);
    await using stream = await follow(id, { query: '?after=1', headers: { 'last-event-id': String(last - 2) } });
    await eventually(() => expect(seqs(stream)).toEqual([last - 1, last]));
  });

  it.each(['x', '-1', '1.5', '1e3', '99999999999999999999', '1,2', ' '])(
    'answers 400 for the position %j',
    async (position) => {
      const { id } = await api.issue(ada);
      const byQuery = await api.call('GET', `/api/issues/${id}/events?after=${encodeURIComponent(position)}`, {
        as: ada,
      });
      expect([byQuery.status, byQuery.body.code]).toEqual([400, 'validation_failed']);
      if (position === ' ') return; // a header is trimmed
      const byHeader = await api.call('GET', `/api/issues/${id}/events`, {
        as: ada,
        headers: { 'last-event-id': position },
      });
      expect(byHeader.status).toBe(400);
    },
  );

  it('has no gap and no repeat over dropped connections while events are written', async () => {
    const { id } = await api.issue(ada);
    const seen: number[] = [];
    const resume = () => follow(id, { headers: { 'last-event-id': String(seen.at(-1) ?? 0) } });
    for (let round = 0; round < 20; round += 1) {
      const stream = await resume();
      const writing = (async () => {
        for (let count = 0; count < 6; count += 1) await append(id, `${round}.${count}`);
      })();
      await eventually(() => expect(seqs(stream).length).toBeGreaterThan(round % 5));
      stream.drop(); // in the middle of the writes, at another place every time
      await stream.ended;
      seen.push(...seqs(stream));
      await writing;
    }
    await api.fail(id);
    const rest = await resume();
    expect(await rest.ended).toBe('closed');
    seen.push(...seqs(rest));
    expect(seen).toEqual(upTo(await lastSeq(id)));
    expect((await resume()).status).toBe(204);
    await expectNoListener();
  });

  it('sends live text at once, without an id, before the message it belongs to', async () => {
    const { id } = await api.issue(ada);
    await using stream = await follow(id);
    await eventually(async () => expect(seqs(stream)).toEqual(upTo(await lastSeq(id))));
    for (let count = 0; count < 20; count += 1) {
      sendLive(id, `${count}a`);
      sendLive(id, `${count}b`);
      await append(id, `${count}ab`);
    }
    await eventually(async () => expect(seqs(stream)).toEqual(upTo(await lastSeq(id))));
    const texts = stream.events().flatMap(({ event, id: eventId, data }) => {
      const { text } = data.data as { text?: string };
      expect(eventId === null).toBe(event === 'agent.delta');
      return text === undefined ? [] : [text];
    });
    expect(texts).toEqual(Array.from({ length: 20 }, (_, count) => [`${count}a`, `${count}b`, `${count}ab`]).flat());
  });

  it('sends the right events when signals are lost, doubled, late or ahead of the rows', async () => {
    const { id } = await api.issue(ada);
    await using stream = await follow(id);
    const last = await lastSeq(id);
    await eventually(() => expect(seqs(stream)).toEqual(upTo(last)));
    const hint = (seq: number) => api.signals.eventsWritten({ issueId: id, userId: ada.user.id, seq });
    for (const seq of [1, last, last + 50, last, 0]) hint(seq);
    await append(id, 'one');
    for (const seq of [last + 1, last + 1, 1]) hint(seq);
    await append(id, 'two');
    await eventually(async () => expect(seqs(stream)).toEqual(upTo(await lastSeq(id))));
  });

  it('finds at its heartbeat the events of a lost signal', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await using other = await startApi();
    const { subscribe } = other.signals;
    other.signals.subscribe = (issueId, { onEvents: _lost, ...rest }) => subscribe(issueId, rest);
    const eve = await other.login();
    const { id } = await other.issue(eve);
    await using stream = await openStream(`${other.url}/api/issues/${id}/events`, { cookie: eve.cookie });
    await eventually(() => expect(seqs(stream).length).toBeGreaterThan(0));
    const before = seqs(stream).length;
    await other.fail(id);
    expect(seqs(stream)).toHaveLength(before);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await stream.ended).toBe('closed');
    expect(stream.events().at(-1)?.data).toMatchObject({ data: { to: 'failed' } });
  });

  it('ends within a second when its session is logged out, and leaves other sessions their streams', async () => {
    const { id } = await api.issue(ada);
    const other = await api.otherSession(ada);
    await using stream = await follow(id);
    await using spared = await follow(id, { as: other });
    await eventually(() => expect([stream, spared].map((one) => seqs(one).length > 0)).toEqual([true, true]));
    const begun = performance.now();
    expect((await api.call('POST', '/api/auth/logout', { as: ada })).status).toBe(204);
    await stream.ended;
    expect(performance.now() - begun).toBeLessThan(PROMPTLY_MS);
    expect((await api.call('GET', `/api/issues/${id}/events`, { as: ada })).status).toBe(401);
    await api.fail(id);
    expect(await spared.ended).toBe('closed');
    expect(seqs(spared)).toEqual(upTo(await lastSeq(id)));
    await expectNoListener();
  });

  it('ends when its session expires', async () => {
    const clock = settableClock(new Date());
    await using brief = await startApi({ clock, sessionTtlMs: 1_500 });
    const login = await brief.login();
    const { id } = await brief.issue(login);
    await using stream = await openStream(`${brief.url}/api/issues/${id}/events`, { cookie: login.cookie });
    expect(stream.status).toBe(200);
    clock.advance(1_500);
    await stream.ended;
    expect(stream.events().length).toBeGreaterThan(0);
  });

  it('ends when its session is idle for too long, counting other requests as use', async () => {
    const clock = settableClock(new Date());
    await using brief = await startApi({ clock, sessionIdleTtlMs: 400 });
    const login = await brief.login();
    await brief.stores.sessions.touch(login.sessionId, {
      unseenSince: new Date(clock.now().getTime() + 1),
      idleEndsAt: new Date(clock.now().getTime() + 400),
    });
    const { id } = await brief.issue(login);
    await using stream = await openStream(`${brief.url}/api/issues/${id}/events`, { cookie: login.cookie });
    expect(stream.status).toBe(200);
    let isOpen = true;
    void stream.ended.then(() => {
      isOpen = false;
    });
    for (let round = 0; round < 2; round += 1) {
      clock.advance(300);
      expect((await brief.call('GET', '/api/auth/me', { as: login })).status).toBe(200);
      const finds = vi.spyOn(brief.deps.sessions, 'find');
      await eventually(() => expect(finds).toHaveBeenCalled());
      finds.mockRestore();
    }
    expect(isOpen).toBe(true);
    clock.advance(400);
    await stream.ended;
    expect((await brief.call('GET', '/api/auth/me', { as: login })).status).toBe(401);
  });

  it('ends every stream at shutdown and refuses new ones', async () => {
    const { id } = await api.issue(ada);
    const streams = await Promise.all(Array.from({ length: 5 }, () => follow(id)));
    await eventually(() => expect(streams.every((stream) => seqs(stream).length > 0)).toBe(true));
    api.closeStreams();
    await Promise.all(streams.map(({ ended }) => ended));
    await expectNoListener();
    const late = await follow(id);
    await late.ended;
    expect(late.events()).toEqual([]);
  });

  it('leaves no listener behind whenever its reader leaves', async () => {
    const { id } = await api.issue(ada);
    for (let round = 0; round < 20; round += 1) {
      const stream = await follow(id);
      if (round % 2 === 0) await append(id, String(round));
      stream.drop();
      await stream.ended;
    }
    await expectNoListener();
    expect(api.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('hangs up on a reader who does not read, without holding the unread events', async () => {
    const { id } = await api.issue(ada);
    const connected = once(api.server, 'connection');
    const socket = connect(api.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`GET /api/issues/${id}/events HTTP/1.1\r\nHost: x\r\nCookie: ${ada.cookie}\r\n\r\n`);
    socket.pause();
    const [slow] = (await connected) as [Socket];
    await eventually(() => expect(api.signals.listenerCount()).toBeGreaterThan(0));
    await using quick = await follow(id);
    const text = 'x'.repeat(65_536);
    // More than the socket buffers and the queue hold together; the quick reader gets all of it.
    let sent = 0;
    await eventually(() => {
      for (let count = 0; count < 8; count += 1) sendLive(id, text);
      sent += 8;
      expect(slow.destroyed).toBe(true);
    }, 40);
    expect(sent).toBeLessThan(2_000);
    await eventually(() =>
      expect(quick.events().filter(({ event }) => event === 'agent.delta').length).toBeGreaterThan(8),
    );
    socket.destroy();
  });

  it('hangs up on a reader who does not read when their session ends, even with bytes unsent', async () => {
    const { id } = await api.issue(ada);
    const connected = once(api.server, 'connection');
    const socket = connect(api.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`GET /api/issues/${id}/events HTTP/1.1\r\nHost: x\r\nCookie: ${ada.cookie}\r\n\r\n`);
    const [unread] = (await connected) as [Socket];
    await once(socket, 'data');
    socket.pause();
    await eventually(() => {
      if (!unread.writableNeedDrain) sendLive(id, 'x'.repeat(65_536));
      expect(unread.writableNeedDrain).toBe(true);
    }, 1);
    await api.call('POST', '/api/auth/logout', { as: ada });
    await vi.waitFor(() => expect(unread.destroyed).toBe(true), PROMPTLY_MS);
    socket.destroy();
  });

  it('sends heartbeats and stays open while its reader waits long for the next event', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const { id } = await api.issue(ada);
    await using stream = await follow(id);
    await eventually(async () => expect(seqs(stream)).toEqual(upTo(await lastSeq(id))));
    for (let beats = 1; beats <= 6; beats += 1) {
      await vi.advanceTimersByTimeAsync(15_000);
      await eventually(() => expect(stream.raw().match(/\n\n:(?=\n\n)/g)).toHaveLength(beats));
    }
    await append(id, 'at last');
    await eventually(async () => expect(seqs(stream)).toEqual(upTo(await lastSeq(id))));
  });
});
