import { createMemoryLimiter } from '@sluice/redis';
import { expect, it } from 'vitest';
import { createLoginDelay } from './login-delay.ts';

const ADA = 'ada@example.com';
const { signal } = new AbortController();

/** A delay at which logins at Ada's e-mail have failed, whose waits end when the test says so. */
async function failing(times: number) {
  const asked: number[] = [];
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const delay = createLoginDelay(createMemoryLimiter(), (ms) => {
    asked.push(ms);
    return over;
  });
  for (let time = 0; time < times; time += 1) await delay.noteFailure(ADA);
  return { delay, asked, end };
}

it('lets the first few failures pass', async () => {
  const { delay, asked } = await failing(4);
  await delay.wait(ADA, signal);
  expect(asked).toEqual([]);
});

it('slows the logins at one e-mail after some have failed there, and no others', async () => {
  const { delay, asked, end } = await failing(12);
  end();
  await delay.wait('eve@example.com', signal);
  await delay.wait(ADA, signal);
  expect(asked).toEqual([4_000]);
});

it('bounds the number of waiting logins, and locks no user out beyond it', async () => {
  const { delay, asked, end } = await failing(20);
  let gone = 0;
  const waits = Array.from({ length: 300 }, async () => {
    await delay.wait(ADA, signal);
    gone += 1;
  });
  await expect.poll(() => [asked.length, gone]).toEqual([256, 44]);
  end();
  await Promise.all(waits);
  await delay.wait(ADA, signal);
  expect(asked).toHaveLength(257);
});

it('does not wait for clients that have left', async () => {
  const delay = createLoginDelay({ failedLogins: async () => 20, noteFailedLogin: async () => undefined });
  const left = new AbortController();
  const wait = delay.wait(ADA, left.signal);
  left.abort();
  await expect(wait).rejects.toMatchObject({ name: 'AbortError' });
});
