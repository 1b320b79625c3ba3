import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { callerOf } from '@sluice/core/access';
import type { IssueId } from '@sluice/core/id';
import type { NewEvent } from '@sluice/core/issue';
import { eventually } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createIssueFeed } from '../../src/feed/issue-feed.ts';
import type { StreamedEvent } from '../../src/feed/stream-item.ts';
import { type Login, type RunningApi, startApi } from '../start-api.ts';
import { openStream } from './open-stream.ts';

let api: RunningApi;
let ada: Login;
let id: string;
beforeEach(async () => {
  api = await startApi();
  ada = await api.login();
  id = (await api.issue(ada)).id;
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

async function append(text: string): Promise<void> {
  const event: NewEvent = { type: 'agent.message', data: { agent: 'coder', text } };
  await api.stores.issues.apply({
    issueId: id as IssueId,
    from: { status: 'running' },
    trigger: 'stage_advanced',
    events: [event],
  });
}

const sendLive = (text: string) =>
  api.signals.live({ type: 'agent.delta', issue_id: id, at: new Date().toISOString(), data: { agent: 'coder', text } });

const lastSeq = async () => (await api.stores.issues.get(id as IssueId))?.lastSeq ?? 0;

const textOf = (event: StreamedEvent | undefined) =>
  event?.type === 'agent.delta' || event?.type === 'agent.message' ? event.data.text : null;

describe('the streams of one issue', () => {
  it('read new events once for all of them, and each receives all of them', async () => {
    const events = vi.spyOn(api.deps.issues, 'events');
    const from = await lastSeq();
    const address = `${api.url}/api/issues/${id}/events?after=${from}`;
    const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(address, { cookie: ada.cookie })));
    await append('first');
    const texts = () => streams.map((stream) => stream.events().map(({ data }) => textOf(data as never)));
    await eventually(() => expect(texts()).toEqual(streams.map(() => ['first'])));
    events.mockClear();
    for (const text of ['one', 'two', 'three']) await append(text);
    await eventually(() => expect(texts()).toEqual(streams.map(() => ['first', 'one', 'two', 'three'])));
    expect(events).toHaveBeenCalledTimes(3);
    for (const stream of streams) await stream[Symbol.asyncDispose]();
  });

  it('read once more when the read for all of them fails', async () => {
    const { events } = api.deps.issues;
    await using stream = await openStream(`${api.url}/api/issues/${id}/events`, { cookie: ada.cookie });
    await append('first');
    const texts = () => stream.events().map(({ data }) => textOf(data as never));
    await eventually(() => expect(texts()).toContain('first'));
    vi.spyOn(api.deps.issues, 'events')
      .mockRejectedValueOnce(new Error('The store is away.'))
      .mockImplementation(events);
    await append('second');
    await eventually(() => expect(texts()).toContain('second'));
  });

  it('find the events of another process when a signal names no sequence number', async () => {
    await using stream = await openStream(`${api.url}/api/issues/${id}/events`, { cookie: ada.cookie });
    const texts = () => stream.events().map(({ data }) => textOf(data as never));
    const signal = () =>
      api.signals.eventsWritten({ issueId: id as IssueId, userId: '', seq: Number.POSITIVE_INFINITY });
    for (const text of ['one', 'two', 'three']) {
      const lost = vi.spyOn(api.signals, 'eventsWritten').mockImplementation(() => {});
      await append(text);
      lost.mockRestore();
      signal();
      // A heartbeat could bring one of them at most: they are 15 s apart.
      await vi.waitFor(() => expect(texts()).toContain(text), 12_000);
    }
    await append('here');
    await eventually(() => expect(texts().slice(-4)).toEqual(['one', 'two', 'three', 'here']));
  });

  it('bring whole events over HTTP/1.0 too, which has no chunks', async () => {
    const socket = connect(api.port, '127.0.0.1').setEncoding('utf8');
    let raw = '';
    socket.on('data', (text) => {
      raw += text;
    });
    socket.write(`GET /api/issues/${id}/events HTTP/1.0\r\nCookie: ${ada.cookie}\r\n\r\n`);
    await eventually(() => expect(raw).toContain('event: issue.created'));
    for (const text of ['one', 'two', 'three']) {
      await append(text);
      await eventually(() => expect(raw).toContain(`"text":"${text}"`));
    }
    const [, body = ''] = raw.split('\r\n\r\n');
    expect(body).not.toContain('\r\n');
    socket.destroy();
    await once(socket, 'close');
  });

  it('end with the issue, even one that reads the issue as it was before', async () => {
    const issue = await api.stores.issues.get(id as IssueId);
    if (issue === null) throw new Error('The issue is gone.');
    const feed = createIssueFeed(api.deps);
    const reader = {
      caller: callerOf(ada.session.userId),
      session: ada.session,
      gone: new AbortController().signal,
      hangUp: () => {},
    };
    const follow = async () => {
      for await (const _item of feed.followIssue(issue, issue.lastSeq, reader));
    };
    const { get } = api.deps.issues;
    const gets = vi.spyOn(api.deps.issues, 'get');
    const early = follow();
    await eventually(() => expect(gets).toHaveBeenCalledTimes(1));
    await gets.mock.results[0]?.value;
    await turn(); // it waits from here on
    const held = Promise.withResolvers<void>();
    gets.mockImplementationOnce(async (...asked) => {
      const found = await get(...asked);
      await held.promise;
      return found;
    });
    const late = follow();
    await eventually(() => expect(gets).toHaveBeenCalledTimes(2));
    await api.fail(id);
    await early;
    held.resolve();
    await late;
  });
});

