import type { IssueEvent, IssueWire, LiveEvent, RepoWire } from '@sluice/core';
import { eventually } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { useFleet } from './fleet.ts';
import { type HttpSession, signUp } from './http-session.ts';
import { fixingIssue, makeBuggyRepo, type ScratchRepo } from './scratch-repo.ts';

const { services, start } = useFleet();

const SECONDS_MS = 10_000; // on a busy machine; a stream by itself looks at the rows every 15 s

interface Work {
  readonly repo: ScratchRepo;
  readonly id: string;
}

async function createIssues(person: HttpSession, count: number, testScript?: string): Promise<Work[]> {
  const work: Work[] = [];
  for (let number = 0; number < count; number += 1) {
    const repo = makeBuggyRepo(testScript === undefined ? {} : { testScript });
    const registered = await person.call<RepoWire>('POST', '/api/repos', { url: repo.path });
    const created = await person.call<IssueWire>('POST', '/api/issues', {
      repo_id: registered.body.id,
      ...fixingIssue,
    });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    work.push({ repo, id: created.body.id });
  }
  return work;
}

function isGapless(events: readonly (IssueEvent | LiveEvent)[]): void {
  const numbers = events.flatMap((event) => ('seq' in event ? [event.seq] : []));
  expect(numbers).toEqual(numbers.map((_number, index) => index + 1));
}

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
