import { cutName } from './cut-name.ts';
import { goTests } from './go-failures.ts';
import { junitCases } from './junit-failures.ts';
import type { OutputText } from './output-text.ts';
import { tapPasses } from './tap-failures.ts';
import { MAX_DEPTH } from './test-chain.ts';
import { testName } from './test-name.ts';

/** Reads the names of passed tests. What a name is made of is the same as for failing tests, as far as the runner tells. */
type PassReader = (lines: readonly string[]) => string[];

/** Runners that write one line for each passed test, with its whole name. */
const LINES = [
  /^(\S+::\S.*?) PASSED(?: +\[ *\d+%\])?$/, // pytest -v
  /^test (\S.*) \.\.\. ok$/, // cargo
  /^ *\d+\/\d+ Test +#\d+: (\S.*?) ?\.{2,} *Passed +[\d.]+ sec *$/, // ctest
  /^\(pass\) (\S.*?)(?: \[[\d.]+m?s\])?$/, // bun
  /^(\S.*) \.\.\. ok(?: \(\S+\))?$/, // deno, and unittest -v
  /^ *✓ (\S+\.[cm]?[jt]sx? > .*?)(?: +[\d.]+m?s)?$/, // vitest with its verbose reporter
  /^([\w.$]+ > \S.*) PASSED$/, // gradle, where it is told to write them
];

const MAX_LINE_LENGTH = 500; // of a line: longer ones take more time, and name no test

function passLines(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    if (line.length > MAX_LINE_LENGTH) return [];
    for (const pattern of LINES) {
      const name = pattern.exec(line)?.[1];
      if (name !== undefined) return [name];
    }
    return [];
  });
}

/** The trees of node:test and of mocha: suites by indentation, passed tests with a check mark. */
function treePasses(lines: readonly string[]): string[] {
  const isMocha = lines.some((line) => /^ {2}\d+ passing/.test(line));
  const names: string[] = [];
  const suites: string[] = [];
  for (const line of lines) {
    const [, indent = '', mark, rest = ''] = /^((?: {2})*)(▶ |✔ )?(\S.*)$/.exec(line) ?? [];
    const depth = Math.min(indent.length / 2, MAX_DEPTH) - (isMocha ? 1 : 0);
    const name = rest.replace(/ \(\d[\d.]*ms\)$/, '');
    if (name === '' || depth < 0) continue;
    if (mark === '✔ ') names.push(testName(...suites.slice(0, depth), name));
    else if (mark === '▶ ' || (isMocha && !/^(?:\d+\)|-) /.test(name)))
      suites.splice(depth, Number.POSITIVE_INFINITY, cutName(name));
  }
  return names;
}

/** `go test -v`. */
function goPasses(lines: readonly string[]): string[] {
  return goTests(lines).flatMap(({ name, outcome }) => (outcome === 'passed' ? [name] : []));
}

/** `jest --verbose`: the suites and tests of a file follow its own line, up to an empty one. */
function jestPasses(lines: readonly string[]): string[] {
  const names: string[] = [];
  let file: string | null = null;
  const suites: string[] = [];
  for (const line of lines) {
    const header = /^(?:FAIL|PASS) (\S.*?)(?: \([\d.]+ m?s\))?$/.exec(line)?.[1];
    if (header !== undefined || line === '') file = header ?? null;
    const [, indent = '', mark, rest = ''] = /^((?: {2})+)(✓ |✕ |○ |✎ )?(\S.*)$/.exec(line) ?? [];
    const depth = Math.min(indent.length / 2, MAX_DEPTH) - 1;
    if (file === null || rest === '' || rest.startsWith('● ')) continue;
    if (mark === undefined) suites.splice(depth, Number.POSITIVE_INFINITY, cutName(rest));
    if (mark !== '✓ ') continue;
    const chain = [...suites.slice(0, depth), rest.replace(/ \(\d[\d.]* m?s\)$/, '')];
    names.push(testName(file, chain.join(' › ')));
  }
  return names;
}

const readers: readonly PassReader[] = [tapPasses, treePasses, passLines, goPasses, jestPasses];

/** The names of the passed tests, each as often as it passed; see `failedNames` for what a name is. */
export function passedTests({ text, lines }: OutputText): string[] {
  const cases = junitCases(text).flatMap(({ name, outcome }) => (outcome === 'passed' ? [name] : []));
  return [...readers.flatMap((read) => read(lines)), ...cases];
}
