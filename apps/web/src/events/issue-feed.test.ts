import type { IssueEvent, SluiceClient, StreamListener, WatchedEvent } from '@sluice/client';
import { expect, it, vi } from 'vitest';
import { createIssueFeed } from './issue-feed.ts';

const at = '2026-11-20T09:00:00.000Z';
const message = (seq: number, text = `message ${seq}`) =>
  ({ seq, at, issue_id: 'i', type: 'agent.message', data: { agent: 'coder', text } }) as IssueEvent;

/** A server with a history, whose stream the test feeds. */
function setUp(history: IssueEvent[]) {
  const frames: (() => void)[] = [];
  const streams: { after: unknown; listener: StreamListener<WatchedEvent>; isOpen: boolean }[] = [];
  const query = vi.fn(async ({ after, limit }: { after: number; limit: number }) => {
    const rest = history.filter(({ seq }) => seq > after);
    const items = rest.slice(0, limit);
    return { items, next_after: rest.length > limit ? items.at(-1)!.seq : null };
  });
  const subscribe = ({ after }: { after?: unknown }, listener: StreamListener<WatchedEvent>) => {
    const stream = { after, listener, isOpen: true };
    streams.push(stream);
    return {
      unsubscribe() {
        stream.isOpen = false;
      },
    };
  };
  const feed = createIssueFeed('i', {
    client: { issues: { history: { query }, events: { subscribe } } } as unknown as Pick<SluiceClient, 'issues'>,
    onFrame: (task) => void frames.push(task),
    wait: async () => {},
    isTransient: (error) => error === 'transient',
  });
  const draw = () => {
    for (const task of frames.splice(0)) task();
    return feed.state();
  };
  const stream = async (index: number) => {
    await expect.poll(() => streams.length).toBeGreaterThan(index);
    return streams[index]!;
  };
  return { feed, draw, stream, streams, query };
}

const seqs = ({ events, count }: { events: readonly IssueEvent[]; count: number }) =>
  events.slice(0, count).map(({ seq }) => seq);

it('reads the history in pages, then follows the stream from one event before its end', async () => {
  const { feed, draw, stream, query } = setUp(Array.from({ length: 2_500 }, (_, index) => message(index + 1)));
  feed.follow();
  const { after, listener } = await stream(0);
  expect(query).toHaveBeenCalledTimes(3);
  expect(after).toBe(2_499);
  listener.onData({ id: '2500', data: message(2_500) });
  listener.onData({ id: '2501', data: message(2_501) });
  const state = draw();
  expect(state.count).toBe(2_501);
  expect(state.events.every(({ seq }, index) => seq === index + 1)).toBe(true);
});

it('tells its listeners once a frame', async () => {
  const { feed, draw, stream } = setUp([message(1)]);
  const told = vi.fn();
  feed.subscribe(told);
  feed.follow();
  const { listener } = await stream(0);
  for (let seq = 2; seq <= 500; seq += 1) listener.onData({ id: String(seq), data: message(seq) });
  expect(told).not.toHaveBeenCalled();
  expect(draw().count).toBe(500);
  expect(told).toHaveBeenCalledTimes(1);
});

it('goes on after its last event when it is followed again', async () => {
  const { feed, draw, stream } = setUp([message(1), message(2)]);
  const release = feed.follow();
  const first = await stream(0);
  first.listener.onData({ id: '3', data: message(3) });
  release();
  expect(first.isOpen).toBe(false);
  first.listener.onData({ id: '4', data: message(4) });
  feed.follow();
  const second = await stream(1);
  expect(second.after).toBe('3');
  second.listener.onData({ id: '4', data: message(4) });
  expect(seqs(draw())).toEqual([1, 2, 3, 4]);
});

it('does not double what a server sends again after a lost connection', async () => {
  const { feed, draw, stream } = setUp([message(1), message(2)]);
  feed.follow();
  const { listener } = await stream(0);
  for (const seq of [2, 3, 2, 3, 4]) listener.onData({ id: String(seq), data: message(seq) });
  expect(seqs(draw())).toEqual([1, 2, 3, 4]);
});

it('starts over when the installation was restored from a backup', async () => {
  const { feed, draw, stream } = setUp([message(1), message(2), message(3)]);
  feed.follow();
  const { listener } = await stream(0);
  listener.onData({ id: '3', data: message(3) });
  const { history } = draw();
  listener.onData({ id: '2:1', data: message(1, 'restored') });
  const state = draw();
  expect(seqs(state)).toEqual([1]);
  expect(state.history).toBe(history + 1);
});

it('keeps its stream until the last follower is gone', async () => {
  const { feed, stream } = setUp([message(1)]);
  const [release, other] = [feed.follow(), feed.follow()];
  const first = await stream(0);
  release();
  expect(first.isOpen).toBe(true);
  other();
  expect(first.isOpen).toBe(false);
});

it('tries again after an error that passes, and stops at one that does not', async () => {
  const { feed, draw, stream } = setUp([message(1), message(2)]);
  feed.follow();
  (await stream(0)).listener.onError?.('transient');
  const second = await stream(1);
  expect(second.after).toBe(1);
  second.listener.onError?.('refused');
  await expect.poll(() => draw().error).toBe('refused');
});

it('says when the issue has ended, and goes on when more has happened', async () => {
  const { feed, draw, stream } = setUp([message(1)]);
  feed.follow();
  (await stream(0)).listener.onComplete?.();
  await expect.poll(() => draw().phase).toBe('ended');
  feed.resume();
  const second = await stream(1);
  second.listener.onData({ id: '2', data: message(2) });
  expect(seqs(draw())).toEqual([1, 2]);
  expect(draw().phase).toBe('following');
});

it('catches up with what is stored without a stream', async () => {
  const history = [message(1), message(2)];
  const { feed, draw, streams } = setUp(history);
  feed.catchUp();
  await expect.poll(() => seqs(draw())).toEqual([1, 2]);
  await expect.poll(() => draw().phase).toBe('following');
  history.push(message(3));
  feed.catchUp();
  await expect.poll(() => seqs(draw())).toEqual([1, 2, 3]);
  expect(streams).toEqual([]);
});

it('catches up with another history from its beginning, after a restore', async () => {
  const history = [message(1), message(2)];
  const { feed, draw } = setUp(history);
  feed.catchUp();
  await expect.poll(() => draw().phase).toBe('following');
  history.splice(1, 1, { ...message(2, 'restored'), at: '2026-11-21T09:00:00.000Z' } as IssueEvent, message(3));
  feed.catchUp();
  await expect.poll(() => draw().events[1]).toMatchObject({ data: { text: 'restored' } });
  await expect.poll(() => seqs(draw())).toEqual([1, 2, 3]);
});

it('begins its stream when it is followed while it catches up', async () => {
  const { feed, stream, query } = setUp([message(1)]);
  const answer = Promise.withResolvers<never>();
  query.mockReturnValueOnce(answer.promise);
  feed.catchUp();
  feed.follow();
  answer.resolve({ items: [message(1)], next_after: null } as never);
  expect((await stream(0)).isOpen).toBe(true);
});

it('catches up once more with what was stored while it was reading', async () => {
  const history = [message(1)];
  const { feed, draw, query } = setUp(history);
  const answer = Promise.withResolvers<never>();
  query.mockReturnValueOnce(answer.promise);
  feed.catchUp();
  history.push(message(2));
  feed.catchUp();
  answer.resolve({ items: [message(1)], next_after: null } as never);
  await expect.poll(() => seqs(draw())).toEqual([1, 2]);
});
