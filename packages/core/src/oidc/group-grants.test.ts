import { expect, it } from 'vitest';
import type { RepoId } from '../id/id.ts';
import { grantsOf, mayEnter, type OidcRules } from './group-grants.ts';

const shop = 'shop' as RepoId;
const docs = 'docs' as RepoId;
const rules: OidcRules = {
  allowedGroups: ['staff', 'guests'],
  operatorGroups: ['ops'],
  repoRoles: [
    { group: 'developers', repoId: shop, role: 'contributor' },
    { group: 'leads', repoId: shop, role: 'approver' },
    { group: 'developers', repoId: docs, role: 'viewer' },
  ],
};

it('gives the highest role of all groups in each repository', () => {
  const { roles, isOperator } = grantsOf(rules, ['leads', 'developers', 'unknown'], []);
  expect([...roles]).toEqual([
    [shop, 'approver'],
    [docs, 'viewer'],
  ]);
  expect(isOperator).toBe(false);
  expect(grantsOf(rules, ['ops'], []).isOperator).toBe(true);
});

it('leaves repositories alone that only another provider gives roles in', () => {
  const other = {
    ...rules,
    repoRoles: [{ group: 'a', repoId: 'site' as RepoId, role: 'admin' as const }, ...rules.repoRoles],
  };
  expect([...grantsOf(rules, [], [other]).others]).toEqual(['site']);
});

it('lets members of one allowed group in, and everybody where none is named', () => {
  expect(mayEnter(rules, ['guests'])).toBe(true);
  expect(mayEnter(rules, ['Guests', 'ops'])).toBe(false);
  expect(mayEnter({ ...rules, allowedGroups: null }, [])).toBe(true);
});
