import {
  type Issue,
  type IssueTrigger,
  isActive,
  isPending,
  issueMachine,
  issueStatuses,
  isTerminal,
  mayHoldSlot,
  needsSlot,
} from '@sluice/core/issue';
import type { Repo } from '@sluice/core/repo';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newId } from '../builder/ids.ts';
import { eventsOf, replayStatus } from './pipeline-moves.ts';
import {
  newIssueOn,
  type OpenStores,
  type OpenStoresOptions,
  registeredRepo,
  type StoreHarness,
} from './store-harness.ts';

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
  describe('any order of events', () => {
    it.each<OpenStoresOptions>([
      {},
      { gateKeepsSlot: false },
      { maxActivePipelinesPerUser: 1 },
      { gateKeepsSlot: false, maxActivePipelinesPerUser: 1 },
    ])('keeps the cap, the remotes, the queue and the log right with %o', async (rules) => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.array(act, { minLength: 1, maxLength: 4 }), { maxLength: 25 }), async (rounds) => {
          await using stores = await open({ ...rules, maxActivePipelines: CAP });
          const repos: Repo[] = [];
          for (let count = 0; count < 4; count += 1) {
            const userId = count < 2 ? undefined : repos[count - 2]?.userId; // two users, two repositories each
            repos.push(await registeredRepo(stores, userId === undefined ? {} : { userId }));
          }
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
            await expectOrder(stores, ids, rules);
          }
        }),
        { numRuns: 6 },
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
  const claim = act.worker ? await stores.runs.claim(issue.id, { owner: 'worker', ttlMs: 60_000 }) : null;
  await stores.issues.apply({
    issueId: issue.id,
    from: { status: issue.status },
    trigger: act.trigger,
    ...(claim === null ? {} : { lease: claim.lease }),
    events: [{ type: 'user.message', data: { text: act.trigger } }],
  });
}

async function expectOrder(
  stores: StoreHarness,
  ids: readonly Issue['id'][],
  { gateKeepsSlot = true, maxActivePipelinesPerUser: perUser = CAP }: OpenStoresOptions,
): Promise<void> {
  const issues = (await Promise.all(ids.map((id) => stores.issues.get(id)))).filter((issue) => issue !== null);
  const active = issues.filter(isActive);
  const queued = active.filter(({ status }) => isPending(status));
  const inSlots = active.filter(({ holdsSlot }) => holdsSlot);
  const slotsOf = (user: Issue['userId']) => inSlots.filter(({ userId }) => userId === user).length;
  expect(inSlots.length).toBeLessThanOrEqual(CAP);
  for (const { userId } of inSlots) expect(slotsOf(userId)).toBeLessThanOrEqual(perUser);
  // No issue waits while there is room for it.
  if (inSlots.length < CAP) for (const { userId } of queued) expect(slotsOf(userId)).toBe(perUser);
  for (const { status, holdsSlot } of active) {
    expect(holdsSlot).toBe(needsSlot(status) || (gateKeepsSlot && mayHoldSlot(status)));
  }
  expect(queued.map(({ queuePosition }) => queuePosition).sort()).toEqual(queued.map((_, index) => index + 1));
  expect(new Set(active.map(({ repoId }) => repoId)).size).toBe(active.length);
  for (const issue of issues) {
    expect(replayStatus(await eventsOf(stores, issue.id))).toBe(issue.status);
    expect(issue.finishedAt !== null).toBe(isTerminal(issue.status));
  }
}
