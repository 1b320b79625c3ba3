import { expect, it } from 'vitest';
import { setVariables } from './set-variables.ts';
import type { Variable } from './variable.ts';
import { variables } from './variables.ts';

const all = Object.entries<Variable>(variables);
const CANARY = 'canary-of-a-secret';
/** A count, a switch and two rates: their names speak of tokens, and their values are none. */
const NO_SECRETS = [
  'ISSUE_BUDGET_TOKENS',
  'API_TOKENS',
  'LIMIT_API_TOKEN',
  'LIMIT_FAILED_API_TOKEN',
  'LIMIT_RESET_PASSWORD',
  'PASSWORDS',
];

it('shows that a secret is set, and never its value, whatever the secret is', () => {
  const values = Object.fromEntries(all.map(([name, { secret }]) => [name, secret === true ? CANARY : 'x']));
  const set = setVariables([{ kind: 'environment', path: null, values }]);
  expect(set.map(({ name }) => name)).toEqual(all.map(([name]) => name));
  expect(set.filter(({ value }) => value === null).length).toBeGreaterThan(8);
  expect(JSON.stringify(set)).not.toContain(CANARY);
});

it('takes every variable for a secret whose name says so', () => {
  const named = all.filter(([name]) => /SECRET|API_KEY|ENCRYPTION|TOKENS?$|PASSWORD|HEADERS/.test(name));
  expect(named.length).toBeGreaterThan(5);
  const shown = named.filter(([, { secret }]) => secret !== true).map(([name]) => name);
  expect(shown.toSorted()).toEqual(NO_SECRETS.toSorted());
});

it('shows no credentials in an address that should hold none', () => {
  const values = {
    PUBLIC_URL: `https://me:${CANARY}@sluice.example.com`,
    CORS_ORIGINS: `https://${CANARY}@a, https://b`,
  };
  const set = setVariables([{ kind: 'environment', path: null, values }]);
  expect(set.map(({ value }) => value)).toEqual(['https://***@sluice.example.com', 'https://***@a, https://b']);
});

it('names the place that decides, and leaves out what it empties', () => {
  const set = setVariables([
    { kind: 'user file', path: '/home/ann/config', values: { PORT: '1', MODEL: 'openai/gpt', LOG_LEVEL: 'warn' } },
    { kind: 'environment', path: null, values: { PORT: ' 2 ', MODEL: ' ' } },
  ]);
  expect(set.map(({ name, value, source, path }) => [name, value, source, path])).toEqual([
    ['PORT', '2', 'environment', null],
    ['LOG_LEVEL', 'warn', 'user file', '/home/ann/config'],
  ]);
});
