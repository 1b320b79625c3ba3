import { eventually } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { CHECK_MS, type Outage, outliveOutage, recovers, timed, useOutages } from '../outage-scene.ts';

// Usual way: apps/server/test/outage.test.ts

const scene = useOutages();
const { services, openCase } = scene;

/** Each wait for the database gives up after 10 s, and some waits follow each other: within the grace period of 30 s on a quiet machine. */
const STOP_MS = 90_000;

const databaseHangs: Outage = {
  how: 'hangs',
  away: async () => services().postgres.freeze(),
  back: async () => services().postgres.thaw(),
};

describe('a service whose database', () => {
  it.each([databaseHangs])(
    '$how answers 503 within seconds, and recovers when it is back',
    async (outage) => await outliveOutage(scene, outage),
  );

  it('hangs still stops in order on SIGTERM', async () => {
    const { api } = await openCase();
    services().postgres.freeze();
    services().redis.freeze();
    try {
      const stopped = await timed(() => api.stop());
      expect(stopped.answer).toBe(0);
      expect(stopped.ms).toBeLessThan(STOP_MS);
    } finally {
      services().postgres.thaw();
      services().redis.thaw();
    }
  });

  it('ends every connection still answers, and the stream goes on', async () => {
    const { person, id } = await openCase();
    const following = person.events(id);
    await services().postgres.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'sluice%'`,
    );
    expect((await person.call('GET', `/api/issues/${id}`)).status).toBe(200);
    await recovers(person, id);
    const seen = (await following).flatMap((event) => ('seq' in event ? [event.seq] : []));
    expect(seen).toEqual(seen.map((_seq, index) => index + 1));
  });
});

const cacheOutages: readonly Outage[] = [
  { how: 'is gone', away: () => services().redis.kill(), back: () => services().redis.start() },
  { how: 'hangs', away: async () => services().redis.freeze(), back: async () => services().redis.thaw() },
];

describe('a service whose cache', () => {
  it.each(cacheOutages)('$how is not ready, but still does everything', async (outage) => {
    const { person, id } = await openCase();
    await outage.away();
    try {
      await eventually(async () => {
        const ready = await timed(() => person.call('GET', '/api/health/ready'));
        expect(ready.answer).toMatchObject({ status: 503, body: { detail: 'Not usable: cache.' } });
        expect(ready.ms).toBeLessThan(CHECK_MS);
      });
      expect((await person.call('GET', '/api/health/live')).status).toBe(200);
      const decided = await person.call('POST', `/api/issues/${id}/approve`, { action: 'approve' });
      expect(decided.status).toBe(200);
      await person.reaches(id, 'completed');
      const wrong = { email: 'nobody@example.com', password: 'not the right one' };
      expect((await person.call('POST', '/api/auth/login', wrong)).status).toBe(401);
    } finally {
      await outage.back();
    }
    await eventually(async () => expect((await person.call('GET', '/api/health/ready')).status).toBe(200), 100);
  });
});
