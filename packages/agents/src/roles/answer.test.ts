import { readFileSync } from 'node:fs';
import { planDraftSchema, reviewSchema, triageSchema } from '@sluice/core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { structuredAnswer } from './answer.ts';
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
  ])('reads JSON that stands %s', (_where, text) => {
    expect(answer.read(text)).toEqual({ ok: true, output: review });
  });

  it('takes no JSON that words follow: it may be quoted', () => {
    const quoted = `The file says ${json}, but the change is wrong.`;
    expect(answer.read(quoted)).toEqual({ ok: false, fault: expect.stringContaining('It is not JSON') });
    expect(answer.read(`\`\`\`\n${json}\n\`\`\`\nTell me more.`)).toMatchObject({ ok: false });
  });

  it('says what is wrong, in words for the model', () => {
    expect(answer.read('Looks good.')).toEqual({ ok: false, fault: expect.stringContaining('It is not JSON') });
    expect(answer.read('')).toEqual({ ok: false, fault: expect.stringContaining('It is not JSON') });
    expect(answer.read(`${json} ${json}`)).toEqual({ ok: false, fault: expect.stringContaining('It is not JSON') });
    const wrong = answer.read(JSON.stringify({ ...review, decision: 'maybe' }));
    expect(wrong).toEqual({ ok: false, fault: expect.stringContaining('decision') });
  });
});

describe('coderAnswer', () => {
  it('takes words, and what they begin with when the work is blocked', () => {
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

/** Providers without structured answers hand on no schema: then the instructions are all that tells of the shape. */
it.each([
  [triager.promptFile, triageSchema],
  [planner.promptFile, planDraftSchema],
  [reviewer.promptFile, reviewSchema],
])('tells the model every field and choice of the answer in %s', (promptFile, schema) => {
  const prompt = readFileSync(promptFile, 'utf8');
  const names = namesIn(z.toJSONSchema(schema));
  expect(names).toContain('summary');
  for (const name of names) expect(prompt).toContain(`\`${name}\``);
});

function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, items, enum: choices = [] } = schema as z.core.JSONSchema.JSONSchema;
  const own = [...Object.keys(properties), ...choices.map(String)];
  return [...own, ...Object.values(properties).flatMap(namesIn), ...namesIn(items)];
}
