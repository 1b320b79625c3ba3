import { AppError } from '@sluice/core/error';
import type { Workspaces } from '@sluice/core/workspace';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answer, PLAN, writeByTool } from './scripted-agents.ts';
import { openWorld, type WorkerParts, type World } from './world.ts';

describe('a failed issue that is retried', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const published = () => [...world.host.remote.values()].map(({ files }) => Object.fromEntries(files));

  /** Takes a new issue to its failure after the approval. */
  async function failAfterApproval(): Promise<{ id: Awaited<ReturnType<World['newIssue']>>['id'] }> {
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    await world.untilStatus(id, 'failed');
    return { id };
  }

  /** The tree still exists, or its time to live has passed. */
  const trees = [
    { tree: 'its tree', leave: () => undefined },
    { tree: 'a new tree', leave: (id: string) => world.host.lose(id) },
    { tree: 'a tree on a host that has none of its commits', leave: (id: string) => world.host.lose(id, 'commits') },
  ];

  it.each(trees)('asks a blocked coder again, in $tree with its earlier changes', async ({ leave }) => {
    let isBlocked = true;
    const { agents } = await world.startWorker({
      script: {
        coder: async (_, context) => {
          await writeByTool(
            context,
            isBlocked ? { path: 'left.txt', text: 'half' } : { path: 'src/sum.js', text: 'fixed' },
          );
          return isBlocked
            ? { outcome: 'blocked', summary: 'No way.', outsidePlan: [] }
            : { outcome: 'done', summary: 'fixed', outsidePlan: [] };
        },
      },
    });
    const { id } = await failAfterApproval();
    isBlocked = false;
    leave(id);
    expect(await world.retry(id)).toMatchObject({ status: 'running', stage: 'implement', error: null });
    const done = await world.untilStatus(id, 'completed');
    expect(done).toMatchObject({ error: null, result: { files_changed: 2 } });
    expect(agents.inputs.coder.map(({ round }) => round)).toEqual([1, 2]);
    expect(published()).toEqual([{ 'left.txt': 'half', 'src/sum.js': 'fixed' }]);
    expect(done.usage).toEqual({ input_tokens: 50, output_tokens: 25, cost_usd: 0 }); // the blocked round is paid for
  });

  /** Workspaces whose first push is refused; counts commits. */
  function refusingFirstPush(): { workspaces: Workspaces; done: string[] } {
    const done: string[] = [];
    const prepare: Workspaces['prepare'] = async (request) => {
      const workspace = await world.host.workspaces.prepare(request);
      return {
        ...workspace,
        commit: async (change) => {
          done.push('commit');
          return workspace.commit(change);
        },
        push: async (head, signal, beforeWrite) => {
          done.push(`push ${head}`);
          if (done.filter((one) => one.startsWith('push')).length === 1) throw new AppError('push_rejected');
          await workspace.push(head, signal, beforeWrite);
        },
      };
    };
    return { workspaces: { ...world.host.workspaces, prepare }, done };
  }

  it.each(trees)('pushes the same commit to the same branch from $tree, and makes no second one', async ({ leave }) => {
    const { workspaces, done } = refusingFirstPush();
    const { agents, sandbox } = await world.startWorker({ deps: { workspaces } });
    const { id } = await failAfterApproval();
    expect((await world.get(id)).error?.stage).toBe('publish');
    const runs = sandbox.runs.length;
    leave(id);
    await world.retry(id);
    const { result } = await world.untilStatus(id, 'completed');
    expect(done).toEqual(['commit', `push ${result?.head_commit}`, `push ${result?.head_commit}`]);
    expect([...world.host.remote]).toMatchObject([[result?.branch, { head: result?.head_commit }]]);
    expect([agents.inputs.coder.length, agents.inputs.reviewer.length, sandbox.runs.length]).toEqual([1, 1, runs]);
  });

  it.each(trees)('asks no answer again where only the model’s provider had failed, in $tree', async ({ leave }) => {
    const asked: string[] = [];
    let isRefused = true;
    const { agents } = await world.startWorker({
      script: {
        coder: async (_, context) => {
          await answer(context, 'one', { asked });
          await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
          if (isRefused) throw new AppError('model_key_refused');
          return { outcome: 'done', summary: 'done', outsidePlan: [] };
        },
      },
    });
    const { id } = await failAfterApproval();
    expect((await world.get(id)).pipeline.rounds.resumable).toBe(true);
    isRefused = false;
    leave(id);
    await world.retry(id);
    const { usage, pipeline } = await world.untilStatus(id, 'completed');
    expect(asked).toEqual(['one']);
    expect(agents.inputs.coder.map(({ round }) => round)).toEqual([1, 1]);
    expect(usage).toEqual({ input_tokens: 50, output_tokens: 25, cost_usd: 0 });
    expect(pipeline.rounds.resumable).toBe(false);
    expect(published()).toEqual([{ 'src/sum.js': 'fixed' }]);
  });

  it('begins a new round again when what failed after that was the agent’s work', async () => {
    const errors = [new AppError('model_key_refused'), new AppError('agent_stuck')];
    const { agents } = await world.startWorker({
      script: {
        coder: async (_, context) => {
          const error = errors.shift();
          if (error !== undefined) throw error;
          await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
          return { outcome: 'done', summary: 'done', outsidePlan: [] };
        },
      },
    });
    const { id } = await failAfterApproval();
    await world.retry(id);
    expect((await world.untilStatus(id, 'failed')).pipeline.rounds.resumable).toBe(false);
    await world.retry(id);
    await world.untilStatus(id, 'completed');
    expect(agents.inputs.coder.map(({ round }) => round)).toEqual([1, 1, 2]);
  });

  it('gives the agent the journal of what came before, and the reason of the failure once', async () => {
    const seen: [earlier: number, lastAttempt: string | null | undefined][] = [];
    await world.startWorker({
      script: {
        coder: async ({ round }, context) => {
          seen.push([context.journal.earlier?.length ?? 0, context.journal.lastAttempt]);
          await writeByTool(context, { path: 'src/sum.js', text: round < 3 ? `wrong ${round}` : 'fixed' });
          if (round === 2) throw new AppError('agent_stuck');
          return { outcome: 'done', summary: 'done', outsidePlan: [] };
        },
      },
    });
    const { id } = await failAfterApproval();
    await world.retry(id);
    await world.untilStatus(id, 'completed');
    expect(seen).toEqual([
      [0, null],
      [1, null],
      [2, 'The agent went round in circles. What it left was tested: `npm test` fails (exit code 1).'],
    ]);
  });

  it('opens a new conversation in the same tree after a failure of the conversation itself', async () => {
    const errors = [new AppError('model_context_full')];
    const seen: unknown[] = [];
    await world.startWorker({
      script: {
        coder: async (_, context) => {
          seen.push(context.journal.earlier);
          const error = errors.shift();
          await writeByTool(context, { path: error === undefined ? 'src/sum.js' : 'left.txt', text: 'fixed' });
          if (error !== undefined) throw error;
          return { outcome: 'done', summary: 'done', outsidePlan: [] };
        },
      },
    });
    const { id } = await failAfterApproval();
    await world.retry(id);
    await world.untilStatus(id, 'completed');
    expect(seen).toEqual([[], []]);
    expect(published()).toEqual([{ 'left.txt': 'fixed', 'src/sum.js': 'fixed' }]);
  });

  it('does not go on in the conversation about an earlier revision of the plan', async () => {
    const seen: unknown[] = [];
    await world.startWorker({
      script: {
        planner: async ({ guidance }, { journal }) => {
          seen.push([guidance, journal.earlier?.length ?? 0]);
          if (seen.length === 2) throw new AppError('agent_stuck'); // before it wrote anything
          const message = { role: 'system', content: 'You plan.' };
          await journal.append({ entries: [{ kind: 'message', message }], events: [] });
          return PLAN;
        },
      },
    });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'instruct', guidance: 'Smaller.' });
    await world.untilStatus(id, 'failed');
    await world.retry(id);
    await world.untilStatus(id, 'awaiting_approval');
    expect(seen).toEqual([
      [null, 0],
      ['Smaller.', 0],
      ['Smaller.', 0],
    ]);
  });

  const mended: WorkerParts['commands'] = { './mended': () => ({ exitCode: 0 }) };

  it('is prepared with the setup command that the repository has now', async () => {
    const { sandbox } = await world.startWorker({ commands: mended });
    const { id, repoId } = await world.newIssue({ setupCommand: './broken' });
    expect((await world.untilStatus(id, 'failed')).error).toMatchObject({ stage: 'prepare' });
    await world.repos.update(repoId, { setupCommand: './mended' });
    await world.retry(id);
    expect((await world.untilStatus(id, 'awaiting_approval')).pipeline.prepared?.setup_command).toBe('./mended');
    expect(sandbox.runs.map(({ command }) => command)).toEqual(['./broken', './mended', 'npm test']);
  });

  it('sets up a new tree with the current command of the repository', async () => {
    let isFine = true;
    await world.startWorker({
      commands: { ...mended, './setup': () => ({ exitCode: isFine ? 0 : 1 }) },
      options: { workspaceTtlMs: 0 },
    });
    const { id, repoId } = await world.newIssue({ setupCommand: './setup' });
    await world.untilStatus(id, 'awaiting_approval');
    isFine = false;
    world.host.trees.delete(id);
    await world.decide(id, { action: 'approve' });
    expect((await world.untilStatus(id, 'failed')).error).toMatchObject({ stage: 'implement' });
    await world.repos.update(repoId, { setupCommand: './mended' });
    await world.retry(id);
    await world.untilStatus(id, 'completed');
    expect(published()).toEqual([{ 'src/sum.js': 'fixed' }]);
  });

  it('asks a planner again that took too long, and counts revisions without a gap', async () => {
    let isSlow = true;
    const { agents } = await world.startWorker({
      options: { stageTimeoutMs: 3_000 },
      script: {
        planner: async (_, { signal, journal }) => {
          if (isSlow) {
            await journal.append({ entries: [{ kind: 'message', message: 'thinking' }], events: [] });
            await new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason), { once: true });
            });
          }
          expect(journal.entries).toEqual([]);
          return PLAN;
        },
      },
    });
    const { id } = await world.newIssue();
    expect((await world.untilStatus(id, 'failed')).error?.detail).toContain('STAGE_TIMEOUT');
    isSlow = false;
    await world.retry(id);
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'instruct', guidance: 'Smaller.' });
    await world.untilStatus(id, 'awaiting_approval');
    expect((await world.issues.plans(id)).map(({ revision }) => revision)).toEqual([1, 2]);
    expect(agents.inputs.planner).toHaveLength(3);
    expect(agents.inputs.triager).toHaveLength(1);
  });

  it.each(trees)(
    'runs red tests again in $tree, and sends the coder back as often as the first time',
    async ({ leave }) => {
      const { agents } = await world.startWorker({
        script: {
          coder: async ({ round }, context) => {
            await writeByTool(context, { path: 'src/sum.js', text: round < 7 ? `wrong ${round}` : 'fixed' });
            return { outcome: 'done', summary: `round ${round}`, outsidePlan: [] };
          },
        },
      });
      const { id } = await failAfterApproval();
      leave(id);
      await world.retry(id);
      const done = await world.untilStatus(id, 'completed');
      expect(agents.inputs.coder.map(({ round }) => round)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(done.pipeline).toMatchObject({ rounds: { test_send_backs: 3, implement: 7 } });
      expect(published()).toEqual([{ 'src/sum.js': 'fixed' }]);
    },
  );

  it('asks a reviewer again that refused too often, and grants the coder all send-backs again', async () => {
    let reviews = 0;
    const { agents } = await world.startWorker({
      script: {
        reviewer: (_, { journal }) => {
          expect([journal.earlier, journal.lastAttempt]).toEqual([[], null]);
          reviews += 1;
          return { decision: reviews < 6 ? 'request_changes' : 'approve', summary: `${reviews}`, findings: [] };
        },
      },
    });
    const { id } = await failAfterApproval();
    expect((await world.get(id)).error?.stage).toBe('review');
    await world.retry(id);
    const done = await world.untilStatus(id, 'completed');
    expect(reviews).toBe(6);
    expect(agents.inputs.coder).toHaveLength(5);
    expect(done.pipeline).toMatchObject({
      rounds: { review_send_backs: 2 },
      implementation: { review: { summary: '6' } },
    });
  });

  it('fails again when nothing is better, as often as it is retried', async () => {
    await world.startWorker({ script: { coder: () => ({ outcome: 'blocked', summary: 'No way.', outsidePlan: [] }) } });
    const { id } = await failAfterApproval();
    for (let round = 2; round < 5; round += 1) {
      await world.retry(id);
      const failed = await world.untilStatus(id, 'failed');
      expect(failed).toMatchObject({
        error: { stage: 'implement', detail: 'The coder could not carry out the plan: No way.' },
      });
      expect(failed.pipeline.rounds.implement).toBe(round);
    }
  });
});
