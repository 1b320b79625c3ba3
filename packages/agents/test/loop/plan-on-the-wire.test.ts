import { expect, it } from 'vitest';
import { createAgentRunner } from '../../src/loop/create-agent-runner.ts';
import { choiceAt } from '../models/ask.ts';
import { startVendor, stream } from '../models/vendor-server.ts';
import { anIssue, memoryContext } from './memory-context.ts';
import { plan, planInputs, planShapes } from './plan-shapes.ts';
import { answer, called } from './weak-server.ts';

const NAME = 'compatible/weak';

type Answer = ReturnType<typeof answer>;

const LOOK = answer(called('read_file', '{"path": "src/sum.js"}'), { finish: 'tool_calls' });
const submit = (input: object) => answer(called('submit_plan', JSON.stringify(input)), { finish: 'tool_calls' });

/** A planner whose model server gives these answers after a look, the last one for ever. */
async function planWith(answers: readonly Answer[]) {
  await using vendor = await startVendor((response, _request, count) => {
    stream(response, [LOOK, ...answers][count - 1] ?? answers.at(-1) ?? LOOK);
    response.end('data: [DONE]\n\n');
  });
  const memory = memoryContext({ files: { 'src/sum.js': 'x', 'test/sum.test.js': 'x' } });
  const { issue, repo } = anIssue();
  const runner = createAgentRunner({
    models: () => [choiceAt(vendor.url, NAME, { table: { [NAME]: { context_tokens: 64_000 } } })],
    clock: { now: () => new Date() },
    maxRetries: 0,
  });
  const input = { issue, repo, triage: null, lastPlan: null, guidance: null, baseMoved: null };
  const { output } = await runner.run('planner', input, memory.context);
  return { output, requests: vendor.requests.length };
}

it.each(planShapes)('takes a plan in text over the wire, without asking again: %s', async (_how, content) => {
  expect(await planWith([answer({ content })])).toEqual({ output: plan, requests: 2 });
});

it.each(planInputs)('takes a plan by its tool over the wire, without asking again: %s', async (_how, input) => {
  expect(await planWith([submit(input)])).toEqual({ output: plan, requests: 2 });
});

it.each([
  ['a missing member', [submit({ ...plan, risks: undefined }), submit(plan)]],
  ['words', [answer({ content: 'I would change the loop.' }), submit(plan)]],
])('asks once for the plan after %s', async (_what, answers) => {
  expect(await planWith(answers)).toEqual({ output: plan, requests: 3 });
});

it('names a refusal, in the words of the model', async () => {
  const refusal = answer({ content: "I'm sorry, but I can't help with that." });
  await expect(planWith([refusal, refusal])).rejects.toMatchObject({
    code: 'agent_blocked',
    message: expect.stringContaining('The planner refused: "I\'m sorry, but I can\'t help with that."'),
  });
});
