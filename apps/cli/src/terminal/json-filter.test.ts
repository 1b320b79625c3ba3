import { expect, it } from 'vitest';
import { jsonFilter } from './json-filter.ts';

const apply = async (expression: string, value: unknown) => (await jsonFilter(expression))(value);

it('prints strings as they are, and everything else as JSON on one line', async () => {
  const issue = { id: 'a', labels: ['bug', 'ui'], usage: { cost_usd: 0.5 } };
  expect(await apply('.id', issue)).toBe('a');
  expect(await apply('.labels[]', issue)).toBe('bug\nui');
  expect(await apply('.usage, (.labels | length)', issue)).toBe('{"cost_usd":0.5}\n2');
  expect(await apply('empty', issue)).toBe('');
  expect(await apply('.id # the id', issue)).toBe('a');
});

it('refuses an expression that does not compile before there is a value, and one that does not fit the value', async () => {
  await expect(jsonFilter('.a | nosuch')).rejects.toThrow('--jq ".a | nosuch": nosuch/0 is not defined.');
  await expect(jsonFilter('.a[')).rejects.toThrow('--jq ".a[": syntax error');
  const filter = await jsonFilter('.id.number');
  expect(() => filter({ id: 'a' })).toThrow(/--jq "\.id\.number": Cannot index string with string/);
});

it('gives the expression no access to the environment or to files', async () => {
  expect(await apply('$ENV.HOME', {})).toBe('/home/web_user');
  await expect(jsonFilter('import "a" as a; a::b')).rejects.toThrow('--jq');
});
