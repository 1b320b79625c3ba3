import { describe, expect, it } from 'vitest';
import { pathOfTarget, queryOf } from './request-target.ts';

describe('pathOfTarget', () => {
  it.each([
    '/',
    '/api/issues',
    '/api/issues?q=a/../b&after=..',
    '/api/%zz',
    '/api/a;b=c',
    '/a%2f..%2fb',
    '//a/b',
    '/a..b/...',
  ])('takes %s as it is', (target) => {
    expect(pathOfTarget(target)).toBe(target);
  });

  it('takes the path and query of a whole URL', () => {
    expect(pathOfTarget('http://host/api/b?c=../d')).toBe('/api/b?c=../d');
    expect(pathOfTarget('HTTPS://host:8443')).toBe('/');
    expect(pathOfTarget('http://host?c=/d')).toBe('/?c=/d');
  });

  it.each([
    '*',
    'a',
    'ftp://host/a',
    'http://[',
    'http://host/api/../b',
    'http://host/%2e%2e/b',
    'http://host\\b',
    '/a#b',
    '/a?b#c',
    '/a/../b',
    '/a/..',
    '/./a',
    '/a/%2E%2e/b',
    '/a\\b',
    '/a b',
  ])('takes %s for none, as not all parsers read the same in it', (target) => {
    expect(pathOfTarget(target)).toBeNull();
  });
});

describe('queryOf', () => {
  it('begins at the first question mark, and has the others in it', () => {
    expect([...queryOf('/a?b=c?d&e=?')]).toEqual([
      ['b', 'c?d'],
      ['e', '?'],
    ]);
    expect([...queryOf('/a')]).toEqual([]);
    expect([...queryOf(undefined)]).toEqual([]);
  });
});
