import type { IssueWire, RepoWire } from '@sluice/core';
import { eventually } from '@sluice/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type HttpSession, signUp } from './http-session.ts';
import { fixingIssue, makeBuggyRepo } from './scratch-repo.ts';
import { type ServiceProcess, startProcess } from './service-process.ts';
import { type SharedServices, startSharedServices } from './shared-services.ts';

let services: SharedServices;
const processes: ServiceProcess[] = [];

beforeAll(async () => {
  services = await startSharedServices();
});
afterEach(async () => {
  for (const one of processes.splice(0)) await one.kill();
});
afterAll(() => services[Symbol.asyncDispose]());

/** A process, and a user with an issue that waits at its gate. */
async function openCase(): Promise<{ api: ServiceProcess; person: HttpSession; id: string }> {
  const api = await startProcess(await services.installation());
  processes.push(api);
  const person = await signUp(api.url);
  const registered = await person.call<RepoWire>('POST', '/api/repos', { url: makeBuggyRepo().path });
  const body = { repo_id: registered.body.id, ...fixingIssue };
  const created = await person.call<IssueWire>('POST', '/api/issues', body);
  await person.reaches(created.body.id, 'awaiting_approval');
  return { api, person, id: created.body.id };
}

async function timed<T>(act: () => Promise<T>): Promise<{ answer: T; ms: number }> {
  const began = performance.now();
  return { answer: await act(), ms: performance.now() - began };
}

/** Everything works again without a restart. */
async function recovers(person: HttpSession, id: string): Promise<void> {
  await eventually(async () => expect((await person.call('GET', '/api/health/ready')).status).toBe(200), 100);
  expect((await person.call('POST', `/api/issues/${id}/approve`, { action: 'approve' })).status).toBe(200);
  await person.reaches(id, 'completed');
}

/** A health check gives up after 2 s; one that waited for the connection pool would take 10 s. */
const CHECK_MS = 8_000;
const SECONDS_MS = 60_000; // generous, for a busy machine: only a hang takes longer

const outages = [
  { how: 'is gone', away: () => services.postgres.kill(), back: () => services.postgres.start() },
  { how: 'hangs', away: async () => services.postgres.freeze(), back: async () => services.postgres.thaw() },
];
/** Each wait for the database gives up after 10 s, and some waits follow each other: within the grace period of 30 s on a quiet machine. */
const STOP_MS = 90_000;

describe('a service whose database', () => {
  it.each(outages)('$how answers 503 within seconds, and recovers when it is back', async (outage) => {
    const { person, id } = await openCase();
    await outage.away();
    try {
      const live = await person.call('GET', '/api/health/live');
      expect(live.status).toBe(200);
      // The code index is in the same Postgres.
      const detail = 'Not usable: database, vector_store.';
      await eventually(async () => {
        const ready = await timed(() => person.call('GET', '/api/health/ready'));
        expect(ready.answer).toMatchObject({ status: 503, body: { detail, status: 'down' } });
        expect(ready.ms).toBeLessThan(CHECK_MS);
      });
      const requests: [string, string, unknown?][] = [
        ['GET', '/api/auth/me'],
        ['GET', '/api/issues'],
        ['GET', `/api/issues/${id}`],
        ['GET', `/api/issues/${id}/events`],
        ['POST', `/api/issues/${id}/approve`, { action: 'approve' }],
        ['POST', '/api/auth/login', { email: 'nobody@example.com', password: 'not the right one' }],
      ];
      const answers = await Promise.all(
        requests.map(([method, path, body]) => timed(() => person.call(method, path, body))),
      );
      for (const [index, { answer, ms }] of answers.entries()) {
        expect(answer, String(requests[index])).toMatchObject({
          status: 503,
          body: { detail: expect.any(String), code: 'not_ready' },
        });
        expect(ms, String(requests[index])).toBeLessThan(SECONDS_MS);
      }
    } finally {
      await outage.back();
    }
    await recovers(person, id);
  });

  it('hangs still stops in order on SIGTERM', async () => {
    const { api } = await openCase();
    services.postgres.freeze();
    services.redis.freeze();
    try {
      const stopped = await timed(() => api.stop());
      expect(stopped.answer).toBe(0);
      expect(stopped.ms).toBeLessThan(STOP_MS);
    } finally {
      services.postgres.thaw();
      services.redis.thaw();
    }
  });

  it('ends every connection still answers, and the stream goes on', async () => {
    const { person, id } = await openCase();
    const following = person.events(id);
    await services.postgres.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'sluice%'`,
    );
    expect((await person.call('GET', `/api/issues/${id}`)).status).toBe(200);
    await recovers(person, id);
    const seen = (await following).flatMap((event) => ('seq' in event ? [event.seq] : []));
    expect(seen).toEqual(seen.map((_seq, index) => index + 1));
  });
});

const cacheOutages = [
  { how: 'is gone', away: () => services.redis.kill(), back: () => services.redis.start() },
  { how: 'hangs', away: async () => services.redis.freeze(), back: async () => services.redis.thaw() },
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
