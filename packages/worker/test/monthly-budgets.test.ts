import { installationBudget, type MonthlyLimit, NO_LIMIT, repoBudget, userBudget } from '@sluice/core/budget';
import type { IssueId } from '@sluice/core/id';
import { isSoakRun } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answer, CALL_USAGE, type Script, writeByTool } from './scripted-agents.ts';
import { openWorld, type World } from './world.ts';

const tokens = (limit: number): MonthlyLimit => ({ costUsd: null, tokens: limit });
/** Input and output of one call of the scripted agents. */
const CALL = CALL_USAGE.input_tokens + CALL_USAGE.output_tokens;

/** A coder that asks its model several times and writes a file between; records what it asked. */
function coderOf(turns: number): { asked: string[]; coder: Script['coder'] } {
  const asked: string[] = [];
  return {
    asked,
    coder: async (_, context) => {
      for (let turn = 1; turn <= turns; turn += 1) {
        await answer(context, `turn ${turn}`, { asked });
        await writeByTool(context, { path: turn === turns ? 'src/sum.js' : `${turn}.txt`, text: 'fixed' });
      }
      return { outcome: 'done', summary: 'done', outsidePlan: [] };
    },
  };
}

describe('monthly budgets', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld({ cap: 16 });
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const spent = async () => {
    const [all] = await world.budgets.ofSubjects([installationBudget]);
    if (all === undefined) throw new Error('no spending');
    return { calls: all.spent.calls, tokens: all.spent.inputTokens + all.spent.outputTokens };
  };

  async function approved(): Promise<IssueId> {
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    return id;
  }

  it('stop the work before the next call and keep it; a raise continues it without a repeated call', async () => {
    const { asked, coder } = coderOf(4);
    await world.startWorker({ script: { coder } });
    const { id } = await world.newIssue();
    const { repoId } = await world.untilStatus(id, 'awaiting_approval');
    const { calls: before } = await spent();
    await world.budgets.set(repoBudget(repoId), tokens((before + 2) * CALL));
    await world.decide(id, { action: 'approve' });
    const held = await world.untilStatus(id, 'pending');
    expect(held).toMatchObject({ heldByBudget: 'repo', stage: 'implement', holdsSlot: false });
    expect(asked).toEqual(['turn 1', 'turn 2']);
    await world.budgets.set(repoBudget(repoId), tokens(1_000_000));
    const { usage } = await world.untilStatus(id, 'completed');
    expect(asked).toEqual(['turn 1', 'turn 2', 'turn 3', 'turn 4']);
    expect(await spent()).toMatchObject({ tokens: usage.input_tokens + usage.output_tokens });
  });

  it('let an issue with budget pass one without', async () => {
    await world.startWorker();
    await world.budgets.set(installationBudget, tokens(0));
    const { id } = await world.newIssue();
    expect(await world.untilStatus(id, 'pending')).toMatchObject({ heldByBudget: 'installation' });
    await world.budgets.set(installationBudget, NO_LIMIT);
    await world.untilStatus(id, 'awaiting_approval');
  });

  it('count the call of a worker that lost the issue meanwhile', async () => {
    await world.startWorker({
      script: {
        planner: async (_, context) => {
          await context.beforeModelCall();
          await world.issues.apply({
            issueId: context.workspace.issueId,
            from: { status: 'running' },
            trigger: 'cancelled',
            events: [],
          });
          await context.journal.append({
            entries: [{ kind: 'usage', usage: CALL_USAGE, model: 'test/scripted' }],
            events: [],
          });
          throw new Error('the journal took what is not its worker’s');
        },
      },
    });
    const { id } = await world.newIssue();
    const { usage } = await world.untilStatus(id, 'cancelled');
    await expect.poll(spent).toEqual({ calls: 2, tokens: 2 * CALL });
    expect(usage.input_tokens + usage.output_tokens).toBe(CALL);
  });

  it.each([isSoakRun ? 16 : 4])('let %i workers go beyond one budget by at most one call each', async (workers) => {
    const { asked, coder } = coderOf(6);
    for (let index = 0; index < workers; index += 1)
      await world.startWorker({ script: { coder }, options: { concurrency: 1 } });
    const ids = await Promise.all(Array.from({ length: workers }, () => world.newIssue().then(({ id }) => id)));
    for (const id of ids) await world.untilStatus(id, 'awaiting_approval');
    const { tokens: before } = await spent();
    const limit = before + workers * 3 * CALL;
    await world.budgets.set(installationBudget, tokens(limit));
    for (const id of ids) await world.decide(id, { action: 'approve' });
    for (const id of ids) await world.untilStatus(id, 'pending');
    expect((await spent()).tokens).toBeGreaterThanOrEqual(limit);
    expect((await spent()).tokens).toBeLessThan(limit + workers * CALL);
    await world.budgets.set(installationBudget, NO_LIMIT);
    let used = 0;
    for (const id of ids) {
      const { usage } = await world.untilStatus(id, 'completed');
      used += usage.input_tokens + usage.output_tokens;
    }
    expect(asked).toHaveLength(workers * 6);
    expect((await spent()).tokens).toBe(used);
  });

  it('of the person who created the issue count', async () => {
    await world.startWorker();
    const id = await approved();
    const { userId, usage } = await world.untilStatus(id, 'completed');
    const [own] = await world.budgets.ofSubjects([userBudget(userId)]);
    expect(own?.spent).toMatchObject({ inputTokens: usage.input_tokens, outputTokens: usage.output_tokens });
  });
});
