import type { IssueWire } from '@sluice/core/issue';
import { eventually } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { useFleet } from '../fleet.ts';
import { signUp } from '../http-session.ts';
import { createIssues, isGapless } from '../several-processes-scene.ts';

// Usual way: apps/server/test/several-processes.test.ts

const { services, start } = useFleet();

const SECONDS_MS = 10_000; // on a busy machine; a stream by itself looks at the rows every 15 s

describe('several processes on one database', () => {
  it('that share a database alone show each other’s events within seconds', async () => {
    const { REDIS_URL: _, ...environment } = await services().installation();
    const api = await start({ ...environment, ROLE: 'api' });
    await start({ ...environment, ROLE: 'worker' });
    const person = await signUp(api.url);
    const [work] = await createIssues(person, 1);
    const id = work?.id ?? '';
    const shown = person.reaches(id, 'awaiting_approval').then(() => performance.now());
    await eventually(async () => {
      const { body } = await person.call<IssueWire>('GET', `/api/issues/${id}`);
      expect(body.status).toBe('awaiting_approval');
    }, 100);
    const written = performance.now();
    expect((await shown) - written).toBeLessThan(SECONDS_MS);
  });

  it('count requests together', async () => {
    const environment = await services().installation();
    const [one, other] = [await start({ ...environment, ROLE: 'api' }), await start({ ...environment, ROLE: 'api' })];
    const person = await signUp(one.url);
    const sessions = [person, person.at(other.url)];
    // One that has not reached Redis yet counts alone.
    for (const session of sessions)
      await eventually(async () => expect((await session.call('GET', '/api/health/ready')).status).toBe(200));
    const statuses: number[] = [];
    for (let number = 0; number < 8; number += 1) {
      const wrong = { email: 'nobody@example.com', password: 'not the right one' };
      statuses.push((await sessions[number % 2]?.call('POST', '/api/auth/login', wrong))?.status ?? 0);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
  });

  it('finish what a worker had begun that was killed, on another host, with nothing done twice', async () => {
    const environment = await services().installation();
    const api = await start({ ...environment, ROLE: 'api' });
    const doomed = await start({ ...environment, ROLE: 'worker' });
    const person = await signUp(api.url);
    // A test that takes its time, so that the kill meets the middle of a stage.
    const slow = `sleep 2; grep -qx fixed value.txt || { echo 'not ok 1 - value is fixed'; exit 1; }; echo 'ok 1 - value is fixed'\n`;
    const work = await createIssues(person, 3, slow);
    for (const { id } of work) {
      await person.reaches(id, 'awaiting_approval');
      await person.call('POST', `/api/issues/${id}/approve`, { action: 'approve' });
    }
    const streams = work.map(({ id }) => person.events(id));
    await person.events(work[0]?.id ?? '', (event) => event.type === 'command.started');
    await doomed.kill();
    await start({ ...environment, ROLE: 'worker' });
    for (const [index, { id, repo }] of work.entries()) {
      const events = (await streams[index]) ?? [];
      isGapless(events);
      expect(events.at(-1)).toMatchObject({ type: 'issue.status', data: { to: 'completed' } });
      const ended = events.flatMap((event) => (event.type === 'stage.completed' ? [event.data.stage] : []));
      expect(ended).toEqual(['prepare', 'index', 'triage', 'plan', 'implement', 'test', 'review', 'publish']);
      const { result } = await person.issue(id);
      expect(repo.git('branch', '--list', 'sluice/*', '--format=%(refname:short)')).toBe(result?.branch);
      expect(repo.git('rev-list', '--count', `main..${result?.branch}`)).toBe('1');
    }
  });
});
