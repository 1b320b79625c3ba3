import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeHost } from './fake-host.ts';
import { untilAborted as hangs } from './fake-sandbox.ts';
import { answer, writeByTool } from './scripted-agents.ts';
import { openWorld, type WorkerParts, type World } from './world.ts';

describe('a working tree that is lost', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  /** The whole change is two files: a branch that holds one of them is a partial change. */
  const whole = { 'src/sum.js': 'fixed', 'src/sum.test.js': 'tests it' };
  const setUp: WorkerParts['commands'] = {
    'npm ci': ({ files }) => {
      files.set('node_modules', 'installed');
      return { exitCode: 0 };
    },
  };

  /** Starts a worker whose coder hangs between its two writes, and returns when it does. */
  async function dieBetweenWrites(repo: { testCommand?: string } = {}) {
    let reached = () => {};
    const between = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const { worker } = await world.startWorker({
      script: {
        coder: async (_, context) => {
          await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
          reached();
          return hangs(context.signal);
        },
      },
    });
    const { id } = await world.newIssue(repo);
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    await between;
    await worker.stop({ graceMs: 0 });
    return id;
  }

  const finishing: WorkerParts = {
    script: {
      coder: async (_, context) => {
        for (const [path, text] of Object.entries(whole)) await writeByTool(context, { path, text });
        return { outcome: 'done', summary: 'sum is fixed', outsidePlan: [] };
      },
    },
  };

  it('takes the journal of what was written in it along where it could not be kept, so that never a part of a change is published', async () => {
    world.host.keepsCheckpoints = false;
    const id = await dieBetweenWrites({ testCommand: '' }); // without a test that would find out
    world.host.lose(id);
    await world.startWorker(finishing);
    const { result, usage, pipeline } = await world.untilStatus(id, 'completed');
    const [published] = [...world.host.remote.values()];
    expect(Object.fromEntries(published?.files ?? [])).toEqual(whole);
    expect(result).toMatchObject({ files_changed: 2, head_commit: published?.head });
    expect(pipeline.rounds.implement).toBe(2);
    expect(usage).toEqual({ input_tokens: 40, output_tokens: 20, cost_usd: 0 });
    expect((await world.story(id)).filter((line) => /stage\.\w+ implement/.test(line))).toEqual([
      'stage.started implement 1',
      'stage.started implement 2',
      'stage.failed implement 2 will retry',
      'stage.started implement 1',
      'stage.completed implement 1',
    ]);
  });

  it('takes the journal along also when what was kept of it cannot be found', async () => {
    const id = await dieBetweenWrites();
    world.host.lose(id);
    const runs = { ...world.runs, checkpoint: async () => null };
    await world.startWorker({ ...finishing, deps: { runs } });
    const { pipeline } = await world.untilStatus(id, 'completed');
    expect(pipeline.rounds.implement).toBe(2);
    expect(Object.fromEntries([...world.host.remote.values()][0]?.files ?? [])).toEqual(whole);
  });

  /** Where the new tree is prepared. */
  const places = [
    { where: 'on the same host', what: undefined, from: 'commit' as const },
    { where: 'on a host that has none of its commits', what: 'commits' as const, from: 'patch' as const },
  ];

  it.each(places)(
    'is put back to the round’s last checkpoint $where, and no answer is asked for again',
    async (place) => {
      const asked: string[] = [];
      const [first, second] = Object.entries(whole).map(([path, text]) => ({ path, text }));
      if (first === undefined || second === undefined) throw new Error('two files are needed');
      let isDying = true;
      let reached = () => {};
      const between = new Promise<void>((resolve) => {
        reached = resolve;
      });
      const script: WorkerParts['script'] = {
        coder: async (_, context) => {
          await answer(context, 'first', { asked });
          await writeByTool(context, first);
          await answer(context, 'second', { asked });
          if (isDying) {
            // The call has begun and written; its result is never journaled.
            await context.journal.append({ entries: [{ kind: 'begin', callId: 'second' }], events: [] });
            await context.workspace.files.write('half.txt', 'of it');
            reached();
            return hangs(context.signal);
          }
          await writeByTool(context, second);
          return { outcome: 'done', summary: 'both', outsidePlan: [] };
        },
      };
      const { worker } = await world.startWorker({ script });
      const { id } = await world.newIssue();
      await world.untilStatus(id, 'awaiting_approval');
      await world.decide(id, { action: 'approve' });
      await between;
      await worker.stop({ graceMs: 0 });
      isDying = false;
      world.host.lose(id, place.what);
      await world.startWorker({ script });
      const { pipeline, usage } = await world.untilStatus(id, 'completed');
      expect(asked).toEqual(['first', 'second']);
      expect(pipeline.rounds.implement).toBe(1);
      expect(Object.fromEntries([...world.host.remote.values()][0]?.files ?? [])).toEqual(whole);
      expect(world.host.restored[0]?.from).toBe(place.from);
      expect(usage).toEqual({ input_tokens: 60, output_tokens: 30, cost_usd: 0 });
      const journal = await world.runs.journal(id, { stage: 'implement', round: 1 });
      const call = ['begin', 'result', 'checkpoint'];
      expect(journal.map(({ kind }) => kind)).toEqual(
        ['message', 'usage', call, 'message', 'usage', 'begin', 'rewind', call, 'usage', 'done'].flat(),
      );
      expect(await world.said(id)).toContain('The working tree had to be prepared again.');
    },
  );

  it('is cleared of what its host left in it while another host had the issue', async () => {
    const elsewhere = fakeHost();
    /** Starts a write that is never journaled as done, and stops. */
    async function stopsAfterWriting(path: string, workspaces = world.host.workspaces) {
      let reached = () => {};
      const written = new Promise<void>((resolve) => {
        reached = resolve;
      });
      const { worker } = await world.startWorker({
        deps: { workspaces },
        script: {
          coder: async (_, context) => {
            await context.journal.append({ entries: [{ kind: 'begin', callId: path }], events: [] });
            await context.workspace.files.write(path, 'left behind');
            reached();
            return hangs(context.signal);
          },
        },
      });
      return { worker, written };
    }
    const here = await stopsAfterWriting('here.txt');
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    await here.written;
    await here.worker.stop({ graceMs: 0 });
    const there = await stopsAfterWriting('there.txt', elsewhere.workspaces);
    await there.written;
    await there.worker.stop({ graceMs: 0 });
    expect(world.host.trees.get(id)?.has('here.txt')).toBe(true);
    await world.startWorker(finishing);
    await world.untilStatus(id, 'completed');
    expect(Object.fromEntries([...world.host.remote.values()][0]?.files ?? [])).toEqual(whole);
  });

  it('is gone on in from the journal when it was not lost after all', async () => {
    const id = await dieBetweenWrites();
    await world.startWorker(finishing);
    const { pipeline } = await world.untilStatus(id, 'completed');
    expect(pipeline.rounds.implement).toBe(1);
    expect(Object.fromEntries([...world.host.remote.values()][0]?.files ?? [])).toEqual(whole);
    const calls = (await world.story(id)).filter((line) => line === 'agent.tool_call');
    expect(calls).toHaveLength(2);
  });

  it('gets what the setup installs again, before the tests need it', async () => {
    const { worker, sandbox } = await world.startWorker({ commands: setUp });
    const { id } = await world.newIssue({ setupCommand: 'npm ci' });
    await world.untilStatus(id, 'awaiting_approval');
    await worker.stop({ graceMs: 0 });
    expect(sandbox.runs.map(({ command }) => command)).toEqual(['npm ci', 'npm test']);
    world.host.lose(id);
    const next = await world.startWorker({ commands: setUp });
    await world.decide(id, { action: 'approve' });
    await world.untilStatus(id, 'completed');
    expect(next.sandbox.runs.map(({ command }) => command)).toEqual(['npm ci', 'npm test']);
    const told = (await world.events(id)).flatMap((event) => (event.type === 'agent.message' ? [event.data.text] : []));
    expect(told.filter((text) => text.includes('prepared again'))).toHaveLength(1);
  });

  it('is put back to the last round’s commit when the tests sent the coder back', async () => {
    let reached = () => {};
    const second = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const { worker } = await world.startWorker({
      script: {
        coder: async ({ round }, context) => {
          if (round === 1) {
            await writeByTool(context, { path: 'src/sum.test.js', text: 'tests it' });
            return { outcome: 'done', summary: 'first', outsidePlan: [] };
          }
          reached();
          return hangs(context.signal);
        },
      },
    });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    await second;
    await worker.stop({ graceMs: 0 });
    world.host.lose(id);
    await world.startWorker();
    await world.untilStatus(id, 'completed');
    expect(Object.fromEntries([...world.host.remote.values()][0]?.files ?? [])).toEqual(whole);
  });

  it('is not set up again only to push what is committed', async () => {
    let reached = () => {};
    const pushing = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const dying = await world.startWorker({
      commands: setUp,
      deps: {
        issues: {
          ...world.issues,
          apply: async (change) => {
            const outcome = await world.issues.apply(change);
            if (change.begin?.stage !== 'publish') return outcome;
            reached();
            return new Promise(() => undefined);
          },
        },
      },
    });
    const { id } = await world.newIssue({ setupCommand: 'npm ci' });
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    await pushing;
    dying.abandon();
    await world.runs.expireLeases();
    world.host.lose(id);
    const next = await world.startWorker({ commands: setUp });
    await world.untilStatus(id, 'completed');
    expect(next.sandbox.runs).toEqual([]);
    expect([...world.host.remote.values()][0]?.files.get('src/sum.js')).toBe('fixed');
  });
});
