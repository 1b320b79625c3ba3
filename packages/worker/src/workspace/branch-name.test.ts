import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { branchName } from './open-workspace.ts';

const id = '019a0000-0000-7000-8000-0000deadbeef';
const named = (title: string) => branchName({ id, title });

describe('the name of a branch', () => {
  it.each([
    ['Sum is wrong', 'sluice/deadbeef-sum-is-wrong'],
    ['', 'sluice/deadbeef'],
    ['   ', 'sluice/deadbeef'],
    ['\u{1F600}\u{1F600}', 'sluice/deadbeef'],
    ['\u65e5\u672c\u8a9e', 'sluice/deadbeef'],
    ['Caf\u00e9 cr\u00e8me br\u00fbl\u00e9e', 'sluice/deadbeef-cafe-creme-brulee'],
    ['Cafe\u0301', 'sluice/deadbeef-cafe'],
    ['\ufb01x \u00bd', 'sluice/deadbeef-fix-1-2'],
    ['--force', 'sluice/deadbeef-force'],
    ['-', 'sluice/deadbeef'],
    ['a/b..c.lock', 'sluice/deadbeef-a-b-c-lock'],
    ['@{-1}~^:?*[\\', 'sluice/deadbeef-1'],
    ['refs/heads/main', 'sluice/deadbeef-refs-heads-main'],
    ['a\u0000b\nc', 'sluice/deadbeef-a-b-c'],
    ['x'.repeat(500), `sluice/deadbeef-${'x'.repeat(40)}`],
    [`${'x'.repeat(39)} y`, `sluice/deadbeef-${'x'.repeat(39)}`],
  ])('of %j is %s', (title, name) => {
    expect(named(title)).toBe(name);
  });

  it('is one that git takes, whatever the title', () => {
    const title = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.string({ unit: fc.constantFrom(...'a-./@{~^ \u0301') }),
    );
    fc.assert(
      fc.property(title, (text) => {
        const name = named(text);
        expect(name).toMatch(/^sluice\/deadbeef(-[a-z0-9]+)*$/);
        expect(name.length).toBeLessThanOrEqual(60);
      }),
      { numRuns: 1_000 },
    );
    const worst = ['', '-x', 'a..b', 'x.lock', '@{', 'x'.repeat(300)].map(named);
    for (const name of worst) execFileSync('git', ['check-ref-format', '--branch', name], { stdio: 'ignore' });
  });

  it('is the same each time and another for another issue', () => {
    expect(named('Same')).toBe(named('Same'));
    expect(branchName({ id: id.replace('deadbeef', '0badcafe'), title: 'Same' })).toBe('sluice/0badcafe-same');
  });
});
