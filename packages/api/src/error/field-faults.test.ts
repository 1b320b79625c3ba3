import { expect, it } from 'vitest';
import * as z from 'zod';
import { fieldFaults, summarizeFaults } from './field-faults.ts';

const schema = z.strictObject({
  title: z.string(),
  count: z.int().optional(),
  labels: z.array(z.string()).optional(),
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
  [{ title: 'x', labels: 'a' }, 'labels: must be an array'],
  [{ title: 'x', labels: ['a', 1] }, 'labels.1: must be a string'],
  [{ title: 'x', settings: [] }, 'settings: must be an object'],
  [{ title: 'x', settings: { auto_run: 'true' } }, 'settings.auto_run: must be a boolean'],
  [{ title: 'x', action: 'aprove' }, 'action: must be `approve` or `reject`'],
  [{ title: 'x', titel: 'y' }, 'titel: is not a known field'],
])('says of %j what to do about it: %s', (input, said) => {
  const { error } = schema.safeParse(input);
  const faults = error === undefined ? [] : fieldFaults(error);
  expect(summarizeFaults(faults)).toBe(`The request is not valid. ${said}.`);
});
