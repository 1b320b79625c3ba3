import { type Lexis, lexes, readCode } from './code-text.ts';
import { KIND } from './looped-lists.ts';
import { splitArguments } from './split-arguments.ts';

const languages: readonly (readonly [RegExp, Lexis])[] = [
  [/\.[cm]?[jt]sx?$/, lexes.javascript],
  [/\.py$/, lexes.python],
  [/\.go$/, lexes.go],
  [/\.rs$/, lexes.rust],
  [/\.(?:java|kt)$/, lexes.jvm],
  [/\.rb$/, lexes.ruby],
];

/** A list at the left edge, or in a class: `CASES = [`, `var cases = []string{`, `const CASES: &[u8] = &[`. */
const ASSIGNED = new RegExp(
  `(?:^|\\n)[ \\t]{0,4}(?:(?:export|const|let|var|val|static|final|private|public|internal|pub|[A-Z]\\w*(?:<[^<>\\n]*>)?(?:\\[\\])?)\\s+)*([A-Za-z_]\\w*)(?:\\s*:[^=\\n]*)?\\s*=\\s*(?:\\[\\]struct\\s*\\{[^{}]*\\}|${KIND})$`,
);
/** What a function gives to the tests that name it: `Stream.of(` of JUnit's \`@MethodSource\`. */
const RETURNED = new RegExp(
  `\\b([A-Za-z_]\\w*)\\s*\\(\\)\\s*(?::[^={\\n]*)?(?:\\{\\s*return\\s+|=\\s*|\\{\\s*)${KIND}$`,
);
const BRACED = /\.(?:go|java|kt|rs)$/;
const NEAR = 200; // characters before a list
const NEAREST = 60; // of these the ones in which it is said that there is one
const LONGEST = 20_000; // characters of a list
const MOST_TABLES = 50; // in one file

/** The lists in a source that stand outside of its tests, by name: tests run through them. */
export function sharedTables(path: string, source: string): ReadonlyMap<string, readonly string[]> {
  const lexis = languages.find(([name]) => name.test(path))?.[1];
  const tables = new Map<string, readonly string[]>();
  if (lexis === undefined) return tables;
  const { bare, code, partner } = readCode(source, lexis);
  for (const { index } of bare.matchAll(/[([{]/g)) {
    const close = partner.get(index) ?? index;
    if (close <= index + 1 || close - index > LONGEST || tables.size >= MOST_TABLES) continue;
    if (bare[index] === '{' && !BRACED.test(path)) continue; // an object, not a list
    if (!/=|return/.test(bare.slice(Math.max(0, index - NEAREST), index))) continue;
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
