import type { ComparedTests } from './compared-tests.ts';
import type { Finding } from './finding.ts';
import type { Removed } from './removed-from-program.ts';
import { splitArguments } from './split-arguments.ts';
import type { TestCase } from './test-case.ts';
import { literalsOf, plainCode, shareIn } from './tokens.ts';
import { usesRemoved } from './uses-removed.ts';

/** Rows of tables that a test runs through, and that are gone: each was a test. Not those that another test took over. */
export function lostRows({ kept, added }: ComparedTests, removed: Removed): Finding[] {
  const elsewhere = added.slice(0, MOST_CANDIDATES).map(({ code }) => literalsOf(code));
  return kept.flatMap(({ before, after }): Finding[] => {
    const [old, now] = [rowsIn(before), rowsIn(after)];
    if (old.length < 2 || now.length === 0 || now.length >= old.length) return [];
    const left = new Set(now.map(plainCode));
    const values = literalsOf(after.code);
    const lost = old.filter((row) => {
      const literals = literalsOf(row);
      return (
        !left.has(plainCode(row)) &&
        literals.size > 0 &&
        !usesRemoved(row, removed) &&
        ![...elsewhere, values].some((other) => shareIn(literals, other) === 1)
      );
    });
    if (lost.length === 0 || lost.length > old.length - now.length) return [];
    const what = lost.length === 1 ? 'a row' : `${lost.length} rows`;
    return [
      {
        kind: 'test_deleted',
        path: after.path,
        line: after.line,
        detail: `The table of "${after.name}" lost ${what}: \`${lost[0]}\`.`,
      },
    ];
  });
}

const MOST_CANDIDATES = 200; // tests

/** Lines that are one bracketed row of a list, and the values of a list that stands on one line. */
function rowsIn({ code }: TestCase): string[] {
  const lines = code
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^(?:[[({].*[\])}]|Some\(.*\)|&?\[.*\]),$/.test(line));
  const inline = Array.from(code.matchAll(INLINE_TABLE), ([, , values = '']) => splitArguments(values)).flat();
  return [...lines, ...inline.map((value) => value.trim()).filter((value) => value !== '')];
}

const INLINE_TABLE =
  /(@(?:CsvSource|ValueSource)\s*\(\s*(?:\w+\s*=\s*)?\{|\.each\(\s*\[|\bparametrize\([^[\]\n]*\[)([^\n]*)[\]}]\s*\)/g;
