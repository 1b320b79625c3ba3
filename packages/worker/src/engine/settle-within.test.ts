import { expect, it } from 'vitest';
import { settleWithin } from './settle-within.ts';

const never = new Promise<never>(() => undefined);

it('gives back what the work gives, also when it ends after the abort', async () => {
  const controller = new AbortController();
  const work = new Promise<string>((resolve) => {
    controller.signal.addEventListener('abort', () => setImmediate(() => resolve('done')));
  });
  const settled = settleWithin(work, controller.signal, 60_000);
  controller.abort(new Error('stop'));
  expect(await settled).toBe('done');
});

it('goes on without work that ignores its signal, with the reason of the abort', async () => {
  const controller = new AbortController();
  const settled = settleWithin(never, controller.signal, 5);
  controller.abort(new Error('stop'));
  await expect(settled).rejects.toThrow('stop');
});

it('waits no longer than that for work that is begun after the abort', async () => {
  await expect(settleWithin(never, AbortSignal.abort(new Error('stop')), 5)).rejects.toThrow('stop');
});
