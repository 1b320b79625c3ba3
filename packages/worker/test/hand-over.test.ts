import { until } from '@sluice/testing';
import { expect, it } from 'vitest';
import { answer, writeByTool } from './scripted-agents.ts';
import { openWorld } from './world.ts';

it('is handed over before the next turn of its agent when its worker stops, and no work is repeated', async () => {
  await using world = await openWorld();
  const asked: string[] = [];
  const writing = Promise.withResolvers<void>();
  const first = await world.startWorker({
    script: {
      coder: async (_input, context) => {
        await answer(context, 'one', { asked });
        await writing.promise;
        await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
        await answer(context, 'two', { asked });
        return await new Promise<never>(() => undefined); // a stage that never ends by itself
      },
    },
  });
  const { id } = await world.newIssue();
  await world.untilStatus(id, 'awaiting_approval');
  await world.decide(id, { action: 'approve' });
  await until('the first answer was given', () => asked.length === 1);
  const stopped = first.worker.stop({ graceMs: 60_000 });
  writing.resolve();
  await stopped;
  expect(asked).toEqual(['one']);

  await world.startWorker({
    script: {
      coder: async (_input, context) => {
        await answer(context, 'one', { asked });
        await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
        await answer(context, 'two', { asked });
        return { outcome: 'done', summary: 'sum is fixed', outsidePlan: [] };
      },
    },
  });
  await world.untilStatus(id, 'completed');
  expect(asked).toEqual(['one', 'two']);
  const story = await world.story(id);
  expect(story.filter((line) => line.startsWith('stage.failed'))).toEqual([]);
  expect(story.filter((line) => line.startsWith('agent.tool_call'))).toHaveLength(1);
});
