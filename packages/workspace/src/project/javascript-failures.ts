import { type Failure, failedAs, failedPart, failedTest, isHook } from './failure.ts';
import { MAX_DEPTH } from './test-chain.ts';
import { testName } from './test-name.ts';

const NO_TESTS = new Set([
  'Console',
  'Cannot log after tests are done. Did you forget to wait for something async in your test?',
]);

/** Reads jest: `FAIL file`, then `  ● suite › test` for each of its failures. */
export function jestFailures(lines: readonly string[]): Failure[] {
  const failures: Failure[] = [];
  let file: string | null = null;
  let isRepeated = false; // at the end, where there are many
  for (const line of lines) {
    if (line === 'Summary of all failing tests') isRepeated = true;
    else if (line.startsWith('Test Suites: ')) isRepeated = false;
    if (isRepeated) continue;
    const header = /^(FAIL|PASS) (\S.*?)(?: \([\d.]+ m?s\))?$/.exec(line);
    if (header !== null) file = header[1] === 'FAIL' ? (header[2] ?? null) : null;
    const failed = /^ {2}● (\S.*)$/.exec(line)?.[1];
    if (file === null || failed === undefined || NO_TESTS.has(failed)) continue;
    failures.push(failed === 'Test suite failed to run' ? failedPart(file) : failedTest(testName(file, failed)));
  }
  return failures;
}

/**
 * Reads mocha's closing lists, each of which follows a line `N failing`: a number, the suites and the test on lines of their
 * own, the last one ending in a colon.
 */
export function mochaFailures(lines: readonly string[]): Failure[] {
  const failures: Failure[] = [];
  let next = Number.POSITIVE_INFINITY; // outside of a list
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (/^ {2}\d+ failing$/.test(line)) next = 1;
    // Numbers count up by one, so that an error's text cannot pass for the next entry by chance.
    const [, number, first] = /^ {2}(\d+)\) (.+)$/.exec(line) ?? [];
    if (first === undefined || number !== `${next}`) continue;
    const parts = [first];
    while (parts.length <= MAX_DEPTH && !parts.at(-1)?.endsWith(':') && /^ {7,}\S/.test(lines[at + 1] ?? '')) {
      at += 1;
      parts.push((lines[at] ?? '').trim());
    }
    const name = testName(...parts.map((part, index) => (index === parts.length - 1 ? part.replace(/:$/, '') : part)));
    failures.push(failedAs(name, isHook(name)));
    next += 1;
  }
  return failures;
}

/**
 * Reads vitest's closing lists: ` FAIL  file > suite > test`. Above them, under `Failed Suites`, stand the files that did not
 * load, as ` FAIL  file [ file ]`, and suites of which a hook failed.
 */
export function vitestFailures(lines: readonly string[]): Failure[] {
  let isSuites = false;
  return lines.flatMap((line) => {
    if (/^⎯+ Unhandled (Errors|Rejections?) ⎯+/.test(line)) return [failedPart('vitest: unhandled errors')];
    const list = /^⎯+ Failed (Suites|Tests) \d+ ⎯+$/.exec(line)?.[1];
    if (list !== undefined) isSuites = list === 'Suites';
    const failed = /^ ?FAIL {2}(\S.*)$/.exec(line)?.[1];
    if (failed === undefined) return [];
    return [failedAs(withoutFile(failed).trim(), isSuites)];
  });
}

/**
 * A failure without its file. vitest names a suite that did not load twice, the second time in brackets. Titles of
 * tests may end in brackets too.
 */
function withoutFile(failed: string): string {
  const at = failed.lastIndexOf(' [ ');
  if (at < 0 || !failed.endsWith(' ]')) return failed;
  const [name, file] = [failed.slice(0, at), failed.slice(at + 3, -2)];
  return name === file || name.endsWith(` ${file}`) ? name : failed;
}

/** Reads `bun test`: the file, as `src/a.test.ts:`, then `(fail) suite > test [0.12ms]` for each of its failures. */
export function bunFailures(lines: readonly string[]): Failure[] {
  const failures: Failure[] = [];
  let file: string | null = null;
  for (const line of lines) {
    const header = /^(\S+\.[cm]?[jt]sx?):$/.exec(line)?.[1];
    if (header !== undefined) file = header;
    const failed = /^\(fail\) (\S.*)$/.exec(line)?.[1];
    if (failed !== undefined) failures.push(failedTest(testName(file, failed.replace(/ \[[\d.]+m?s\]$/, ''))));
  }
  return failures;
}

/** Reads `deno test`: the list under `FAILURES`, as `adds => ./a_test.ts:3:6`, and files that could not be loaded. */
export function denoFailures(lines: readonly string[]): Failure[] {
  const failures: Failure[] = [];
  let inList = false;
  for (const line of lines) {
    if (line.trim() === 'FAILURES') inList = true;
    else if (line.startsWith('FAILED | ')) inList = false;
    const broken = /^(\S+) \(uncaught error\)$/.exec(line)?.[1];
    if (broken !== undefined) failures.push(failedPart(broken));
    const [, name, file] = inList ? (/^(\S.*) => (\S+?):\d+:\d+$/.exec(line) ?? []) : [];
    if (name !== undefined) failures.push(failedTest(testName(file, name)));
  }
  return failures;
}
