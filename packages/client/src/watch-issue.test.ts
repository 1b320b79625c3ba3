import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openStage, type Stage } from '../test/open-stage.ts';
import type { StreamListener } from './call.ts';
import type { SluiceClient } from './create-sluice-client.ts';
import { SluiceError } from './sluice-error.ts';
import { watchIssue } from './watch-issue.ts';

const expectNoWatcher = (stage: Stage) => expect.poll(() => stage.watchers()).toBe(0);

it('gives the history, then new events, and ends with the stream', async () => {
  await using stage = await openStage([1, 2]);
  const seen: unknown[] = [];
  for await (const event of watchIssue(stage.client, 'id', {})) {
    seen.push(event);
    if (seen.length === 2) stage.sequence.emit('event', 3);
    if (seen.length === 3) stage.sequence.emit('event', null);
  }
  expect(seen).toEqual([{ seq: 1 }, { seq: 2 }, { seq: 3 }]);
  await expectNoWatcher(stage);
});

it('resumes after the last event when the connection drops', async () => {
  await using stage = await openStage([1, 2]);
  const seen: number[] = [];
  for await (const event of watchIssue(stage.client, 'id', {})) {
    seen.push((event as { seq: number }).seq);
    if (seen.length === 2) {
      stage.dropConnections();
      stage.sequence.emit('event', 3);
    }
    if (seen.length === 3) {
      await expect.poll(() => stage.watchers()).toBe(1);
      stage.sequence.emit('event', 4);
      stage.sequence.emit('event', null);
    }
  }
  expect(seen).toEqual([1, 2, 3, 4]);
});

it.each([
  ['from the beginning', 0, ['1', '2', '1', '2', 'b:1', 'b:1', 'b:2'], ['1', '2', 'b:1', 'b:2']],
  ['after an event', 2, ['a:2', 'a:3', 'a:1', 'a:3', 'b:1', 'b:2'], ['a:3', 'b:1', 'b:2']],
  ['after an event that is not in the history any more', 7, ['b:1', 'b:1', 'b:2'], ['b:1', 'b:2']],
])('gives an event of a history once, and again after a restore, %s', async (...[, after, sent, given]) => {
  const client = {
    issues: {
      events: {
        subscribe(_input: unknown, listener: StreamListener<unknown>) {
          for (const id of sent) listener.onData({ id, data: { seq: Number(id.split(':').at(-1)), id } });
          listener.onComplete?.();
          return { unsubscribe() {} };
        },
      },
    },
  } as unknown as SluiceClient;
  const seen: unknown[] = [];
  for await (const event of watchIssue(client, 'id', { after })) seen.push((event as unknown as { id: string }).id);
  expect(seen).toEqual(given);
});

it('sends the session cookie, and the renewed one later', async () => {
  await using stage = await openStage([1]);
  for (let time = 0; time < 2; time += 1) {
    for await (const _ of watchIssue(stage.client, 'id', {})) break;
  }
  expect(stage.cookies).toEqual(['access_token=kept', 'access_token=renewed']);
});

it('throws the error of the server', async () => {
  await using stage = await openStage();
  const refused = await watchIssue(stage.client, 'unknown', {})
    .next()
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(SluiceError);
  expect(refused).toMatchObject({ code: 'issue_not_found', detail: 'There is none.' });
});

it('throws when too many streams are open, with the retry delay', async () => {
  await using stage = await openStage([1]);
  stage.refuseStreams(1);
  const refused = await watchIssue(stage.client, 'id', {})
    .next()
    .catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'too_many_streams', status: 429, retryAfterMs: 0 });
});

it('retries after the delay of the server when too many streams are open after a lost connection', async () => {
  await using stage = await openStage([1, 2]);
  const seen: number[] = [];
  const states: string[] = [];
  for await (const event of watchIssue(stage.client, 'id', { onConnection: (state) => states.push(state) })) {
    seen.push((event as { seq: number }).seq);
    if (seen.length === 2) {
      stage.refuseStreams(2);
      stage.dropConnections();
      stage.sequence.emit('event', 3);
    }
    if (seen.length === 3) stage.sequence.emit('event', null);
  }
  expect(seen).toEqual([1, 2, 3]);
  expect(states).toContain('lost');
  await expectNoWatcher(stage);
});

it.each([
  ['it learns that too many streams are open', 2],
  ['it retries after that', 3],
])('closes the stream when it is unsubscribed while %s', async (_, times) => {
  await using stage = await openStage([1]);
  let lost = 0;
  const stream = stage.client.issues.events.subscribe(
    { id: 'id' },
    {
      onData: () => {
        if (stage.cookies.length > 1) return;
        stage.refuseStreams(1);
        stage.dropConnections();
      },
      onConnection: (state) => {
        if (state === 'lost') lost += 1;
        if (lost === times) stream.unsubscribe();
      },
    },
  );
  await expect.poll(() => lost, { timeout: 10_000 }).toBe(times);
  // Another stream opens and closes; this one would have been back before.
  for await (const _ of watchIssue(stage.client, 'id', {})) break;
  await expectNoWatcher(stage);
});

it('lets go of the stream while it is far behind, and misses no event', async () => {
  const count = 3_500;
  await using stage = await openStage(Array.from({ length: count }, (_, at) => at + 1));
  const events = watchIssue(stage.client, 'id', {});
  const seen = [((await events.next()).value as { seq: number }).seq];
  await expectNoWatcher(stage); // the loop is slow, so a bounded number of events waits for it
  while (seen.length < count) seen.push(((await events.next()).value as { seq: number }).seq);
  expect(seen).toEqual(Array.from({ length: count }, (_, at) => at + 1));
  expect(stage.cookies.length).toBeGreaterThan(1); // it subscribed again
  await events.return();
  await expectNoWatcher(stage);
});

it('sends no request when it is aborted before', async () => {
  await using stage = await openStage([1]);
  const reason = new Error('no more');
  await expect(watchIssue(stage.client, 'id', { signal: AbortSignal.abort(reason) }).next()).rejects.toBe(reason);
  expect(stage.cookies).toEqual([]);
});

it('stops waiting when it is aborted, and closes the stream', async () => {
  await using stage = await openStage([1]);
  const controller = new AbortController();
  const reason = new Error('no more');
  const events = watchIssue(stage.client, 'id', { signal: controller.signal });
  await events.next();
  const waiting = events.next();
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expectNoWatcher(stage);
});

it('gives no waiting event after it was aborted', async () => {
  await using stage = await openStage([1, 2, 3]);
  const controller = new AbortController();
  const events = watchIssue(stage.client, 'id', { signal: controller.signal });
  await events.next();
  controller.abort();
  await expect(events.next()).rejects.toThrow(/aborted/);
});

it('closes the stream when the loop is left', async () => {
  await using stage = await openStage([1]);
  for await (const _ of watchIssue(stage.client, 'id', {})) break;
  await expectNoWatcher(stage);
});

it('keeps a program alive that waits for an unreachable server', async () => {
  const program = `import { createSluiceClient, watchIssue } from ${JSON.stringify(new URL('./index.ts', import.meta.url))};
    process.send('watching');
    await watchIssue(createSluiceClient({ url: 'http://127.0.0.1:2' }), 'id').next();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  await once(child, 'message');
  child.disconnect(); // only the watch keeps the program alive
  const ended = once(child, 'exit');
  expect(await Promise.race([ended, sleep(1_500, 'alive')]), errors).toBe('alive');
  child.kill();
  await ended;
});
