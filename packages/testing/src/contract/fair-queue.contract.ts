import type { IssueId } from '@sluice/core/id';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applied, cancelled, positionsOf, queuedFor, runningIssue } from './pipeline-moves.ts';
import {
  atOnce,
  newIssueOn,
  type OpenStores,
  registeredRepo,
  registeredUser,
  type StoreHarness,
} from './store-harness.ts';

const CAP = 2;

/** How users share the slots. */
export function fairQueueContract(open: OpenStores): void {
  describe('slots of several users', () => {
    it("starts another user's only issue next, however many one user has queued", async () => {
      await using stores = await open({ maxActivePipelines: 1 });
      const busy = await registeredUser(stores);
      const [running, ...waiting] = await queuedFor(stores, busy.id, 51);
      const other = await runningIssue(stores);
      expect((await stores.issues.get(other.id))?.queuePosition).toBe(1);
      expect(await positionsOf(stores, waiting)).toEqual(waiting.map((_, index) => index + 2));
      await cancelled(stores, running ?? expect.fail());
      expect(stores.heard.runnable).toEqual([running, other.id]);
    });

    it('never runs more issues of one user than the limit, though twelve are written at once', async () => {
      await using stores = await open({ maxActivePipelines: 5, maxActivePipelinesPerUser: 3 });
      const { id: userId } = await registeredUser(stores);
      const repos = await atOnce(12, () => registeredRepo(stores, { userId }));
      const ids = await Promise.all(
        repos.map(async (repo) => applied(await stores.issues.create(newIssueOn(repo), { queue: true })).id),
      );
      expect(await runningOf(stores, ids)).toHaveLength(3);
      expect((await positionsOf(stores, ids)).filter((one) => one !== null).sort()).toEqual(numbersTo(9));
      // Slots are free, and another user's issue takes one at once.
      expect(await runningIssue(stores)).toMatchObject({ status: 'running' });

      const enders = await runningOf(stores, ids);
      await Promise.all(enders.map((id) => cancelled(stores, id)));
      expect(await runningOf(stores, ids)).toHaveLength(3);
    });

    it('lets two users take turns in a single slot', async () => {
      await using stores = await open({ maxActivePipelines: 1 });
      const [one, other] = [await registeredUser(stores), await registeredUser(stores)];
      const ofOne = await queuedFor(stores, one.id, 3);
      const ofOther = await queuedFor(stores, other.id, 2);
      for (let count = 0; count < 5; count += 1) {
        stores.clock.advance(1_000);
        await cancelled(stores, stores.heard.runnable.at(-1) ?? expect.fail());
      }
      expect(stores.heard.runnable).toEqual([ofOne[0], ofOther[0], ofOne[1], ofOther[1], ofOne[2]]);
    });

    it('starts issues in the order of their positions, by a model that starts them one by one', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.nat(2), { minLength: 1, maxLength: 12 }),
          fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
          async (arrivals, perUser) => {
            const limit = perUser === undefined ? {} : { maxActivePipelinesPerUser: perUser };
            await using stores = await open({ ...limit, maxActivePipelines: CAP });
            const owners = await atOnce(3, () => registeredUser(stores));
            const model: Model = { waiting: [], running: [], served: [] };
            for (const user of arrivals) {
              stores.clock.advance(1);
              const [id = expect.fail()] = await queuedFor(stores, owners[user]?.id ?? expect.fail(), 1);
              model.waiting.push({ id, user });
              if (model.running.length < CAP) startNext(model, perUser);
            }
            for (;;) {
              const inOrder = orderOf(model, perUser);
              expect(await positionsOf(stores, inOrder)).toEqual(numbersTo(inOrder.length));
              const ending = model.running.shift();
              if (ending === undefined) break;
              stores.clock.advance(1);
              await cancelled(stores, ending.id);
              startNext(model, perUser);
              const left = [...model.running, ...model.waiting].map(({ id }) => id);
              expect(await runningOf(stores, left)).toEqual(model.running.map(({ id }) => id));
            }
            expect(model.waiting).toEqual([]);
          },
        ),
        { numRuns: 8 },
      );
    });
  });
}

async function runningOf(stores: StoreHarness, ids: readonly IssueId[]): Promise<IssueId[]> {
  const issues = await Promise.all(ids.map((id) => stores.issues.get(id)));
  return issues.flatMap((issue) => (issue?.status === 'running' ? [issue.id] : []));
}

function numbersTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** An issue as the rule of the queue sees it. */
interface Entry {
  readonly id: IssueId;
  readonly user: number;
}

/** What waits in the order of arrival, what runs, and the users of all starts so far. */
interface Model {
  readonly waiting: Entry[];
  readonly running: Entry[];
  readonly served: number[];
}

/** Starts the first issue of the user who runs least and started least recently. False when none may start. */
function startNext({ waiting, running, served }: Model, perUser = Number.POSITIVE_INFINITY): boolean {
  const slotsOf = (of: number) => running.filter(({ user }) => user === of).length;
  const heads = waiting.filter(({ user }, index) => waiting.findIndex((entry) => entry.user === user) === index);
  const [next] = heads
    .filter(({ user }) => slotsOf(user) < perUser)
    .sort((a, b) => slotsOf(a.user) - slotsOf(b.user) || served.lastIndexOf(a.user) - served.lastIndexOf(b.user));
  if (next === undefined) return false;
  waiting.splice(waiting.indexOf(next), 1);
  running.push(next);
  served.push(next.user);
  return true;
}

/** In which order all would start if slots became free and nothing ended; last those over the limit. */
function orderOf(model: Model, perUser?: number): IssueId[] {
  const copy = { waiting: [...model.waiting], running: [...model.running], served: [...model.served] };
  while (startNext(copy, perUser));
  while (startNext(copy));
  return copy.running.slice(model.running.length).map(({ id }) => id);
}
