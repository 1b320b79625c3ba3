import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PLAN, type Script, writeByTool } from './scripted-agents.ts';
import { openWorld, type World } from './world.ts';

describe('a change that is published', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  async function published(script: Partial<Script>) {
    const { agents } = await world.startWorker({ script });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    return { id, agents, done: await world.untilStatus(id, 'completed') };
  }

  it('names the files outside its plan to the reviewer, in the events and in the result, with reasons of all rounds', async () => {
    const { id, agents, done } = await published({
      coder: async ({ round }, context) => {
        if (round === 1) {
          await writeByTool(context, { path: 'docs.md', text: 'words' });
          await context.workspace.files.write('lock', 'by a command');
          return { outcome: 'done', summary: 'half', outsidePlan: [{ path: 'docs.md', reason: 'It tells of sum' }] };
        }
        await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
        return { outcome: 'done', summary: 'Fixed.', outsidePlan: [] };
      },
    });
    const outside = [
      { path: 'docs.md', reason: 'It tells of sum' },
      { path: 'lock', reason: null },
    ];
    expect(agents.inputs.reviewer.map(({ outsidePlan }) => outsidePlan)).toEqual([outside]);
    expect(done.pipeline.implementation?.outside_plan).toEqual(outside);
    const sentence = 'Changed outside the plan: docs.md (It tells of sum), lock (no reason given).';
    expect((await world.said(id)).filter((text) => text === sentence)).toHaveLength(2); // one a round
    expect(done.result?.summary).toBe(`Fixed.\n\n${sentence}\n\nMade by: scripted.`);
  });

  it('does not mention the plan when it keeps to it', async () => {
    const { id, done } = await published({});
    expect(done.result?.summary).not.toContain('outside');
    expect((await world.said(id)).join()).not.toContain('outside');
  });

  it('measures how well the planner’s first search did, and tells the user only the branch', async () => {
    const { id, done } = await published({
      planner: async (_, { journal }) => {
        await journal.append({ entries: [{ kind: 'retrieved', paths: ['src/sum.js', 'other.js'] }], events: [] });
        return PLAN;
      },
    });
    expect((await world.get(id)).pipeline.planning.retrieved).toEqual(['src/sum.js', 'other.js']);
    const told = (await world.events(id)).flatMap((event) =>
      event.type === 'stage.completed' && event.data.stage === 'publish' ? [event.data.detail] : [],
    );
    expect(told).toEqual([`branch ${done.result?.branch}`]);
    expect(world.counted.retrievals).toMatchObject([{ precision: 0.5, recall: 1 }]);
  });

  it('is counted: each answer with its model and user, and each stage run with its end', async () => {
    const { id, done } = await published({});
    const { userId } = await world.get(id);
    expect(world.counted.answers.map(({ role }) => role)).toEqual(['triager', 'planner', 'coder', 'reviewer']);
    for (const answer of world.counted.answers) expect(answer).toMatchObject({ userId, model: 'test/scripted' });
    const tokens = world.counted.answers.reduce((sum, { usage }) => sum + usage.input_tokens, 0);
    expect(tokens).toBe(done.usage.input_tokens);
    expect(world.counted.stages.map(({ stage, outcome }) => `${stage} ${outcome}`)).toEqual([
      'prepare completed',
      'index completed',
      'triage completed',
      'plan completed',
      'implement completed',
      'test completed',
      'review completed',
      'publish completed',
    ]);
  });
});
