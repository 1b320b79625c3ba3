import { expect, it } from 'vitest';
import * as z from 'zod';
import { inputReader } from './tool-input.ts';

const { read } = inputReader(
  z.strictObject({
    command: z.string().min(1),
    content: z.string().optional(),
    folder: z.string().optional(),
    limit: z.int().min(1).max(20).optional(),
    least: z.number().min(5).max(9).nullable(),
    deep: z.boolean().optional(),
  }),
);
const given = { command: 'x', least: null };

it.each([
  [{ ...given, limit: 0 }, given],
  [{ ...given, limit: -1, folder: '', deep: '' }, given],
  [
    { ...given, limit: 21 },
    { ...given, limit: 20 },
  ],
  [
    { ...given, least: '7.5 s' },
    { ...given, least: 7.5 },
  ],
  [
    { ...given, least: '7500ms' },
    { ...given, least: 7.5 },
  ],
  [
    { ...given, deep: 'No' },
    { ...given, deep: false },
  ],
  [
    { ...given, command: ['/bin/sh', '-c', 'a && b'] },
    { ...given, command: 'a && b' },
  ],
  [
    { ...given, command: ['make', '-j4', 'a/b.c'] },
    { ...given, command: 'make -j4 a/b.c' },
  ],
  [{ arguments: given }, given],
  [[given], given],
])('reads %j', (input, value) => {
  expect(read(input)).toEqual({ value, ignored: [] });
});

it.each([
  [{ ...given, least: 1 }, '"least" must be at least 5'],
  [{ ...given, limit: 'many' }, '"limit" must be a number'],
  [{ ...given, limit: '5 apples' }, '"limit" must be a number'],
  [{ ...given, deep: 2 }, '"deep" must be true or false'],
  [{ ...given, command: '' }, '"command" is empty'],
  [{ ...given, command: ['cd a', 'make'] }, '"command" must be a text'],
  [{ ...given, command: ['echo', '$HOME'] }, '"command" must be a text'],
  [{ ...given, content: { a: 1 } }, '"content" must be a text'],
  [{ a: { b: given } }, '"command" is missing'],
  [[given, given], 'its input must be a JSON object'],
])('does not guess at %j', (input, fault) => {
  expect(read(input)).toEqual({ fault: expect.stringContaining(fault) });
});
