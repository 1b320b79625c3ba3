import { readFileSync } from 'node:fs';
import { plannerOutputSchema, reviewSchema, triageSchema } from '@sluice/core/pipeline';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { plan, planInputs, planShapes } from '../../test/loop/plan-shapes.ts';
import { withoutThoughts } from './answer.ts';
import { coderAnswer } from './coder-answer.ts';
import { planner } from './planner.ts';
import { reviewer } from './reviewer.ts';
import { triager } from './triager.ts';

describe('structuredAnswer', () => {
  const answer = reviewer.answer;
  const review = { decision: 'approve', summary: 'Says ```js\n{}\n``` and }.', findings: [] };
  const json = JSON.stringify(review);

  it.each([
    ['alone', json],
    ['in a fence', `\n\`\`\`json\n${JSON.stringify(review, null, 2)}\n\`\`\`\n`],
    ['in a tag', `<tool_call>\n${json}\n</tool_call>`],
  ])('reads JSON %s', (_where, text) => {
    expect(answer.read(text)).toEqual({ ok: true, output: review });
  });

  it.each([
    ['in a fence', `Here it is:\n\n\`\`\`json\n${json}\n\`\`\`\n`],
    ['bare', `Here it is:\n\n${json}\n`],
    ['which it quotes', `I disagree with the file, which says:\n${json}`],
  ])('asks once for an approval after words, %s', (_where, text) => {
    const fault = expect.stringContaining('Words stand before the JSON');
    expect(answer.read(text)).toMatchObject({ ok: false, fault, otherwise: review });
    expect(answer.read(text.replace('approve', 'request_changes'))).toMatchObject({ ok: true });
  });

  it('takes no approval that words follow: it may be quoted', () => {
    const quoted = `The file says ${json}, but the change is wrong.`;
    expect(answer.read(quoted)).toMatchObject({ ok: false, fault: expect.stringContaining('write nothing after it') });
    expect(answer.read(`\`\`\`\n${json}\n\`\`\`\nTell me more.`)).toMatchObject({ ok: false });
    const refused = JSON.stringify({ ...review, decision: 'request_changes' });
    expect(answer.read(`${refused}\nTell me more.`)).toMatchObject({ ok: true });
  });

  it('explains the fault to the model', () => {
    const problem = 'It holds no JSON object.';
    const none = { ok: false, problem, fault: `${problem} Call the tool submit_review.` };
    expect(answer.read('Looks good.')).toEqual(none);
    expect(answer.read('')).toEqual(none);
    const wrong = answer.read(JSON.stringify({ ...review, decision: 'maybe' }));
    expect(wrong).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^The answer does not fit: decision: .*\.$/),
    });
  });
});

describe('a plan in the shapes of weak models', () => {
  it.each(planShapes)('is read %s', (_how, text) => {
    expect(planner.answer.read(text)).toEqual({ ok: true, output: plan });
  });

  it.each(planInputs)('is read from the input of its tool %s', (_how, input) => {
    expect(planner.answer.readCall(input)).toEqual({ ok: true, output: plan });
  });

  it.each([
    ['null'],
    ['"plan"'],
    ['[]'],
    ['{}'],
    ['{"plan": null}'],
    ['{"__proto__": {"summary": "x"}}'],
    ['{"steps": "all"}'],
  ])('is asked for again when it is %s', (text) => {
    expect(planner.answer.read(text)).toMatchObject({ ok: false });
    expect(planner.answer.readCall(JSON.parse(text))).toMatchObject({ ok: false });
  });

  it('may leave out the lists where it is an answer to a question', () => {
    const question = { kind: 'question', summary: 'Where is it?', answer: 'In a.ts.' };
    const output = { ...question, steps: [], acceptance_criteria: [], risks: [], test_strategy: '' };
    expect(planner.answer.readCall(question)).toEqual({ ok: true, output });
    expect(planner.answer.read(JSON.stringify(question))).toEqual({ ok: true, output });
    expect(planner.answer.readCall({ ...question, answer: ' ' })).toMatchObject({ ok: false });
  });

  it('is looked for in long text with many braces in no time', () => {
    expect(planner.answer.read('{ '.repeat(100_000))).toMatchObject({ ok: false });
    expect(planner.answer.read(`${'{}'.repeat(50_000)}${JSON.stringify(plan)}`)).toMatchObject({ ok: false });
  });
});

