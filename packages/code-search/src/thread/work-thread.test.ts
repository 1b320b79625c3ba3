import { expect, it } from 'vitest';
import { WorkThread } from './work-thread.ts';

type Echo = {
  readonly say: { readonly in: string; readonly out: string };
  readonly close: { readonly in: Record<never, never>; readonly out: null };
};

it('counts the time of a call from when its thread is up, however long that takes to start', async () => {
  const thread = new WorkThread<Echo>({
    script: new URL('./test/slow-start.ts', import.meta.url),
    name: 'slow-start',
    subject: 'The thread',
    timeoutMs: 2_000,
    memoryMb: 32,
  });
  expect(await Promise.all(['one', 'two'].map((word) => thread.call('say', word)))).toEqual(['one', 'two']);
  expect(await thread.call('say', 'three')).toBe('three');
  await thread.close();
});
