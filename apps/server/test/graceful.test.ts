import type { IssueEvent, IssueWire, LiveEvent, RepoWire } from '@sluice/core';
import { describe, expect, it } from 'vitest';
import { useFleet } from './fleet.ts';
import { type HttpSession, signUp } from './http-session.ts';
import { fixingIssue, makeBuggyRepo } from './scratch-repo.ts';

const { services, start } = useFleet();

async function newIssue(person: HttpSession, testSeconds: number): Promise<string> {
  const testScript = `sleep ${testSeconds}; grep -qx fixed value.txt || { echo 'not ok 1 - value'; exit 1; }; echo 'ok 1 - value'\n`;
  const registered = await person.call<RepoWire>('POST', '/api/repos', { url: makeBuggyRepo({ testScript }).path });
  const body = { repo_id: registered.body.id, ...fixingIssue };
  return (await person.call<IssueWire>('POST', '/api/issues', body)).body.id;
}

const isWritten = (event: IssueEvent | LiveEvent): event is IssueEvent => 'seq' in event;

/** A lease of 15 s that is not let go of goes on for 10 s at least: it is renewed every 5 s. */
const REST_OF_LEASE_MS = 10_000;
/** Who waited for the streams to end would have to wait for as long as their readers like. */
const STOPPED_MS = 30_000;

describe('a stopping worker', () => {
  it.each([
    { when: 'at the end of its stage', testSeconds: 2 },
    { when: 'in the middle of a stage that takes long', testSeconds: 9 },
  ])(
    'hands its issue over $when to a worker that continues at once, before the lease expires',
    async ({ testSeconds }) => {
      const environment = await services().installation();
      const [api, first] = [
        await start({ ...environment, ROLE: 'api' }),
        await start({ ...environment, ROLE: 'worker' }),
      ];
      const person = await signUp(api.url);
      const id = await newIssue(person, testSeconds);
      await person.reaches(id, 'awaiting_approval');
      await person.call('POST', `/api/issues/${id}/approve`, { action: 'approve' });
      await start({ ...environment, ROLE: 'worker' });
      const seen = (await person.events(id, (event) => event.type === 'command.started')).filter(isWritten);
      expect(await first.stop()).toBe(0);
      const stopped = performance.now();
      const last = seen.at(-1)?.seq ?? 0;
      // What the first one began it ends, or the second one begins it again: in either case it is in a stage now.
      await person.events(id, (event) => event.type === 'stage.started', last);
      expect(performance.now() - stopped).toBeLessThan(REST_OF_LEASE_MS);
      const events = (await person.events(id)).filter(isWritten);
      expect(events.at(-1)).toMatchObject({ type: 'issue.status', data: { to: 'completed' } });
      expect(events.filter(({ type }) => type === 'stage.failed')).toEqual([]);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
    },
  );
});

describe('a stopping api process', () => {
  it('ends its streams, whose readers resume at another process after their last event', async () => {
    const environment = await services().installation();
    const [one, other] = [await start(environment), await start({ ...environment, ROLE: 'api' })];
    const person = await signUp(other.url);
    const id = await newIssue(person, 0);
    await person.reaches(id, 'awaiting_approval');
    const reader = await start({ ...environment, ROLE: 'api' });
    const following = await person.at(reader.url).following(id, 'awaiting_approval');
    const began = performance.now();
    expect(await reader.stop()).toBe(0);
    expect(performance.now() - began).toBeLessThan(STOPPED_MS);
    const before = (await following.all).filter(isWritten);
    expect(before.at(-1)).toMatchObject({ type: 'issue.status', data: { to: 'awaiting_approval' } });
    const decided = await person.at(one.url).call('POST', `/api/issues/${id}/approve`, { action: 'approve' });
    expect(decided.status).toBe(200);
    const after = (await person.events(id, undefined, before.at(-1)?.seq)).filter(isWritten);
    expect(after.at(-1)).toMatchObject({ type: 'issue.status', data: { to: 'completed' } });
    const numbers = [...before, ...after].map(({ seq }) => seq);
    expect(numbers).toEqual(numbers.map((_seq, index) => index + 1));
  });
});
