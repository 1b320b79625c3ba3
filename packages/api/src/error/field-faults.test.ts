import { expect, it } from 'vitest';
import * as z from 'zod';
import { fieldFaults, summarizeFaults } from './field-faults.ts';

const schema = z.strictObject({
  title: z.string().max(100),
  count: z.int().min(1).optional(),
  cost: z.number().positive().max(10).optional(),
  labels: z.array(z.string()).max(2).optional(),
  settings: z.strictObject({ auto_run: z.boolean() }).optional(),
  action: z.enum(['approve', 'reject']).optional(),
});

it.each([
  [undefined, 'The input is required'],
  [[], 'The input must be an object'],
  [{}, 'title: is required'],
  [{ title: null }, 'title: must be a string'],
  [{ title: 'x', count: '1' }, 'count: must be a number'],
  [{ title: 'x', count: 1.5 }, 'count: must be a whole number'],
  [{ title: 'x', count: 0 }, 'count: must be at least 1'],
  [{ title: 'x', count: 1e300 }, 'count: must be at most 9007199254740991'],
  [{ title: 'x', cost: 0 }, 'cost: must be more than 0'],
  [{ title: 'x', cost: 10.5 }, 'cost: must be at most 10'],
  [{ title: 'x'.repeat(101) }, 'title: must have at most 100 characters'],
  [{ title: 'x', labels: ['a', 'b', 'c'] }, 'labels: must have at most 2 items'],
  [{ title: 'x', labels: 'a' }, 'labels: must be an array'],
  [{ title: 'x', labels: ['a', 1] }, 'labels.1: must be a string'],
  [{ title: 'x', settings: [] }, 'settings: must be an object'],
  [{ title: 'x', settings: { auto_run: 'true' } }, 'settings.auto_run: must be a boolean'],
  [{ title: 'x', action: 'aprove' }, 'action: must be `approve` or `reject`'],
  [{ title: 'x', titel: 'y' }, 'titel: is not a known field'],
])('describes how to correct %j: %s', (input, said) => {
  const { error } = schema.safeParse(input);
  const faults = error === undefined ? [] : fieldFaults(error);
  expect(summarizeFaults(faults)).toBe(`The request is not valid. ${said}.`);
});

it('names the first twenty of a hundred thousand unknown fields', () => {
  const input = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, 1]));
  const { error } = z.strictObject({}).safeParse(input);
  const faults = error === undefined ? [] : fieldFaults(error);
  expect([faults.length, faults[0]?.path, faults.at(-1)?.path]).toEqual([20, 'k0', 'k19']);
});
