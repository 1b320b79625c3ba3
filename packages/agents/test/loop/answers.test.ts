import { AppError } from '@sluice/core/error';
import { describe, expect, it } from 'vitest';
import { createAgentRunner } from '../../src/loop/create-agent-runner.ts';
import { anIssue, memoryContext } from './memory-context.ts';
import { call, scriptedCoder } from './scripted-coder.ts';
import { finished, type ScriptedTurn, scriptedChoice, scriptedModel } from './scripted-model.ts';

const DONE = finished('Done.');

describe('who answered', () => {
  it('is recorded with its usage and price, and reports the skipped model', async () => {
    const standIn = scriptedModel(() => ({ ...DONE, inputTokens: 40 }));
    const coder = scriptedCoder([{ refuses: new AppError('model_overloaded', { detail: 'Too many requests.' }) }], {
      choice: { name: 'test/first', costUsd: () => 7 },
      standIns: [scriptedChoice(standIn.model, { name: 'test/second', costUsd: () => 0.25 })],
    });
    const { usage, madeBy } = await coder.run();
    expect(usage).toEqual({ input_tokens: 40, output_tokens: 10, cost_usd: 0.25 });
    expect(madeBy).toEqual(['scripted']);
    expect(coder.journal.find(({ kind }) => kind === 'usage')).toMatchObject({ model: 'test/second' });
    expect(coder.serviceMessages()).toEqual([
      'test/first was skipped. Too many requests. test/second answered instead.',
    ]);
  });
});

describe('an answer that was withheld', () => {
  it('fails the stage, is paid for, and is no part of the conversation', async () => {
    const coder = scriptedCoder([{ text: 'I will not', finish: 'content-filter' }]);
    await expect(coder.run()).rejects.toMatchObject({ code: 'model_answer_withheld' });
    expect(coder.kinds()).toEqual(['message', 'message', 'usage']);
    const next = scriptedCoder([DONE], { journal: coder.journal });
    const { output, usage } = await next.run();
    expect(output.summary).toBe('Done.');
    expect(usage.input_tokens).toBe(200);
  });
});

describe('an answer at the output limit', () => {
  it('is asked once to be shorter, then fails', async () => {
    const cut: ScriptedTurn = { text: 'half a', finish: 'length' };
    const coder = scriptedCoder(() => cut);
    await expect(coder.run()).rejects.toMatchObject({
      code: 'agent_output_invalid',
      message: expect.stringContaining('be shorter'),
    });
    expect(coder.requests).toHaveLength(2);
    expect(JSON.stringify(coder.prompts[1])).toContain('be shorter');
  });

  it('says to the model that a call of it was not whole', async () => {
    const cut: ScriptedTurn = {
      calls: [call('1', 'write_file', '{"path": "a.txt", "content": "aaa')],
      finish: 'length',
    };
    const coder = scriptedCoder([cut, DONE]);
    await coder.run();
    expect(coder.results()).toEqual([
      expect.objectContaining({ ok: false, summary: expect.stringContaining('cut off at the output limit') }),
    ]);
    expect(coder.effects).toEqual([]);
  });
});

describe('a wrong structured answer', () => {
  it('fails after one correction, and each next attempt of the stage asks exactly once more', async () => {
    const { issue, repo } = anIssue();
    let journal = memoryContext().journal;
    for (const requests of [2, 1, 1]) {
      const memory = memoryContext({ journal });
      const scripted = scriptedModel(() => ({ text: '{"kind": "bug"}' }));
      const choice = scriptedChoice(scripted.model, { maxTurns: 10 });
      const runner = createAgentRunner({ models: () => [choice], clock: { now: () => new Date() } });
      await expect(runner.run('triager', { issue, repo }, memory.context)).rejects.toMatchObject({
        code: 'agent_output_invalid',
      });
      expect(scripted.requests).toHaveLength(requests);
      journal = memory.journal;
    }
  });

  it('of neither words nor a call is asked again, once', async () => {
    const coder = scriptedCoder(() => ({}));
    await expect(coder.run()).rejects.toMatchObject({ code: 'agent_output_invalid' });
    expect(coder.requests).toHaveLength(2);
  });
});

describe('an answer of nothing', () => {
  it('now and then costs a long run nothing but the turn; a model that gives no other is given up', async () => {
    const list: ScriptedTurn = { calls: [call('1', 'list_files', {})] };
    const run = (empty: number) =>
      scriptedCoder((n) => (n % 2 === 0 && n < 2 * empty ? {} : n < 2 * empty ? list : DONE));
    expect((await run(3).run()).output.summary).toBe('Done.');
    await expect(run(4).run()).rejects.toMatchObject({ code: 'agent_output_invalid' });
  });
});

describe('what the service knows for itself', () => {
  const reason = 'Callers of the renamed function.';
  const turns: ScriptedTurn[] = [
    {
      calls: [
        call('1', 'write_file', { path: 'c.txt', content: 'c' }),
        call('2', 'write_file', { path: './c.txt', content: 'c', outside_plan_reason: reason }),
        call('3', 'write_file', { path: 'a.txt', content: 'a', outside_plan_reason: 'needless' }),
        call('4', 'write_file', { path: '../d.txt', content: 'd', outside_plan_reason: reason }),
      ],
    },
    DONE,
  ];

  it('is which files a coder wrote outside the plan and why, after a restart too', async () => {
    const coder = scriptedCoder(turns);
    const { output } = await coder.run();
    expect(output.outsidePlan).toEqual([{ path: 'c.txt', reason }]);
    const cut = coder.journal.findIndex((entry) => entry.kind === 'result' && entry.callId === '3');
    const next = scriptedCoder(turns, { journal: coder.journal.slice(0, cut + 1) });
    expect((await next.run()).output).toEqual(output);
  });

  it('is which places the first search showed, by the journal', async () => {
    const { issue, repo } = anIssue();
    const hit = { path: 'src/sum.js', startLine: 1, endLine: 3, symbol: null, text: 'x', score: 1 };
    const right = { kind: 'bug', summary: 's', acceptance_criteria: [], risk: 'low', open_questions: [] };
    const run = async (options: Parameters<typeof memoryContext>[0]) => {
      const memory = memoryContext(options);
      const { model } = scriptedModel(() => ({ text: JSON.stringify(right) }));
      const runner = createAgentRunner({ models: () => [scriptedChoice(model)], clock: { now: () => new Date() } });
      return { ...memory, result: await runner.run('triager', { issue, repo }, memory.context) };
    };
    const first = await run({ hits: [hit, { ...hit, startLine: 9 }, { ...hit, path: 'b.js' }] });
    expect(first.result.retrieved).toEqual(['src/sum.js', 'b.js']);
    const again = await run({ hits: [], journal: first.journal.slice(0, 3) });
    expect(again.result.retrieved).toEqual(['src/sum.js', 'b.js']);
    expect((await scriptedCoder([DONE]).run()).retrieved).toEqual([]);
  });
});
