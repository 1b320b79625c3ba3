import { expect, it } from 'vitest';
import { shortenDiff } from './shorten-diff.ts';

function section(path: string, lines: number): string {
  const added = Array.from({ length: lines }, (_, index) => `+line ${index + 1}\n`).join('');
  return `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -0,0 +1,${lines} @@\n${added}`;
}

it('leaves a diff that fits as it is', () => {
  const diff = section('a', 10) + section('b', 10);
  expect(shortenDiff(diff, diff.length)).toEqual({ diff, shortened: 0 });
});

it('keeps small files whole and cuts large ones after a whole line, saying how much is missing', () => {
  const small = section('small', 10);
  const { diff, shortened } = shortenDiff(section('large', 5_000) + small + section('other', 5_000), 10_000);
  expect(shortened).toBe(2);
  expect(diff.length).toBeLessThan(10_200);
  expect(diff).toContain(small);
  const [, last, left] = /line (\d+)\n… (\d+) lines of this file's diff are left out …\n/.exec(diff) ?? [];
  expect(Number(last)).toBeGreaterThan(300);
  expect(Number(last) + Number(left)).toBe(5_000);
});

it('names every file, however little room there is', () => {
  const paths = Array.from({ length: 300 }, (_, index) => `file-${index}`);
  const { diff, shortened } = shortenDiff(paths.map((path) => section(path, 100)).join(''), 1_000);
  expect(shortened).toBe(300);
  for (const path of paths) expect(diff).toContain(`diff --git a/${path} b/${path}\n… 103 lines`);
});

it('cuts a file of one long line', () => {
  const { diff } = shortenDiff(`${section('a', 1)}+${'x'.repeat(50_000)}\n`, 2_000);
  expect(diff.length).toBeLessThan(2_500);
  expect(diff).toContain("… 1 lines of this file's diff are left out …");
});
