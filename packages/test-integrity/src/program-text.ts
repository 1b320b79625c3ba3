import type { ChangedFile } from '@sluice/core/change';
import { belongsToTests, isTestFile } from './belongs-to-tests.ts';
import { goneDoubles } from './gone-doubles.ts';
import { type Removed, removedFromProgram } from './removed-from-program.ts';
import { newRowsBeside } from './shared-tables.ts';
import type { TestCase } from './test-case.ts';

/** The changed files of the program, before and after: a change of a test is measured by them. */
export interface ProgramText {
  readonly before: string;
  readonly after: string;
  readonly removed: Removed;
  /** Functions in the tests that check something for several of them. */
  readonly checkers: ReadonlySet<string>;
  /** The rows that the tables beside a test got. */
  readonly newRows: (test: TestCase) => string;
  /** The names of what was a double in the tests of a file and is a real object now. */
  readonly goneDoubles: (path: string) => ReadonlySet<string>;
}

export function programText(files: readonly ChangedFile[]): ProgramText {
  const sources = files.filter(({ path }) => !belongsToTests(path));
  return {
    before: sources.map(({ before }) => before ?? '').join('\n'),
    after: sources.map(({ after }) => after ?? '').join('\n'),
    removed: removedFromProgram(files),
    checkers: checkersIn(files),
    newRows: newRowsBeside(files),
    goneDoubles: goneDoubles(files),
  };
}

const FUNCTION =
  /\b(?:function|def|fn|func|fun)\s+([A-Za-z_$][\w$]*)\s*[(<]|\b(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*=\s*(?:async\s*)?(?:\(|function\b|\w+\s*=>)|^[ \t]*(?:[\w<>[\]]+[ \t]+){1,6}([A-Za-z_]\w*)[ \t]*\([^)\n]*\)[^;\n{]*\{/gm;
const CHECK = /\b(?:assert|expect|t\.(?:Error|Fatal|Fail)|require\.[A-Z]|raises|verify|should)/;
const MAX_FUNCTION_LENGTH = 2_000; // characters of a function that are looked at

function checkersIn(files: readonly ChangedFile[]): Set<string> {
  return new Set(
    files.flatMap(({ path, after }) => {
      if (after === null || !isTestFile(path)) return [];
      const heads = Array.from(after.matchAll(FUNCTION));
      return heads.flatMap((match, at) => {
        const body = after.slice(
          match.index,
          Math.min(heads[at + 1]?.index ?? after.length, match.index + MAX_FUNCTION_LENGTH),
        );
        const name = match[1] ?? match[2] ?? match[3] ?? '';
        return CHECK.test(body) && !/^(?:test|Test|it$)/.test(name) ? [name] : [];
      });
    }),
  );
}
