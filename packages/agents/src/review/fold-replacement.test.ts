import fc from 'fast-check';
import { expect, it } from 'vitest';
import { diffLines } from './diff-lines.ts';
import { foldReplacement } from './fold-replacement.ts';

/** A diff of files, each with hunks of one removed and one added line. */
function diffOf(files: readonly (readonly (readonly [string, string])[])[]): string {
  return files
    .map((hunks, at) => {
      const header = `diff --git a/f${at}.js b/f${at}.js\n--- a/f${at}.js\n+++ b/f${at}.js\n`;
      const body = hunks.map(([from, to], line) => {
        const number = 10 * line + 1;
        return `@@ -${number},3 +${number},3 @@\n before\n-${from}\n+${to}\n after\n`;
      });
      return header + body.join('');
    })
    .join('');
}

const renamed: readonly [string, string] = ['const a = new Money(1, "EUR");', 'const a = new Amount(1, "EUR");'];
const many = (count: number) => Array.from({ length: count }, () => renamed);

it('shows the first hunks of a rename, and in each file says where the others are', () => {
  const diff = diffOf([many(10), many(10)]);
  const { diff: shown, folded } = foldReplacement(diff);
  expect(folded).toEqual({ from: 'Money', to: 'Amount', hunks: 17 });
  expect(shown.match(/new Amount/g)).toHaveLength(3);
  expect(shown.match(/… hunks left out at lines [\d, ]+ …/g)).toHaveLength(2);
  expect(shown).toContain('at lines 31, 41, 51, 61, 71, 81, 91 …');
  expect(shown.match(/^diff --git/gm)).toHaveLength(2);
  expect(shown.match(/^@@ /gm)).toHaveLength(3);
});

it.each<[string, readonly [string, string]]>([
  ['another word beside it', ['new Money(1, "EUR")', 'new Amount(2, "EUR")']],
  ['another word alone', ['total(Money)', 'sum(Money)']],
  ['a longer name that holds the word', ['parseMoney(text)', 'parseAmount(text)']],
  ['white space beside it', ['if (Money) {', 'if  (Amount) {']],
  ['a sign beside it', ['a < Money.zero', 'a > Amount.zero']],
  ['the word in the other direction', ['new Amount(1)', 'new Money(1)']],
  ['a letter that looks alike', ['new Money(1)', 'new Аmount(1)']],
])('shows a hunk with %s', (_, hunk) => {
  const { diff, folded } = foldReplacement(diffOf([[...many(20), hunk]]));
  expect(folded?.hunks).toBe(17);
  expect(diff).toContain(`-${hunk[0]}\n+${hunk[1]}\n`);
});

it('shows a hunk that adds or removes a line beside the word', () => {
  const added = `${diffOf([many(20)])}@@ -900,2 +900,3 @@\n-new Money(1)\n+new Amount(1)\n+steal(secrets)\n after\n`;
  const removed = `${diffOf([many(20)])}@@ -900,3 +900,2 @@\n-check()\n-new Money(1)\n+new Amount(1)\n after\n`;
  expect(foldReplacement(added).diff).toContain('+steal(secrets)');
  expect(foldReplacement(removed).diff).toContain('-check()');
});

it('leaves a small rename and an ordinary change as they are', () => {
  for (const diff of [diffOf([many(11)]), diffOf([Array.from({ length: 30 }, (_, at) => [`a${at}`, `b${at}`])]), '']) {
    expect(foldReplacement(diff)).toEqual({ diff, folded: null });
  }
});

it('never hides a line that differs in anything but the word', () => {
  const line = fc.stringMatching(/^[ (.]{0,2}(Money|Amount|a|b)[ ).]{0,2}(Money|Amount|x)?$/);
  const files = fc.array(fc.array(fc.tuple(line, line), { maxLength: 6 }), { maxLength: 4 });
  fc.assert(
    fc.property(files, (changes) => {
      const diff = diffOf([many(15), ...changes]);
      const { diff: shown } = foldReplacement(diff);
      const visible = new Set(shown.split('\n'));
      for (const { text } of diffLines(diff).removed) {
        const isOnlyTheWord = /\bMoney\b/.test(text);
        expect(visible.has(`-${text}`) || isOnlyTheWord).toBe(true);
      }
    }),
  );
});
