import type { AgentInput } from '@sluice/core/agent';
import { describe, expect, it } from 'vitest';
import { createAgentRunner } from '../../src/loop/create-agent-runner.ts';
import { anIssue, memoryContext } from './memory-context.ts';
import { call } from './scripted-coder.ts';
import { type ScriptedTurn, scriptedChoice, scriptedModel } from './scripted-model.ts';

const FILES = { 'src/mean.js': 'x', 'test/mean.test.js': 'x' };
const read = { calls: [call('r', 'read_file', { path: 'src/mean.js' })] };

/** One call of the tool by which planners end. */
function submit(files: readonly string[], more: object = {}): ScriptedTurn {
  const steps = files.length === 0 ? [] : [{ title: 'Fix', detail: 'Divide by n.', files }];
  const plan = { summary: 'Fix mean.', steps, acceptance_criteria: [], risks: [], test_strategy: '', ...more };
  return { calls: [call('s', 'submit_plan', plan)] };
}

async function plan(turns: readonly ScriptedTurn[]) {
  const { model, requests } = scriptedModel((answered) => turns[answered] ?? { text: 'Too far.' });
  const memory = memoryContext({ files: FILES });
  const { issue, repo } = anIssue();
  const runner = createAgentRunner({
    models: () => [scriptedChoice(model)],
    clock: { now: () => new Date() },
    maxRetries: 0,
  });
  const input: AgentInput['planner'] = {
    issue,
    repo,
    triage: null,
    lastPlan: null,
    guidance: null,
    baseMoved: null,
    environment: null,
  };
  const { output } = await runner.run('planner', input, memory.context);
  const results = memory.events.flatMap((event) => (event.type === 'agent.tool_result' ? [event.data] : []));
  const corrections = memory.journal.flatMap((entry) => (entry.kind === 'message' ? [entry.message] : [])).slice(2);
  return {
    output,
    requests: requests.length,
    corrections: corrections.filter((message) => (message as { role: string }).role === 'user'),
    refused: results.filter(({ ok }) => !ok).map(({ summary }) => summary),
  };
}

/** The same plan in text, from a model that calls no tool for it. */
function inText(turn: ScriptedTurn): ScriptedTurn {
  return { text: JSON.stringify(turn.calls?.[0]?.input) };
}

describe('the paths of a submitted plan', () => {
  it('are taken at once when each exists or can only be a new file', async () => {
    const { requests, refused } = await plan([read, submit(['src/mean.js', 'src/median.js'])]);
    expect([requests, refused]).toEqual([2, []]);
  });

  it('are asked for again once, with what is wrong with each', async () => {
    const wrong = submit(['mean.js', 'src', '../x.js', 'test/*.js', 'lib/mean.js']);
    const { output, requests, refused } = await plan([read, wrong, submit(['src/mean.js'])]);
    expect(requests).toBe(3);
    expect(refused).toHaveLength(1);
    for (const path of [
      '`mean.js` does not exist, but `src/mean.js` does',
      '`src` is a folder',
      '`../x.js` leads out',
      '`test/*.js` is a pattern',
      '`lib/mean.js` does not',
    ])
      expect(refused[0]).toContain(path);
    expect(output.steps[0]?.files).toEqual(['src/mean.js']);
  });

  it('are read without what models write around them', async () => {
    const decorated = [
      '`src/mean.js`',
      'src/mean.js:12',
      'src/mean.js#L3-L9',
      '"test/mean.test.js"',
      'src/new.js (new)',
    ];
    const { output, requests } = await plan([read, submit(decorated)]);
    expect([requests, output.steps[0]?.files]).toEqual([2, ['src/mean.js', 'test/mean.test.js', 'src/new.js']]);
  });

  it('are asked for again once where the plan is given in text', async () => {
    const wrong = inText(submit(['src/mean.ts']));
    const right = await plan([read, wrong, inText(submit(['src/mean.js']))]);
    expect([right.requests, right.output.steps[0]?.files]).toEqual([3, ['src/mean.js']]);
    expect(JSON.stringify(right.corrections)).toContain('`src/mean.ts` does not exist');
    const insisting = await plan([read, wrong, wrong]);
    expect([insisting.requests, insisting.output.steps[0]?.files]).toEqual([3, ['src/mean.ts']]);
    const afterNoPlan = await plan([read, { text: 'I have a plan.' }, wrong, inText(submit(['src/mean.js']))]);
    expect([afterNoPlan.requests, afterNoPlan.output.steps[0]?.files]).toEqual([4, ['src/mean.js']]);
  });

  it('are asked about where git ignores them, because they would not be in the change', async () => {
    const { refused, output } = await plan([read, submit(['ignored/table.js']), submit(['src/mean.js'])]);
    expect(refused).toEqual([expect.stringContaining('`ignored/table.js` is ignored by git')]);
    expect(output.steps[0]?.files).toEqual(['src/mean.js']);
  });

  it('are taken as they are when the planner insists', async () => {
    const { output, requests } = await plan([read, submit(['src/mean.ts']), submit(['src/mean.ts'])]);
    expect(requests).toBe(3);
    expect(output.steps[0]?.files).toEqual(['src/mean.ts']);
  });
});

describe('a planner', () => {
  it('ends with an answer where the issue is a question, and says what kind it is', async () => {
    const found = { kind: 'question', risk: 'low', open_questions: [], answer: 'In src/mean.js.' };
    expect((await plan([read, submit([], found)])).output).toMatchObject(found);
  });

  it.each([
    ['plans a change for it', submit(['src/mean.js'], { kind: 'question' }), 'A question is answered, not coded'],
    ['gives no answer', submit([], { kind: 'question' }), 'The question has no answer'],
  ])('that calls the issue a question and %s is asked once', async (_, wrong, opening) => {
    const right = submit([], { kind: 'question', answer: 'In src/mean.js.' });
    const corrected = await plan([read, wrong, right]);
    expect(corrected).toMatchObject({ output: { steps: [], answer: 'In src/mean.js.' }, requests: 3 });
    expect(corrected.refused).toEqual([expect.stringContaining(opening)]);
    expect(await plan([read, wrong, wrong])).toMatchObject({ output: { kind: 'question' }, requests: 3 });
  });

  it('whose answer is a refusal is asked once, and then gives none', async () => {
    const refusing = submit([], { kind: 'question', answer: "I can't help with that." });
    const { output, requests } = await plan([read, refusing, refusing]);
    expect([output.answer, requests]).toEqual(['', 3]);
  });

  it('that only corrected its plan has read nothing, and the approver is told', async () => {
    const { output } = await plan([submit(['src/mean.ts']), submit(['src/mean.js'])]);
    expect(output.risks).toEqual([expect.stringContaining('read nothing')]);
  });
});
