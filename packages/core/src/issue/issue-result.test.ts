import { expect, it } from 'vitest';
import { addUsage, NO_USAGE, type Usage } from '../pipeline/usage.ts';

const answer: Usage = { input_tokens: 1_000, output_tokens: 50, cost_usd: 0.002205 };

it('adds up money without what floating point leaves over', () => {
  expect([answer, answer, answer].reduce(addUsage, NO_USAGE)).toEqual({
    input_tokens: 3_000,
    output_tokens: 150,
    cost_usd: 0.006615,
  });
});

it('knows no sum of which a part is unknown', () => {
  expect(addUsage(answer, { ...answer, cost_usd: null }).cost_usd).toBeNull();
});
