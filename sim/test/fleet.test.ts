import { until } from '@sluice/testing';
import { expect, it } from 'vitest';
import { countingIds } from '../src/counting-ids.ts';
import { createDatabases } from '../src/database.ts';
import { createFleet } from '../src/fleet.ts';
import { createOutside } from '../src/outside.ts';
import { createRandom } from '../src/random.ts';
import { createSignalsNet } from '../src/signals-net.ts';
import { stopFaults, USUAL_FAULTS } from '../src/sim-faults.ts';
import { createSimProcess, type SimProcess } from '../src/sim-process.ts';
import { createRealSchedule } from './real-schedule.ts';

const PACE = { leaseMs: 1_000, maintenanceMs: 1_000, longestFreezeMs: 1, longestCutMs: 1, longestRestartMs: 1 };

it('ends with every process that it has started, also after one whose start failed twice', async () => {
  using databases = await createDatabases();
  const clock = { now: () => new Date() };
  const database = await databases.open({ clock });
  const { stores } = database;
  const [schedule, random, faults] = [createRealSchedule(), createRandom(1), { ...USUAL_FAULTS }];
  stopFaults(faults);
  const world = { schedule, random, faults };
  const started: SimProcess[] = [];
  const refused = () => Promise.reject(new Error('The queue is away.'));
  const fleet = createFleet(
    {
      ...world,
      stores,
      outside: createOutside(world, { onSent: () => undefined, onViolation: expect.fail }),
      api: createSimProcess(world, 'api'),
      ids: countingIds(),
      clock,
      cipher: { encrypt: () => ({ encrypted: '', nonce: '' }), decrypt: () => 'token' },
      signalsOf: createSignalsNet(world).of,
    },
    {
      hosts: 1,
      isEmbedded: false,
      isDiskShared: false,
      pace: PACE,
      onBug: (error) => expect.fail(String(error)),
      attach: (process) => {
        started.push(process);
        const start = started.length < 3 ? refused : async () => undefined;
        return {
          stores,
          driver: { start, stop: async () => undefined, silentMs: () => 0, runnable: () => undefined },
          detach: () => undefined,
        };
      },
    },
  );
  await until('the third one has been started', () => started.length === 3);
  fleet.end();
  expect(started.map((process) => process.isDead())).toEqual([true, true, true]);
  await until('the store rests', () => !database.isBusy());
  await database.close();
});
