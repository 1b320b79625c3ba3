import { describe, expect, it } from 'vitest';
import { anIssueAtGate } from '../an-issue.ts';
import { useFleet } from '../fleet.ts';
import { handsOver, isWritten } from '../graceful-scene.ts';
import { signUp } from '../http-session.ts';

// Usual way: apps/server/test/graceful.test.ts

const fleet = useFleet();
const { services, start } = fleet;

/** Who waited for the streams to end would have to wait for as long as their readers like. */
const STOPPED_MS = 30_000;

describe('a stopping worker', () => {
  it.each([{ when: 'in the middle of a stage that takes long', testSeconds: 9 }])(
    'hands its issue over $when to a worker that continues at once, before the lease expires',
    async ({ testSeconds }) => await handsOver(fleet, testSeconds),
  );
});

describe('a stopping api process', () => {
  it('ends its streams, whose readers resume at another process after their last event', async () => {
    const environment = await services().installation();
    const [one, other] = [await start(environment), await start({ ...environment, ROLE: 'api' })];
    const person = await signUp(other.url);
    const { id } = await anIssueAtGate(person);
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
