import type { IssueEvent, LiveEvent } from '@sluice/core/issue';
import { expect } from 'vitest';
import { anIssueAtGate } from './an-issue.ts';
import type { Fleet } from './fleet.ts';
import { signUp } from './http-session.ts';
import { makeBuggyRepo } from './scratch-repo.ts';

/** A repository whose test takes so many seconds. */
function slowRepo(testSeconds: number) {
  const testScript = `sleep ${testSeconds}; grep -qx fixed value.txt || { echo 'not ok 1 - value'; exit 1; }; echo 'ok 1 - value'\n`;
  return makeBuggyRepo({ testScript });
}

export const isWritten = (event: IssueEvent | LiveEvent): event is IssueEvent => 'seq' in event;

/** A lease of 15 s that is not let go of goes on for 10 s at least: it is renewed every 5 s. */
const REST_OF_LEASE_MS = 10_000;

/** Stops a worker while an issue's test runs, and sees another one continue at once. */
export async function handsOver({ services, start }: Fleet, testSeconds: number): Promise<void> {
  const environment = await services().installation();
  const [api, first] = [await start({ ...environment, ROLE: 'api' }), await start({ ...environment, ROLE: 'worker' })];
  const person = await signUp(api.url);
  const { id } = await anIssueAtGate(person, { repo: slowRepo(testSeconds) });
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
}
