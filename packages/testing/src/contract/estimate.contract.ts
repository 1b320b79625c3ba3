import { type Estimate, MIN_RUNS } from '@sluice/core/estimate';
import { NEW_PIPELINE } from '@sluice/core/pipeline';
import { describe, expect, it } from 'vitest';
import { aPlanOf, completedRun, failedWithResult, implemented, planned } from './estimated-run.ts';
import { applied, broughtToGate, cancelled, decision, runningIssue } from './pipeline-moves.ts';
import { type OpenStores, registeredRepo, type StoreHarness } from './store-harness.ts';

const taken = { costUsd: 1, activeMs: 60_000 };
/** The end of a run before the coder came to a result. */
const CUT_OFF = { trigger: 'gave_up', set: { pipeline: NEW_PIPELINE } } as const;

/** The estimate of one more plan of one step, of size 2. */
async function next(stores: StoreHarness): Promise<Estimate | null> {
  const { id } = await runningIssue(stores);
  await planned(stores, id, { plan: aPlanOf(1) });
  const estimate = await stores.issues.estimate(id, 1);
  await cancelled(stores, id);
  return estimate;
}

/** A running issue whose plan of one step was approved. */
async function approved(stores: StoreHarness) {
  const { id, userId } = await runningIssue(stores);
  await planned(stores, id, { plan: aPlanOf(1) });
  applied(await stores.issues.apply(decision(id, { userId, index: 0 })));
  return id;
}

/** What an `IssueStore` promises of estimates, on any database. */
export function estimateContract(name: string, open: OpenStores): void {
  describe(`estimates on ${name}`, () => {
    it('rest on the finished runs of the installation, of any repository, once there are enough', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      for (let runs = 0; runs < MIN_RUNS - 1; runs += 1) await completedRun(stores, repo, { plan: aPlanOf(2), taken });
      expect(await next(stores)).toMatchObject({ history: MIN_RUNS - 1, cost_usd: null, active_ms: null });
      await completedRun(stores, await registeredRepo(stores), { plan: aPlanOf(2), taken });
      // Half as large as those before. What planning took does not count.
      expect(await next(stores)).toEqual({
        history: MIN_RUNS,
        cost_usd: { point: 0.5, low: 0.5, high: 0.5 },
        active_ms: { point: 30_000, low: 30_000, high: 30_000 },
        coverage: { held: 0, of: 0 },
      });
      await completedRun(stores, repo, { plan: aPlanOf(2), taken: { costUsd: 1, activeMs: 60_001 } });
      expect(await next(stores)).toMatchObject({ history: MIN_RUNS + 1, coverage: { held: 1, of: 2 } });
    });

    it('are made for each revision, and what the run took counts for the one that was approved', async () => {
      await using stores = await open();
      const { id, userId } = await runningIssue(stores);
      await planned(stores, id, { plan: aPlanOf(3) });
      applied(
        await stores.issues.apply({
          issueId: id,
          from: { status: 'awaiting_approval' },
          trigger: 'guidance_given',
          set: { stage: 'plan', gate: null },
          events: [],
        }),
      );
      await planned(stores, id, { plan: aPlanOf(1, 2) });
      expect(await stores.issues.estimate(id, 1)).not.toBeNull();
      expect(await stores.issues.estimate(id, 2)).not.toBeNull();
      expect(await stores.issues.estimate(id, 3)).toBeNull();
      applied(
        await stores.issues.apply({ ...decision(id, { userId, index: 0 }), from: { status: 'awaiting_approval' } }),
      );
      await implemented(stores, id, { taken });
      expect(await next(stores)).toMatchObject({ history: 1 });
    });

    it('count a run that failed with a result of the coder, once, with what its retry took', async () => {
      await using stores = await open();
      const id = await approved(stores);
      await implemented(stores, id, { taken, end: failedWithResult });
      expect(await next(stores)).toMatchObject({ history: 1 });
      applied(await stores.issues.apply({ issueId: id, from: { status: 'failed' }, trigger: 'retried', events: [] }));
      await implemented(stores, id, { taken });
      expect(await next(stores)).toMatchObject({ history: 1 });
    });

    it('leave out a run that was cut off before a result, and one without a known price from costs', async () => {
      await using stores = await open();
      await implemented(stores, await approved(stores), { taken, end: CUT_OFF });
      await cancelled(stores, await approved(stores));
      expect(await next(stores)).toMatchObject({ history: 0 });
      const repo = await registeredRepo(stores);
      for (let runs = 0; runs < MIN_RUNS; runs += 1)
        await completedRun(stores, repo, { plan: aPlanOf(1), taken: { ...taken, costUsd: null } });
      expect(await next(stores)).toMatchObject({ cost_usd: null, active_ms: { point: 60_000 } });
    });

    it('count what a run took that was cut off above its range', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      for (let runs = 0; runs < MIN_RUNS; runs += 1) await completedRun(stores, repo, { plan: aPlanOf(1), taken });
      const id = await approved(stores);
      await implemented(stores, id, { taken: { costUsd: 9, activeMs: 30_000 }, end: CUT_OFF });
      expect(await next(stores)).toMatchObject({ history: MIN_RUNS + 1, coverage: { held: 0, of: 1 } });
    });

    it('go with their issue, and an issue that has never come to a gate has none', async () => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      expect(await stores.issues.estimate(id, 1)).toBeNull();
      await broughtToGate(stores, id);
      expect(await stores.issues.estimate(id, 1)).not.toBeNull();
      await cancelled(stores, id);
      await stores.issues.remove(id);
      expect(await stores.issues.estimate(id, 1)).toBeNull();
    });
  });
}