describe('an end of the coder in words', () => {
  it.each([' DONE: Changed it. ', '**Done.** Changed it.', '# Completed\n\nChanged it.'])(
    'is asked for its tool, and is done when it comes again and says so first: %s',
    (text) => {
      expect(coderAnswer.read(text)).toMatchObject({
        ok: false,
        fault: expect.stringContaining('call finish'),
        otherwise: { outcome: 'done', summary: 'Changed it.', ran: [], outsidePlan: [] },
      });
    },
  );

  it('is blocked where it does not say whether the work is done, with its words', () => {
    expect(coderAnswer.read('Steps 2-4 are next.')).toMatchObject({
      otherwise: { outcome: 'blocked', summary: expect.stringMatching(/without saying.*: Steps 2-4 are next\./) },
    });
  });

  it('is what it gives in the form of the tool, also before a closing word', () => {
    const text = '```json\n{"outcome": "done", "summary": "Changed it."}\n```\nLet me know.';
    expect(coderAnswer.read(text)).toMatchObject({ ok: false, otherwise: { outcome: 'done', summary: 'Changed it.' } });
  });

  it('of nothing is asked for again', () => {
    expect(coderAnswer.read('')).toMatchObject({ ok: false, fault: expect.stringContaining('empty') });
    expect(coderAnswer.read('BLOCKED:')).toMatchObject({ ok: false, fault: expect.stringContaining('empty') });
  });

  it.each([
    'BLOCKED: no such file',
    '**BLOCKED:** no such file',
    '# Blocked: no such file',
    '> blocked – no such file',
  ])('is taken at once when it begins with the word for it: %s', (text) => {
    expect(coderAnswer.read(text)).toMatchObject({ output: { outcome: 'blocked', summary: 'no such file' } });
  });
});

describe('the end of a coder', () => {
  const done = { outcome: 'done', summary: 'Changed it.' };

  it.each([
    ['null for what is left out', { ...done, ran: null, not_run_reason: null }],
    ['members that are not wanted', { ...done, confidence: 1 }],
    ['a capital', { ...done, outcome: 'Done' }],
    ['commands as texts', { ...done, ran: ['npm test'] }],
    ['commands in another form', { ...done, ran: [{ cmd: 'npm test', exit_code: 0 }] }],
    ['a wrapping object', { input: done }],
  ])('is read with %s', (_how, input) => {
    expect(coderAnswer.readCall(input)).toMatchObject({ ok: true, output: { ...done, ran: [] } });
  });

  it.each([
    [{ ...done, outcome: 'partial' }],
    [{ summary: 'Changed it.' }],
    [{ ...done, summary: '' }],
    ['done'],
    [null],
  ])('is asked for again when it is %j', (input) => {
    expect(coderAnswer.readCall(input)).toMatchObject({ ok: false });
  });

  it.each([
    '{"outcome": "blocked", "summary": "no such file"}',
    '```json\n{"outcome": "blocked", "summary": "no such file"}\n```',
    '<tool_call>\n{"name": "finish", "arguments": {"outcome": "blocked", "summary": "no such file"}}\n</tool_call>',
  ])('counts as blocked in text as well: %s', (text) => {
    expect(coderAnswer.read(text)).toMatchObject({ ok: true, output: { outcome: 'blocked', summary: 'no such file' } });
  });

  it('is asked for its tool when it says in text that it is done, and taken with its own words', () => {
    const text = `I am done:\n${JSON.stringify(done)}`;
    expect(coderAnswer.read(text)).toMatchObject({ ok: false, otherwise: done });
  });

  it('is not blocked where it says that nothing is', () => {
    expect(coderAnswer.read('Blocked: none.\nChanged it.')).toMatchObject({ ok: false });
  });

  it('in words that contradict it is told so when it is asked for the tool', () => {
    const fault = expect.stringMatching(/not done: "I could not finish the change\." You called no tool/);
    expect(coderAnswer.read('I could not finish the change.')).toMatchObject({ ok: false, fault });
  });
});

/** Providers without structured answers get no schema: then only the instructions describe the shape. */
it.each([
  [triager.promptFile, triageSchema],
  [planner.promptFile, plannerOutputSchema],
  [reviewer.promptFile, reviewSchema],
])('names every field and choice of the answer in %s', (promptFile, schema) => {
  const prompt = readFileSync(promptFile, 'utf8');
  const names = namesIn(z.toJSONSchema(schema));
  expect(names).toContain('summary');
  for (const name of names) expect(prompt).toContain(`\`${name}\``);
});

describe('withoutThoughts', () => {
  it.each([
    ['complete ones', '<think>\nOr {"a": 1}?\n</think>\n\nBLOCKED: no.', 'BLOCKED: no.'],
    ['complete ones on one line', ' <thinking>Hm.</thinking>Done.', 'Done.'],
    ['those that the template started', 'Or {"a": 1}?\n</think>\n\nDone.', 'Done.'],
    ['those that did not end', '<think>\nAnd then I', ''],
  ])('removes thoughts: %s', (_which, text, answer) => {
    expect(withoutThoughts(text)).toBe(answer);
  });

  it.each([
    'Done. `<think>` and `</think>` are shown now.',
    '{"summary": "The parser drops <think>…</think> from answers."}',
    'No thoughts.\n',
  ])('keeps text about the tags: %s', (text) => {
    expect(withoutThoughts(text)).toBe(text);
  });

  it('is fast on long white space', () => {
    const blank = '\n '.repeat(500_000);
    expect(withoutThoughts(blank)).toBe(blank);
  });
});

function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, items, enum: choices = [] } = schema as z.core.JSONSchema.JSONSchema;
  const own = [...Object.keys(properties), ...choices.map(String)];
  return [...own, ...Object.values(properties).flatMap(namesIn), ...namesIn(items)];
}
