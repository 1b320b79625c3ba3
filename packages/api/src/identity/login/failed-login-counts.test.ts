import { settableClock } from '@sluice/testing';
import { expect, it } from 'vitest';
import { createFailedLoginCounts } from './failed-login-counts.ts';

type Counted = { email: string; day: string; count: number };

function scene(write: () => Promise<void> = async () => undefined) {
  const written: Counted[][] = [];
  const warned: string[] = [];
  const clock = settableClock(new Date('2026-11-20T23:59:59.000Z'));
  const counts = createFailedLoginCounts({
    users: {
      addFailedLogins: async (counted) => {
        await write();
        written.push(counted.map((one) => ({ ...one })));
      },
    },
    clock,
    log: { warn: (_fields, message) => void warned.push(message) },
  });
  return { counts, written, warned, clock };
}

it('adds up by e-mail and day, and writes once for many', async () => {
  const { counts, written, clock } = scene();
  for (const email of ['ada', 'eve', 'ada']) counts.note(email);
  clock.advance(2_000);
  counts.note('ada');
  await counts.flush();
  await counts.flush();
  expect(written).toEqual([
    [
      { email: 'ada', day: '2026-11-20', count: 2 },
      { email: 'eve', day: '2026-11-20', count: 1 },
      { email: 'ada', day: '2026-11-21', count: 1 },
    ],
  ]);
});

it('keeps a bounded number of e-mails between two writes', async () => {
  const { counts, written } = scene();
  for (let time = 0; time < 5_000; time += 1) counts.note(`stranger-${time}`);
  counts.note('stranger-0');
  await counts.flush();
  expect(written[0]).toHaveLength(1_000);
  expect(written[0]?.[0]).toMatchObject({ email: 'stranger-0', count: 2 });
});

it('drops counts that cannot be written, logs it, and continues', async () => {
  let isAway = true;
  const { counts, written, warned } = scene(async () => {
    if (isAway) throw new Error('away');
  });
  counts.note('ada');
  await counts.flush();
  isAway = false;
  counts.note('eve');
  await counts.flush();
  expect(warned).toEqual(['failed logins could not be counted']);
  expect(written).toEqual([[{ email: 'eve', day: '2026-11-20', count: 1 }]]);
});