/** The text of a chunked answer. Throws for incomplete chunks and for bytes outside of chunks. */
function unchunked(raw: Buffer): string {
  let text = '';
  let at = raw.indexOf('\r\n\r\n') + 4;
  for (;;) {
    const end = raw.indexOf('\r\n', at);
    const size = raw.toString('latin1', at, end);
    if (end < 0 || !/^[0-9a-f]+$/.test(size)) throw new Error(`There is no chunk at ${at}: ${size.slice(0, 50)}`);
    const length = Number.parseInt(size, 16);
    text += raw.toString('utf8', end + 2, end + 2 + length);
    at = end + 2 + length + 2;
    if (raw.toString('latin1', at - 2, at) !== '\r\n') throw new Error(`The chunk before ${at} has another length.`);
    if (length === 0) return text;
  }
}

describe('the bytes of a stream', () => {
  it('are whole chunks of one answer, however full the connection is and whatever is pipelined', async () => {
    const other = (await api.issue(ada)).id;
    const connected = once(api.server, 'connection');
    const client = connect(api.port, '127.0.0.1');
    const bytes: Buffer[] = [];
    client.on('data', (some) => bytes.push(some));
    const ask = (of: string) => `GET /api/issues/${of}/events HTTP/1.1\r\nHost: x\r\nCookie: ${ada.cookie}\r\n\r\n`;
    client.write(ask(id) + ask(other)); // the second answer begins meanwhile, without a connection
    const [served] = (await connected) as [Socket];
    await eventually(() => expect(bytes.length).toBeGreaterThan(0));
    const filling = 'ü'.repeat(20_000);
    let sent = 0;
    const fill = async (more: () => boolean) => {
      for (let count = 0; count < 5 || more(); count += 1) {
        sendLive(`${filling} ${sent}.`);
        sent += 1;
        if (count % 4 === 0) await append('written');
        await turn();
      }
    };
    for (let round = 0; round < 3; round += 1) {
      client.pause();
      await fill(() => !served.writableNeedDrain && !served.destroyed);
      await fill(() => false); // what waits for the loop now
      client.resume();
      await fill(() => false);
      await eventually(() => expect(served.writableNeedDrain).toBe(false));
    }
    await api.fail(other);
    await api.fail(id);
    const ends = () =>
      Buffer.concat(bytes)
        .toString('latin1')
        .match(/\r\n0\r\n\r\n/g)?.length;
    await eventually(() => expect(ends()).toBe(2));
    client.destroy();
    const raw = Buffer.concat(bytes);
    const second = raw.indexOf('\r\n0\r\n\r\n') + 7;
    const texts = [unchunked(raw), unchunked(raw.subarray(second))];
    const seqs = texts.map((text) => [...text.matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq)));
    const last = await Promise.all(
      [id, other].map(async (of) => (await api.stores.issues.get(of as IssueId))?.lastSeq),
    );
    expect(seqs).toEqual(last.map((count = 0) => Array.from({ length: count }, (_, at) => at + 1)));
    const live = [...(texts[0] ?? '').matchAll(/ü (\d+)\./g)].map(([, count]) => Number(count));
    expect(live).toEqual(Array.from({ length: sent }, (_, count) => count));
  });

  it('reach a reader who has closed their side, whatever is sent after that', async () => {
    const connected = once(api.server, 'connection');
    const client = connect({ port: api.port, host: '127.0.0.1', allowHalfOpen: true });
    client.on('error', () => {});
    client.write(`GET /api/issues/${id}/events HTTP/1.1\r\nHost: x\r\nCookie: ${ada.cookie}\r\n\r\n`);
    const [served] = (await connected) as [Socket];
    await once(client, 'data');
    client.pause();
    let sent = 0;
    while (served.writableLength === 0) {
      sendLive(`${'x'.repeat(16_000)} ${sent}.`);
      sent += 1;
      await turn();
    }
    expect(served.writableNeedDrain).toBe(false);
    client.end();
    await eventually(() => expect(served.writableEnded).toBe(true));
    sendLive('too late');
    await turn();
    let raw = '';
    client.setEncoding('utf8').on('data', (text) => {
      raw += text;
    });
    client.resume();
    await new Promise((resolve) => client.once('end', resolve).once('close', resolve));
    client.destroy();
    expect(raw.match(/x \d+\./g)).toHaveLength(sent);
  });

  it('come once and in order to a reader who is slow now and then', async () => {
    const issue = await api.stores.issues.get(id as IssueId);
    if (issue === null) throw new Error('The issue is gone.');
    const seen: (string | null)[] = [];
    const leaving = new AbortController();
    const reader = {
      caller: callerOf(ada.session.userId),
      session: ada.session,
      gone: leaving.signal,
      hangUp: () => {},
    };
    const reading = (async () => {
      for await (const { event } of createIssueFeed(api.deps).followIssue(issue, issue.lastSeq, reader)) {
        seen.push(textOf(event));
        if (seen.length % 3 === 0) await turn();
      }
    })();
    const wanted: string[] = [];
    for (let count = 0; count < 60; count += 1) {
      wanted.push(`live ${count}`, `written ${count}`);
      sendLive(`live ${count}`);
      await append(`written ${count}`);
      if (count % 5 === 0) await eventually(() => expect(seen).toEqual(wanted));
    }
    await eventually(() => expect(seen).toEqual(wanted));
    leaving.abort();
    await reading;
  });
});

describe('the streams of all issues of one user', () => {
  it('read new events once for all of them, and each receives all of them', async () => {
    const address = `${api.url}/api/events`;
    const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(address, { cookie: ada.cookie })));
    const texts = () => streams.map((stream) => stream.events().map(({ data }) => textOf(data as never)));
    await eventually(() => expect(texts()).toEqual(streams.map(() => [null])));
    await turn();
    const reads = [
      vi.spyOn(api.deps.eventLog, 'settledUpTo'),
      vi.spyOn(api.deps.eventLog, 'changed'),
      vi.spyOn(api.deps.issues, 'events'),
    ];
    for (const text of ['one', 'two', 'three']) await append(text);
    await eventually(() => expect(texts()).toEqual(streams.map(() => [null, 'one', 'two', 'three'])));
    // At most, for each event: its floor, the issues with settled events, those with later ones, and the event itself.
    for (const [at, most] of [3, 6, 3].entries()) expect(reads[at]?.mock.calls.length).toBeLessThanOrEqual(most);
    for (const stream of streams) await stream[Symbol.asyncDispose]();
  });
});
