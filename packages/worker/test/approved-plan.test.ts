import type { RunStore } from '@sluice/core/agent';
import type { Issue } from '@sluice/core/issue';
import { planHash } from '@sluice/core/pipeline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BASE_COMMIT } from './fake-host.ts';
import { openWorld, type World } from './world.ts';

describe('the approval of a plan', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  it('is bound to the content of the plan and its base commit', async () => {
    await world.startWorker({
      // Characters that the database drops must not change the hash of the plan.
      script: {
        planner: () => ({
          summary: 'NUL \0 and half a pair \ud83d',
          steps: [{ title: 't', detail: 'd', files: [] }],
          acceptance_criteria: [],
          risks: [],
          test_strategy: '',
        }),
      },
    });
    const { id } = await world.newIssue();
    const { plan, gate } = await world.untilStatus(id, 'awaiting_approval');
    if (plan === null) throw new Error('no plan');
    expect(gate).toMatchObject({ plan_hash: planHash(plan), base_commit: BASE_COMMIT });
    await world.decide(id, { action: 'approve' });
    const { pipeline } = await world.untilStatus(id, 'completed');
    expect(pipeline.approved).toEqual({ revision: 1, plan_hash: planHash(plan), base_commit: BASE_COMMIT });
  });

  /** Approves a plan, and lets the worker see a different issue than the stored one. */
  async function carriedOut(change: (issue: Issue) => Issue) {
    await world.startWorker();
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    for (const sink of world.sinks) world.sinks.delete(sink);
    await world.decide(id, { action: 'approve' });
    const claim: RunStore['claim'] = async (...asked) => {
      const claimed = await world.runs.claim(...asked);
      return claimed === null ? null : { ...claimed, issue: change(claimed.issue) };
    };
    return { id, ...(await world.startWorker({ deps: { runs: { ...world.runs, claim } } })) };
  }

  it('does not hold for another plan', async () => {
    const { id, agents } = await carriedOut((issue) => ({
      ...issue,
      plan: issue.plan === null ? null : { ...issue.plan, summary: 'Something else.' },
    }));
    const failed = await world.untilStatus(id, 'failed');
    expect(failed.error).toEqual({
      stage: 'implement',
      detail: 'The plan is not the one that was approved, so it is not implemented.',
    });
    expect(agents.inputs.coder).toEqual([]);
  });

  it('does not hold for another base', async () => {
    const { id, agents } = await carriedOut(({ pipeline, ...issue }) => {
      const prepared = pipeline.prepared && { ...pipeline.prepared, base_commit: 'c'.repeat(40) };
      return { ...issue, pipeline: { ...pipeline, prepared } };
    });
    expect((await world.untilStatus(id, 'failed')).error?.detail).toContain('base is not the one');
    expect(agents.inputs.coder).toEqual([]);
  });

  it('holds for the plan that is there when it was given before hashes were recorded', async () => {
    const { id } = await carriedOut(({ pipeline, ...issue }) => ({
      ...issue,
      pipeline: { ...pipeline, approved: null },
    }));
    await world.untilStatus(id, 'completed');
  });
});
