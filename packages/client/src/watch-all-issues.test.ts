import { expect, it } from 'vitest';
import { openStage } from '../test/open-stage.ts';
import type { Connection } from './call.ts';
import { watchAllIssues } from './watch-all-issues.ts';

const seqOf = ({ event }: { event: object }) => (event as { seq: number }).seq;

it('resumes after the last event when the connection drops, and gives none twice', async () => {
  await using stage = await openStage([1, 2]);
  const seen: number[] = [];
  const states: Connection[] = [];
  for await (const item of watchAllIssues(stage.client, { after: '0', onConnection: (state) => states.push(state) })) {
    seen.push(seqOf(item));
    if (seen.length === 2) {
      stage.dropConnections();
      stage.sequence.emit('event', 3);
    }
    if (seen.length === 3) break;
  }
  expect(seen).toEqual([1, 2, 3]);
  expect(states).toEqual(['connecting', 'open', 'lost', 'open']);
  await expect.poll(() => stage.watchers()).toBe(0);
});

it('gives with every event the token that resumes after it', async () => {
  await using stage = await openStage([1, 2, 3]);
  let after = '0';
  for await (const item of watchAllIssues(stage.client, { after })) {
    after = item.after;
    if (seqOf(item) === 2) break;
  }
  // The server may repeat the last one.
  const seen: number[] = [];
  for await (const item of watchAllIssues(stage.client, { after })) {
    seen.push(seqOf(item));
    if (seqOf(item) === 3) break;
  }
  expect([after, seen.at(-1)]).toEqual(['2', 3]);
});

it('throws the error of the server', async () => {
  await using stage = await openStage();
  const refused = watchAllIssues(stage.client, { after: 'mangled' }).next();
  await expect(refused).rejects.toMatchObject({ name: 'SluiceError', code: 'issue_not_found' });
});

it('ends when its signal aborts while it waits', async () => {
  await using stage = await openStage();
  const controller = new AbortController();
  const waiting = watchAllIssues(stage.client, { signal: controller.signal }).next();
  await expect.poll(() => stage.watchers()).toBe(1);
  const reason = new Error('no more');
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect.poll(() => stage.watchers()).toBe(0);
});
