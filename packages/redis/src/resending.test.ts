import { expect, it } from 'vitest';
import { createResending } from './resending.ts';

it('sends the last message again, even when an earlier one fails after it', async () => {
  const said: number[] = [];
  const tries: PromiseWithResolvers<void>[] = [];
  const resending = createResending<number>(({ message }) => {
    said.push(message);
    const tried = Promise.withResolvers<void>();
    tries.push(tried);
    return tried.promise;
  });
  resending.send({ channel: 'events', about: 'a', message: 1 });
  resending.send({ channel: 'events', about: 'a', message: 2 });
  const failed = tries.toReversed().map(async ({ promise, reject }) => {
    reject(new Error('away'));
    await promise.catch(() => undefined);
  });
  await Promise.all(failed);
  resending.resend();
  expect(said).toEqual([1, 2, 2]);
  resending.resend();
  expect(said).toEqual([1, 2, 2]);
});
