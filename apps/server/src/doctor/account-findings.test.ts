import { expect, it } from 'vitest';
import { parseConfig } from '../config/parse-config.ts';
import { accountFindings } from './account-findings.ts';

const found = (environment: Record<string, string>, accounts: number | null = null) =>
  accountFindings(parseConfig(environment), accounts).map(({ state, subject }) => `${state} ${subject}`);

it('finds no problem with the defaults', () => {
  expect(found({}, 5)).toEqual([]);
  expect(found({ PUBLIC_URL: 'https://sluice.example.com' }, 5)).toEqual([]);
});

it.each<Record<string, string>>([
  { PUBLIC_URL: 'https://sluice.example.com', REGISTRATION: 'open' },
  { TRUST_PROXY: 'loopback' },
  { HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:3000' },
])('warns of an open registration that can be reached from elsewhere: %o', (environment) => {
  expect(found(environment)).toEqual(['warning registration']);
});

it('warns where several accounts may register folders of the host, or soon could', () => {
  const everybody = { ALLOW_LOCAL_REPOS: 'on', REGISTRATION: 'first-user' };
  expect(found(everybody, 1)).toEqual([]);
  expect(found(everybody, 2)).toEqual(['warning local repositories']);
  expect(found(everybody, null)).toEqual(['warning local repositories']);
  expect(found({ ...everybody, REGISTRATION: 'open' }, 1)).toEqual(['warning local repositories']);
  expect(found({ ALLOW_LOCAL_REPOS: 'off' }, 2)).toEqual([]);
});
