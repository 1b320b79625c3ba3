import { expect, it } from 'vitest';
import { returnPath } from './return-path.ts';

it('leads back to the page that was left', () => {
  expect(returnPath('/issues/1?view=diff&file=src%2Fsum.ts')).toBe('/issues/1?view=diff&file=src%2Fsum.ts');
});

it.each([
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '',
  undefined,
])('does not lead to %s', (wanted) => {
  expect(returnPath(wanted)).toBe('/issues');
});

it.each(['/login', '/login?return=/issues', '/register', '/./login', '/issues/../login', '/\nlogin'])(
  'does not lead back to %s',
  (wanted) => {
    expect(returnPath(wanted)).toBe('/issues');
  },
);
