import {
  type Issue,
  type IssueTrigger,
  isActive,
  isPending,
  issueMachine,
  issueStatuses,
  isTerminal,
  type Repo,
} from '@sluice/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newId } from '../builder/ids.ts';
import { eventsOf, replayStatus } from './pipeline-moves.ts';
import { newIssueOn, type OpenStores, registeredRepo, type StoreHarness } from './store-harness.ts';

const CAP = 2;
const triggers = [...new Set(issueStatuses.flatMap((status) => Object.keys(issueMachine[status].on)))].filter(
  (trigger) => trigger !== 'admitted', // the store's own
) as IssueTrigger[];

/** One act: on that issue, or a new one on that repository. */
const act = fc.oneof(
  fc.record({ create: fc.nat(3), queue: fc.boolean() }),
  fc.record({ change: fc.nat(5), trigger: fc.constantFrom(...triggers), worker: fc.boolean() }),
);

/** What holds whatever happens to several issues, in whatever order and all at once. */
export function anyOrderContract(open: OpenStores): void {
  describe('whatever happens, in whatever order', () => {
    it('keeps the cap, the remotes, the queue and the log right', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.array(act, { minLength: 1, maxLength: 4 }), { maxLength: 25 }), async (rounds) => {
          await using stores = await open({ maxActivePipelines: CAP });
          const repos: Repo[] = [];
          for (let count = 0; count < 4; count += 1) repos.push(await registeredRepo(stores));
          const ids: Issue['id'][] = [];
          for (const round of rounds) {
            await Promise.all(
              round.map(async (one) => {
                if ('change' in one) return await change(stores, { id: ids[one.change % ids.length], ...one });
                const issue = newIssueOn(repos[one.create] ?? expect.fail(), { id: newId() });
                ids.push(issue.id);
                await stores.issues.create(issue, { queue: one.queue });
              }),
            );
            await expectOrder(stores, ids);
          }
        }),
        { numRuns: 15 },
      );
    });
  });
}

async function change(
  stores: StoreHarness,
  act: { id: Issue['id'] | undefined; trigger: IssueTrigger; worker: boolean },
): Promise<void> {
  const issue = act.id === undefined ? null : await stores.issues.get(act.id);
  if (issue === null || !Object.hasOwn(issueMachine[issue.status].on, act.trigger)) return;
  const claim = act.worker ? await stores.runs.claim(issue.id, 'worker', 60_000) : null;
  await stores.issues.apply({
    issueId: issue.id,
    from: { status: issue.status },
    trigger: act.trigger,
    ...(claim === null ? {} : { lease: claim.lease }),
    events: [{ type: 'user.message', data: { text: act.trigger } }],
  });
}

async function expectOrder(stores: StoreHarness, ids: readonly Issue['id'][]): Promise<void> {
  const issues = (await Promise.all(ids.map((id) => stores.issues.get(id)))).filter((issue) => issue !== null);
  const active = issues.filter(isActive);
  const queued = active.filter(({ status }) => isPending(status));
  const running = active.filter(({ status }) => !isPending(status));
  expect(running.length).toBeLessThanOrEqual(CAP);
  // Nobody waits while there is room.
  if (queued.length > 0) expect(running).toHaveLength(CAP);
  expect(queued.map(({ queuePosition }) => queuePosition).sort()).toEqual(queued.map((_, index) => index + 1));
  expect(new Set(active.map(({ repoId }) => repoId)).size).toBe(active.length);
  for (const issue of issues) {
    expect(replayStatus(await eventsOf(stores, issue.id))).toBe(issue.status);
    expect(issue.finishedAt !== null).toBe(isTerminal(issue.status));
  }
}
