import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openStage, type Stage } from '../test/open-stage.ts';
import { SluiceError } from './sluice-error.ts';
import { watchIssue } from './watch-issue.ts';

const nobodyWatches = (stage: Stage) => expect.poll(() => stage.watchers()).toBe(0);

it('gives what was written before, then what comes, and ends with the stream', async () => {
  await using stage = await openStage([1, 2]);
  const seen: unknown[] = [];
  for await (const event of watchIssue(stage.client, 'id', {})) {
    seen.push(event);
    if (seen.length === 2) stage.sequence.emit('event', 3);
    if (seen.length === 3) stage.sequence.emit('event', null);
  }
  expect(seen).toEqual([{ seq: 1 }, { seq: 2 }, { seq: 3 }]);
  await nobodyWatches(stage);
});

it('goes on after the last event that it saw when the connection drops', async () => {
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

it('sends the session, and the one that it was given since', async () => {
  await using stage = await openStage([1]);
  for (let time = 0; time < 2; time += 1) {
    for await (const _ of watchIssue(stage.client, 'id', {})) break;
  }
  expect(stage.cookies).toEqual(['access_token=kept', 'access_token=renewed']);
});

it('throws what the server refused with', async () => {
  await using stage = await openStage();
  const refused = await watchIssue(stage.client, 'unknown', {})
    .next()
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(SluiceError);
  expect(refused).toMatchObject({ code: 'issue_not_found', detail: 'There is none.' });
});

it('throws when too many streams are open, and says when to come again', async () => {
  await using stage = await openStage([1]);
  stage.refuseStreams(1);
  const refused = await watchIssue(stage.client, 'id', {})
    .next()
    .catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'too_many_streams', status: 429, retryAfterMs: 0 });
});

it('comes again in the time that the server says when too many streams are open after a lost connection', async () => {
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
  await nobodyWatches(stage);
});

it.each([
  ['it hears that too many streams are open', 2],
  ['it comes again after that', 3],
])('lets go of the stream when it is unsubscribed as %s', async (_, times) => {
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
  // Another stream comes and goes; this one would have come before.
  for await (const _ of watchIssue(stage.client, 'id', {})) break;
  await nobodyWatches(stage);
});

it('asks nothing of the server when it is aborted before', async () => {
  await using stage = await openStage([1]);
  const reason = new Error('no more');
  await expect(watchIssue(stage.client, 'id', { signal: AbortSignal.abort(reason) }).next()).rejects.toBe(reason);
  expect(stage.cookies).toEqual([]);
});

it('stops waiting when it is aborted, and lets go of the stream', async () => {
  await using stage = await openStage([1]);
  const controller = new AbortController();
  const reason = new Error('no more');
  const events = watchIssue(stage.client, 'id', { signal: controller.signal });
  await events.next();
  const waiting = events.next();
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await nobodyWatches(stage);
});

it('gives no event that still waited when it was aborted', async () => {
  await using stage = await openStage([1, 2, 3]);
  const controller = new AbortController();
  const events = watchIssue(stage.client, 'id', { signal: controller.signal });
  await events.next();
  controller.abort();
  await expect(events.next()).rejects.toThrow(/aborted/);
});

it('lets go of the stream when its reader leaves', async () => {
  await using stage = await openStage([1]);
  for await (const _ of watchIssue(stage.client, 'id', {})) break;
  await nobodyWatches(stage);
});

it('keeps a program alive that waits for a server which is away', async () => {
  const program = `import { createSluiceClient, watchIssue } from ${JSON.stringify(new URL('./index.ts', import.meta.url))};
    process.send('watching');
    await watchIssue(createSluiceClient({ url: 'http://127.0.0.1:2' }), 'id').next();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  await once(child, 'message');
  child.disconnect(); // nothing but the watch is left to do
  const ended = once(child, 'exit');
  expect(await Promise.race([ended, sleep(1_500, 'alive')]), said).toBe('alive');
  child.kill();
  await ended;
});
