import { expect, it } from 'vitest';
import { newPassword } from './new-password.ts';

const faultsOf = async (password: string) =>
  (await newPassword.safeParseAsync(password)).error?.issues.map(({ message }) => message) ?? [];

it.each([
  ['Welcome@123', ['is one of the most common passwords or a variant of one: choose another']],
  ['1qaz@WSX', ['is one of the most common passwords or a variant of one: choose another']],
  ['a', ['must be at least 8 characters']],
  ['1a'.repeat(500_000), ['must be at most 128 characters']],
  ['correct horse battery', []],
])('a password that a user chooses has one fault at most', async (password, faults) => {
  expect(await faultsOf(password)).toEqual(faults);
});

it.each([
  ['8', 'kqzvbjwx', true],
  ['7', 'kqzvbjw', false],
  ['64', 'only words and blanks '.repeat(3).slice(0, 64), true],
  ['128', 'жизнь как чудо '.repeat(9).slice(0, 128), true],
  ['129', 'жизнь как чудо '.repeat(9).slice(0, 129), false],
])('a password has %s characters, of whatever kind: %j', async (_count, password, isTaken) => {
  expect((await faultsOf(password)).length === 0).toBe(isTaken);
});
