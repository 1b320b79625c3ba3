import { eventually } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { useFleet } from './fleet.ts';
import { signUp } from './http-session.ts';
import { createIssues, isGapless } from './several-processes-scene.ts';

const { services, start } = useFleet();

describe('several processes on one database', () => {
  it('share the work: who answers works on nothing, who works answers for its health alone', async () => {
    const environment = await services().installation();
    const [api, worker] = [
      await start({ ...environment, ROLE: 'api' }),
      await start({ ...environment, ROLE: 'worker' }),
    ];
    const person = await signUp(api.url);
    const [work] = await createIssues(person, 1);
    if (work === undefined) throw new Error('no issue');
    const following = await person.following(work.id, 'awaiting_approval');
    await person.reaches(work.id, 'awaiting_approval');
    expect((await person.call('POST', `/api/issues/${work.id}/approve`, { action: 'approve' })).status).toBe(200);
    const events = await following.all;
    isGapless(events);
    // Live output of the worker's commands came through to the process that streams.
    expect(events.some(({ type }) => type === 'command.output')).toBe(true);
    expect((await person.issue(work.id)).result?.tests).toMatchObject({ verdict: 'green' });
    const elsewhere = person.at(worker.url);
    await eventually(async () => expect((await elsewhere.call('GET', '/api/health/ready')).status).toBe(200));
    expect((await elsewhere.call('GET', `/api/issues/${work.id}`)).status).toBe(404);
    expect(await api.stop()).toBe(0);
    expect(await worker.stop()).toBe(0);
  });

  it('ends a session in all processes when it ends in one', async () => {
    const environment = await services().installation();
    const [one, other] = [await start({ ...environment, ROLE: 'api' }), await start({ ...environment, ROLE: 'api' })];
    const person = await signUp(one.url);
    const elsewhere = person.at(other.url);
    expect((await elsewhere.call('GET', '/api/auth/me')).status).toBe(200);
    expect((await person.call('POST', '/api/auth/logout')).status).toBe(204);
    expect((await elsewhere.call('GET', '/api/auth/me')).status).toBe(401);
  });
});
