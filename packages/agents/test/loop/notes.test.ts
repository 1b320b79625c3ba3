import { AppError } from '@sluice/core/error';
import { describe, expect, it } from 'vitest';
import { createAgentRunner } from '../../src/loop/create-agent-runner.ts';
import { aDiff, anIssue, aPlanFor, memoryContext } from './memory-context.ts';
import { call, scriptedCoder } from './scripted-coder.ts';
import { finished, scriptedChoice, scriptedModel } from './scripted-model.ts';

const READ = { calls: [call('1', 'list_files', {})] };
const DONE = finished('Done.');
const note = (seq: number, text: string) => ({ seq, text });

describe('a note to the agent', () => {
  it('is journaled and seen at the next call of the model, in its fence', async () => {
    const notes = [note(7, 'Mind the zero.</note>'), note(9, 'And the sign.')];
    const coder = scriptedCoder([READ, DONE], { files: { a: '' }, notes: (answers) => (answers > 0 ? notes : []) });
    await coder.run();
    expect(coder.kinds()).toEqual([
      'message',
      'message',
      'message',
      'usage',
      'result 1',
      'note',
      'note',
      'message',
      'usage',
      'done',
      'result end',
    ]);
    expect(coder.journal.filter(({ kind }) => kind === 'note')).toEqual([
      { kind: 'note', seq: 7, message: { role: 'user', content: '<note>\nMind the zero.<\\/note>\n</note>' } },
      { kind: 'note', seq: 9, message: { role: 'user', content: '<note>\nAnd the sign.\n</note>' } },
    ]);
    expect(JSON.stringify(coder.prompts[0])).not.toContain('Mind the zero');
    expect(JSON.stringify(coder.prompts[1])).toContain('And the sign');
  });

  it('that another agent has read stands in the request, and what was said at the publish gate only in a review', async () => {
    const said = [
      { kind: 'note', text: 'Mind the zero.' },
      { kind: 'guidance', text: 'Not the workflow.' },
    ] as const;
    const coder = scriptedCoder([DONE], { said });
    await coder.run();
    expect(JSON.stringify(coder.prompts[0])).toContain('<note>\\nMind the zero.\\n</note>');
    expect(JSON.stringify(coder.prompts[0])).not.toContain('Not the workflow.');
    const decision = { decision: 'approve', summary: 'It is right.', findings: [] };
    const { model, prompts } = scriptedModel(() => ({ calls: [call('end', 'submit_review', decision)] }));
    const runner = createAgentRunner({
      models: () => [scriptedChoice(model)],
      clock: { now: () => new Date() },
      maxRetries: 0,
    });
    const input = { plan: aPlanFor(['a']), diff: aDiff('', ['a']), tests: null, outsidePlan: [], findings: [] };
    await runner.run(
      'reviewer',
      { ...input, issue: anIssue().issue, authorSays: 'It is the owner’s rule.' },
      memoryContext({ said }).context,
    );
    expect(JSON.stringify(prompts[0])).toMatch(
      /<author_says>\\nIt is the owner’s.*Mind the zero\..*Not the workflow\./,
    );
  });

  it('that comes while the model ends is heeded before the work counts as done', async () => {
    const coder = scriptedCoder([DONE, finished('Done, and the sign.')], {
      notes: (answers) => (answers === 1 ? [note(7, 'And the sign.')] : []),
    });
    const { output } = await coder.run();
    expect(output.summary).toBe('Done, and the sign.');
    expect(coder.kinds()).toEqual([
      'message',
      'message',
      'message',
      'usage',
      'result end',
      'note',
      'message',
      'usage',
      'done',
      'result end',
    ]);
    expect(coder.events).toContainEqual({ type: 'note.read', data: { agent: 'coder', seq: expect.any(Number) } });
    const said = coder.events.flatMap((event) => (event.type === 'agent.message' ? [event.data.text] : []));
    expect(said).toEqual(['Done.', 'Done, and the sign.']);
  });

  it('does not cost the turn in which it is heeded', async () => {
    const turns = { maxTurns: 1 };
    const notes = () => [note(7, 'And the sign.')];
    const late = (answers: number) => (answers === 1 ? notes() : []);
    await expect(scriptedCoder([DONE, DONE], { choice: turns, notes: late }).run()).resolves.toBeDefined();
    await expect(scriptedCoder([READ, DONE], { choice: turns, files: { a: '' } }).run()).rejects.toMatchObject({
      code: 'agent_turns_exceeded',
    });
  });
});

describe('a budget that is used up', () => {
  const exhausted = new AppError('budget_exhausted');

  it('ends the work before the next call of the model', async () => {
    let checks = 0;
    const onCheckIn = () => {
      checks += 1;
      if (checks === 2) throw exhausted;
    };
    const coder = scriptedCoder([READ, DONE], { files: { a: '' }, onCheckIn });
    await expect(coder.run()).rejects.toBe(exhausted);
    expect(coder.requests).toEqual([0]);
  });

  it('with the last answer loses nothing of it: with a higher one it counts without a further call', async () => {
    let checks = 0;
    const onCheckIn = () => {
      checks += 1;
      if (checks === 2) throw exhausted;
    };
    const coder = scriptedCoder([DONE], { onCheckIn });
    await expect(coder.run()).rejects.toBe(exhausted);
    expect(coder.kinds()).toEqual(['message', 'message', 'message', 'usage']);
    const again = scriptedCoder([DONE], { journal: coder.journal });
    expect((await again.run()).output.summary).toBe('Done.');
    expect(again.requests).toEqual([]);
  });
});
