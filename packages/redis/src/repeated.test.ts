import { expect, it } from 'vitest';
import { createRepeated } from './repeated.ts';

it('says the last word again, also when an earlier one is known to have failed only after it', async () => {
  const said: number[] = [];
  const tries: PromiseWithResolvers<void>[] = [];
  const repeated = createRepeated<number>(({ message }) => {
    said.push(message);
    const tried = Promise.withResolvers<void>();
    tries.push(tried);
    return tried.promise;
  });
  repeated.say({ channel: 'events', about: 'a', message: 1 });
  repeated.say({ channel: 'events', about: 'a', message: 2 });
  const failed = tries.toReversed().map(async ({ promise, reject }) => {
    reject(new Error('away'));
    await promise.catch(() => undefined);
  });
  await Promise.all(failed);
  repeated.sayAgain();
  expect(said).toEqual([1, 2, 2]);
  repeated.sayAgain();
  expect(said).toEqual([1, 2, 2]);
});
