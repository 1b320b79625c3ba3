import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesGlob, readGlobs } from './glob.ts';

const matches = (glob: string, path: string) => matchesGlob(readGlobs([glob]), path, { left: 10_000_000 });

describe('a glob', () => {
  it.each([
    ['*.ts', 'a.ts'],
    ['*.ts', 'src/deep/a.ts'],
    ['a?.ts', 'ab.ts'],
    ['src/*.ts', 'src/a.ts'],
    ['src/**', 'src/a/b.ts'],
    ['src/**/*.ts', 'src/a.ts'],
    ['src/**/*.ts', 'src/a/b/c.ts'],
    ['**/test/**', 'a/test/b'],
    ['**', 'a/b'],
    ['./src/*.ts', 'src/a.ts'],
    ['/src/*.ts', 'src/a.ts'],
    ['src/', 'src/a/b.ts'],
    ['**/*.{ts,tsx}', 'a/b.tsx'],
    ['{src,{lib,test}}/*.js', 'test/a.js'],
    ['app/[id]/page.tsx', 'app/[id]/page.tsx'],
    ['{id}.ts', '{id}.ts'],
    ['**/**/**/a', 'a'],
    ['*a*b*', 'xaxbx'],
    ['src/**/a/**/b', 'src/a/x/a/y/b'],
  ])('%s names %s', (glob, path) => {
    expect(matches(glob, path)).toBe(true);
  });

  it.each([
    ['*.ts', 'a.tsx'],
    ['src/*.ts', 'src/a/b.ts'],
    ['src/*.ts', 'lib/src/a.ts'],
    ['a?.ts', 'a.ts'],
    ['**/*.{ts,tsx}', 'a/b.js'],
    ['src/**/b', 'src/b/c'],
    ['[ab].ts', 'a.ts'],
    ['', 'a'],
    ['src.ts', 'srcxts'],
    ['(a+)+$', 'aaaa'],
  ])('%s does not name %s', (glob, path) => {
    expect(matches(glob, path)).toBe(false);
  });

  it('names each path that is spelled like it', () => {
    const name = fc.stringMatching(/^[a-z[\]()+^$|][a-z.[\]()+^$|]{0,7}$/);
    const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join('/'));
    fc.assert(
      fc.property(path, (one) => {
        expect(matches(`/${one}`.replace(/^\/(?=[^/]*$)/, ''), one)).toBe(true);
        expect(matches(one.replaceAll(/[^/]/g, '?'), one)).toBe(true);
        expect(matches(`${one}x`, one)).toBe(false);
      }),
    );
  });

  it('takes no more steps than its characters times those of the path, and none when the work is used up', () => {
    const path = Array.from({ length: 16 }, () => 'a'.repeat(30)).join('/');
    for (const start of ['*a'.repeat(99), '**/'.repeat(60), '**/*a*a*a*a*a*a*b/'.repeat(10), '*'.repeat(199)]) {
      const glob = `${start.slice(0, 199)}b`;
      const work = { left: Number.MAX_SAFE_INTEGER };
      expect(matchesGlob(readGlobs([glob]), path, work)).toBe(false);
      expect(Number.MAX_SAFE_INTEGER - work.left).toBeLessThan(2 * glob.length * path.length);
    }
    expect(matchesGlob(readGlobs(['*']), 'a', { left: 0 })).toBe(false);
  });

  it('is left out where it stands for too much, or where a rule has too many', () => {
    expect(readGlobs(['{a,b}'.repeat(7), 'x'.repeat(201)])).toEqual([]);
    expect(readGlobs(['{a,a}'.repeat(40), '{,}'.repeat(66)])).toEqual([]);
    expect(readGlobs([`{${'{'.repeat(90)}a,b${'}'.repeat(90)}}`]).length).toBeLessThan(100);
    expect(readGlobs(Array.from({ length: 1_000_000 }, (_, at) => `${at}`))).toHaveLength(100);
  });
});
