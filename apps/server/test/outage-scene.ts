import { eventually } from '@sluice/testing';
import { expect } from 'vitest';
import { anIssueAtGate } from './an-issue.ts';
import { type Fleet, useFleetOfItsOwn } from './fleet.ts';
import { type HttpSession, signUp } from './http-session.ts';
import type { ServiceProcess } from './service-process.ts';
import type { OwnServices } from './shared-services.ts';

/** How a service goes away and comes back. */
export interface Outage {
  readonly how: string;
  readonly away: () => Promise<void>;
  readonly back: () => Promise<void>;
}

interface OutageScene {
  readonly services: Fleet<OwnServices>['services'];
  /** A process, and a user with an issue that waits at its gate. */
  openCase(): Promise<{ api: ServiceProcess; person: HttpSession; id: string }>;
}

/** Sets up the services of the test file that calls it, and processes that end with each test. */
export function useOutages(): OutageScene {
  const { services, start } = useFleetOfItsOwn();
  return {
    services,
    openCase: async () => {
      const api = await start(await services().installation());
      const person = await signUp(api.url);
      const { id } = await anIssueAtGate(person);
      return { api, person, id };
    },
  };
}

export async function timed<T>(act: () => Promise<T>): Promise<{ answer: T; ms: number }> {
  const began = performance.now();
  return { answer: await act(), ms: performance.now() - began };
}

/** Everything works again without a restart. */
export async function recovers(person: HttpSession, id: string): Promise<void> {
  await eventually(async () => expect((await person.call('GET', '/api/health/ready')).status).toBe(200), 100);
  expect((await person.call('POST', `/api/issues/${id}/approve`, { action: 'approve' })).status).toBe(200);
  await person.reaches(id, 'completed');
}

/** A health check gives up after 2 s; one that waited for the connection pool would take 10 s. */
export const CHECK_MS = 8_000;
const SECONDS_MS = 60_000; // generous, for a busy machine: only a hang takes longer

/** Goes through an outage of the database, in which every request is answered with 503, and out of it again. */
export async function outliveOutage(scene: OutageScene, outage: Outage): Promise<void> {
  const { person, id } = await scene.openCase();
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
}
