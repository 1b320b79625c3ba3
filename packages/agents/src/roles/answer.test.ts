import { readFileSync } from 'node:fs';
import { planDraftSchema, reviewSchema, triageSchema } from '@sluice/core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { structuredAnswer, withoutThoughts } from './answer.ts';
import { coderAnswer } from './coder-answer.ts';
import { planner } from './planner.ts';
import { reviewer } from './reviewer.ts';
import { triager } from './triager.ts';

describe('structuredAnswer', () => {
  const answer = structuredAnswer('review', reviewSchema);
  const review = { decision: 'approve', summary: 'Says ```js\n{}\n``` and }.', findings: [] };
  const json = JSON.stringify(review);

  it.each([
    ['alone', json],
    ['in a fence', `\n\`\`\`json\n${JSON.stringify(review, null, 2)}\n\`\`\`\n`],
    ['after words', `Here it is:\n\n\`\`\`json\n${json}\n\`\`\`\n`],
    ['after words, bare', `Here it is:\n\n${json}\n`],
  ])('reads JSON %s', (_where, text) => {
    expect(answer.read(text)).toEqual({ ok: true, output: review });
  });

  it('rejects JSON that text follows: it may be quoted', () => {
    const quoted = `The file says ${json}, but the change is wrong.`;
    expect(answer.read(quoted)).toEqual({ ok: false, fault: expect.stringContaining('It is not JSON') });
    expect(answer.read(`\`\`\`\n${json}\n\`\`\`\nTell me more.`)).toMatchObject({ ok: false });
  });

  it('explains the fault to the model', () => {
    expect(answer.read('Looks good.')).toEqual({ ok: false, fault: expect.stringContaining('It is not JSON') });
    expect(answer.read('')).toEqual({ ok: false, fault: expect.stringContaining('It is not JSON') });
    expect(answer.read(`${json} ${json}`)).toEqual({ ok: false, fault: expect.stringContaining('It is not JSON') });
    const wrong = answer.read(JSON.stringify({ ...review, decision: 'maybe' }));
    expect(wrong).toEqual({ ok: false, fault: expect.stringContaining('decision') });
  });
});

describe('coderAnswer', () => {
  it('reads plain text, and its prefix when the work is blocked', () => {
    expect(coderAnswer.read(' Changed it. ')).toEqual({
      ok: true,
      output: { outcome: 'done', summary: 'Changed it.', outsidePlan: [] },
    });
    expect(coderAnswer.read('BLOCKED: no such file')).toMatchObject({
      output: { outcome: 'blocked', summary: 'no such file' },
    });
    expect(coderAnswer.read('BLOCKED:')).toMatchObject({ ok: false });
  });
});

/** Providers without structured answers get no schema: then only the instructions describe the shape. */
it.each([
  [triager.promptFile, triageSchema],
  [planner.promptFile, planDraftSchema],
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
