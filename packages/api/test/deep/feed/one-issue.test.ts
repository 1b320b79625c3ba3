import { connect } from 'node:net';
import { eventually } from '@sluice/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { appendTo, lastSeqOf, seqs, upTo } from '../../feed/issue-history.ts';
import { openStream } from '../../feed/open-stream.ts';
import { startApi } from '../../start-api.ts';

// Usual way: packages/api/test/feed/one-issue.test.ts

describe('GET /api/issues/{id}/events', () => {
  it('hangs up on a reader who leaves the history unread, and does not read the rest of it', async () => {
    await using api = await startApi();
    onTestFinished(() => void vi.useRealTimers());
    const ada = await api.login();
    const { id } = await api.issue(ada);
    const text = 'x'.repeat(100_000);
    for (let count = 0; count < 150; count += 1) await appendTo(api, id, text);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const socket = connect(api.port, '127.0.0.1');
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(`GET /api/issues/${id}/events HTTP/1.1\r\nHost: x\r\nCookie: ${ada.cookie}\r\n\r\n`);
    socket.once('data', () => socket.pause());
    await eventually(() => expect(api.signals.listenerCount()).toBe(3)); // of events, its session and its role
    await eventually(async () => {
      await vi.advanceTimersByTimeAsync(15_000);
      expect(api.signals.listenerCount()).toBe(0);
    });
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(150 * text.length);
    vi.useRealTimers();
    await using again = await openStream(`${api.url}/api/issues/${id}/events`, { cookie: ada.cookie });
    await eventually(async () => expect(seqs(again)).toEqual(upTo(await lastSeqOf(api, id))));
  });
});
