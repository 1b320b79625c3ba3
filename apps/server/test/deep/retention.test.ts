import { isSoakRun, type PostgresDatabases, sharedPostgres, untilFound } from '@sluice/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anIssueAtGate } from '../an-issue.ts';
import { type HttpSession, signUp } from '../http-session.ts';
import { startScratchServer } from '../scratch-server.ts';

// Usual way: packages/worker/src/maintenance/database-retention.test.ts

let postgres: PostgresDatabases;
beforeAll(async () => {
  postgres = await sharedPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

interface History {
  items: { seq: number; type: string }[];
}
const historyOf = async (person: HttpSession, id: string) =>
  (await person.call<History & Record<string, unknown>>('GET', `/api/issues/${id}/history?limit=1000`)).body.items;

const issueAtGate = async (person: HttpSession) => (await anIssueAtGate(person)).id;

// What is deleted is tried on both engines by the contract of their stores.
it.each(isSoakRun ? ['SQLite', 'Postgres'] : ['SQLite'])(
  'EVENT_RETENTION on %s leaves the milestones of what has ended, and all of what has not',
  async (engine) => {
    const environment: Record<string, string> =
      engine === 'SQLite'
        ? {}
        : {
            DATABASE_URL: await postgres.createDatabase(),
            SESSION_SECRET: 's'.repeat(40),
            ENCRYPTION_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
          };
    await using first = await startScratchServer({ ...environment, EVENT_RETENTION: '1s' });
    const before = await signUp(first.url);
    const [done, waiting] = [await issueAtGate(before), await issueAtGate(before)];
    await before.call('POST', `/api/issues/${done}/approve`, { action: 'approve' });
    const ended = await before.reaches(done, 'completed');
    const [story, waitingStory] = [await historyOf(before, done), await historyOf(before, waiting)];
    const diff = (await before.call('GET', `/api/issues/${done}/diff`)).body;
    await untilFound(() => Date.now() > Date.parse(ended.finished_at ?? '') + 1_000);

    await using second = await first.restart(); // what is over is looked for at the start, and then every hour
    const person = before.at(second.url);
    await untilFound(async () => (await historyOf(person, done)).length < 15, 100);
    const milestones = new Set(['issue.created', 'issue.status', 'review.decided', 'result.published']);
    const kept = story.filter(({ type }) => milestones.has(type));
    await untilFound(async () => (await historyOf(person, done)).length === kept.length);
    expect(await historyOf(person, done)).toEqual(kept);
    expect(await historyOf(person, waiting)).toEqual(waitingStory);

    // A stream sends the remaining events and ends; one that has sent them all reports the end.
    expect(await person.events(done)).toEqual(kept);
    expect(await person.events(done, undefined, kept.at(-1)?.seq)).toEqual([]);
    expect(await person.events(done, undefined, story.length - 2)).toEqual(
      kept.filter(({ seq }) => seq > story.length - 2),
    );

    expect(await person.issue(done)).toEqual(ended);
    expect((await person.call('GET', `/api/issues/${done}/diff`)).body).toEqual(diff);
    expect((await person.call('GET', `/api/issues/${done}/log`)).body).toEqual({ items: [], next_after: null });
    expect((await person.call('GET', `/api/issues/${done}/plans`)).body).toMatchObject({ items: [{ revision: 1 }] });
    await person.call('POST', `/api/issues/${waiting}/approve`, { action: 'approve' });
    await person.reaches(waiting, 'completed');
  },
);
