import { until } from '@sluice/testing';
import { expect, it } from 'vitest';
import { type FakeCommand, tapTest } from '../fake-sandbox.ts';
import { type Life, mortalLife } from '../mortal.ts';
import { openWorld, type World } from '../world.ts';

// Usual way: packages/worker/test/retry.test.ts

/** Tests that write to their tree: a death right after them leaves the files, and the next run must not see them. */
const commands: Record<string, FakeCommand> = {
  'npm test': (run) => {
    const result = run.files.has('junk') ? { exitCode: 99 } : tapTest(run);
    run.files.set('src/sum.js', 'tampered with');
    run.files.set('junk', 'left behind');
    return result;
  },
};

/** Starts a worker in which everything durable or outside goes through one life. */
async function startMortal(world: World, life: Life) {
  const parts = world.makeWorker({ commands });
  return world.startWorker({
    deps: {
      issues: life.wrap('issues', world.issues),
      runs: life.wrap('runs', world.runs),
      repos: life.wrap('repos', world.repos),
      workspaces: life.wrap('workspaces', world.host.workspaces),
      sandbox: life.wrap('sandbox', parts.sandbox),
    },
  });
}

/** Runs one pipeline in which the worker dies once, after its `lastWrite`th write. False when it got through alive. */
async function pipelineWithDeath(lastWrite: number): Promise<boolean> {
  await using world = await openWorld();
  const life = mortalLife(lastWrite);
  const first = await startMortal(world, life);
  const { id } = await world.newIssue();
  let approved = false;
  let succeeded = false;

  async function step(): Promise<boolean> {
    if (life.dead && !succeeded) {
      succeeded = true;
      first.abandon();
      await world.runs.expireLeases(); // what the only process on a database does when it starts
      await world.startWorker({ commands });
    }
    const issue = await world.get(id);
    if (issue.gate !== null && !approved && issue.queuedAt !== null) {
      approved = await world.decide(id, { action: 'approve' }).then(
        () => true,
        () => false, // between the two writes that open the review
      );
    }
    const isLastWriteDone = life.dead || life.writes.at(-1) === 'runs.release'; // it may still die in that one
    return issue.finishedAt !== null && isLastWriteDone && succeeded === life.dead && world.host.trees.size === 0;
  }
  await until(
    `the issue ended and its tree is gone, with a death after write ${lastWrite}: ${life.writes.at(-1)}`,
    step,
  );

  const where = `death after write ${lastWrite}, ${life.writes.at(-1)}`;
  const issue = await world.get(id);
  expect(issue.error, where).toBeNull();
  const events = await world.events(id);
  expect(
    events.map((event) => event.seq),
    where,
  ).toEqual(events.map((_, index) => index + 1));
  const once = (await world.story(id)).filter(
    (line) => !line.startsWith('stage.started') && !line.startsWith('command.') && line !== 'diff.updated',
  );
  expect(
    once.map((line) => line.replace(/ \d+$/, '')),
    where,
  ).toEqual(expectedOnce);
  expect([...world.host.remote.keys()], where).toEqual([issue.result?.branch]);
  expect([...world.host.remote.values()][0]?.head, where).toBe(issue.result?.head_commit);
  expect(Object.fromEntries([...world.host.remote.values()][0]?.files ?? []), where).toEqual({ 'src/sum.js': 'fixed' });
  expect(issue.result?.tests, where).toMatchObject({ verdict: 'green', base_exit_code: 1 });
  expect(issue.usage, where).toEqual({ input_tokens: 40, output_tokens: 20, cost_usd: 0 });
  expect(await world.issues.estimate(id, 1), where).toMatchObject({ history: 0 });
  return life.dead;
}

/** Events that must be in the log exactly once, whenever a worker died. */
const expectedOnce = [
  'issue.created',
  'pending -> running',
  'agent.message',
  'stage.completed prepare',
  'stage.completed index',
  'stage.completed triage',
  'stage.completed plan',
  'plan.created',
  'review.requested',
  'running -> human_review',
  'human_review -> awaiting_approval',
  'review.decided',
  'awaiting_approval -> running',
  'agent.tool_call',
  'agent.tool_result',
  'stage.completed implement',
  'stage.completed test',
  'stage.completed review',
  'stage.completed publish',
  'result.published',
  'running -> completed',
];

it('finishes a pipeline whose worker died, after whichever write, with every result once', async () => {
  let deaths = 0;
  while (await pipelineWithDeath(deaths + 1)) deaths += 1;
  expect(deaths).toBeGreaterThan(35); // fewer would mean that writes went past the counter
});
