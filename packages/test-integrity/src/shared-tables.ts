import type { ChangedFile } from '@sluice/core/change';
import { lexisOf, readCode } from './code-text.ts';
import { KIND } from './looped-lists.ts';
import { splitArguments } from './split-arguments.ts';
import type { TestCase } from './test-case.ts';
import { literalsOf, namesOf, plainCode } from './tokens.ts';

/** A list at the left edge, or in a class: `CASES = [`, `var cases = []string{`, `const CASES: &[u8] = &[`. */
const ASSIGNED = new RegExp(
  `(?:^|\\n)[ \\t]{0,4}(?:(?:export|const|let|var|val|static|final|private|public|internal|pub|[A-Z]\\w*(?:<[^<>\\n]*>)?(?:\\[\\])?)\\s+)*([A-Za-z_]\\w*)(?:\\s*:[^=\\n]*)?\\s*=\\s*(?:\\[\\]struct\\s*\\{[^{}]*\\}|${KIND})$`,
);
/** The rows that a function gives to the tests that name it: `Stream.of(` of JUnit's \`@MethodSource\`. */
const RETURNED = new RegExp(
  `\\b([A-Za-z_]\\w*)\\s*\\(\\)\\s*(?::[^={\\n]*)?(?:\\{\\s*return\\s+|=\\s*|\\{\\s*)${KIND}$`,
);
const BRACED = /\.(?:go|java|kt|rs)$/;
const NEAR = 200; // characters before a list
const MAX_DISTANCE = 60; // of these the ones in which it is said that there is one
const MAX_LIST_LENGTH = 20_000; // characters of a list
const MAX_TABLES = 50; // in one file

/** The lists in a source that stand outside of its tests, by name: tests run through them. */
export function sharedTables(path: string, source: string): ReadonlyMap<string, readonly string[]> {
  const lexis = lexisOf(path);
  const tables = new Map<string, readonly string[]>();
  if (lexis === null) return tables;
  const { bare, code, partner } = readCode(source, lexis);
  for (const { index } of bare.matchAll(/[([{]/g)) {
    const close = partner.get(index) ?? index;
    if (close <= index + 1 || close - index > MAX_LIST_LENGTH || tables.size >= MAX_TABLES) continue;
    if (bare[index] === '{' && !BRACED.test(path)) continue; // an object, not a list
    if (!/=|return/.test(bare.slice(Math.max(0, index - MAX_DISTANCE), index))) continue;
    const before = bare.slice(Math.max(0, index - NEAR), index);
    const name = (ASSIGNED.exec(before) ?? RETURNED.exec(before))?.[1];
    if (name === undefined || tables.has(name)) continue;
    const list = code.slice(index + 1, close);
    const values = /%[wi]$/.test(before) ? list.split(/\s+/) : splitArguments(list);
    tables.set(
      name,
      values.map((value) => value.trim()).filter((value) => value !== ''),
    );
  }
  return tables;
}

/** The rows that the tables beside a test got, of those tables that it names. */
export function newRowsBeside(files: readonly ChangedFile[]): (test: TestCase) => string {
  const byPath = new Map<string, readonly (readonly [string, readonly string[]])[]>();
  const newIn = (path: string) => {
    const file = files.find((one) => one.path === path);
    const had = new Set([...sharedTables(path, file?.before ?? '').values()].flat().map(plainCode));
    return [...sharedTables(path, file?.after ?? '')].map(
      ([name, rows]) => [name, rows.filter((row) => !had.has(plainCode(row)))] as const,
    );
  };
  return ({ path, code }) => {
    const tables = byPath.get(path) ?? newIn(path);
    byPath.set(path, tables);
    if (tables.length === 0) return '';
    const used = new Set([...namesOf(code), ...literalsOf(code)]);
    return tables.flatMap(([name, rows]) => (used.has(name) ? rows : [])).join('\n');
  };
}
