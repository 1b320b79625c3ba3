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
  for (const line of lines) {
    const header = /^(FAIL|PASS) (\S.*?)(?: \([\d.]+ m?s\))?$/.exec(line);
    if (header !== null) file = header[1] === 'FAIL' ? (header[2] ?? null) : null;
    const failed = /^ {2}● (\S.*)$/.exec(line)?.[1];
    if (file === null || failed === undefined || NO_TESTS.has(failed)) continue;
    failures.push(failed === 'Test suite failed to run' ? failedPart(file) : failedTest(testName(file, failed)));
  }
  return failures;
}

/**
 * Reads mocha's closing list, which follows the line `N failing`: a number, the suites and the test on lines of their
 * own, the last one ending in a colon.
 */
export function mochaFailures(lines: readonly string[]): Failure[] {
  const start = lines.findLastIndex((line) => /^ {2}\d+ failing$/.test(line));
  if (start < 0) return [];
  const names: string[] = [];
  for (let at = start + 1; at < lines.length; at += 1) {
    // Numbers count up by one, so that an error's text cannot pass for the next entry by chance.
    const [, number, first] = /^ {2}(\d+)\) (.+)$/.exec(lines[at] ?? '') ?? [];
    if (first === undefined || number !== `${names.length + 1}`) continue;
    const parts = [first];
    while (parts.length <= MAX_DEPTH && !parts.at(-1)?.endsWith(':') && /^ {7,}\S/.test(lines[at + 1] ?? '')) {
      at += 1;
      parts.push((lines[at] ?? '').trim());
    }
    names.push(testName(...parts.map((part, index) => (index === parts.length - 1 ? part.replace(/:$/, '') : part))));
  }
  return names.map((name) => failedAs(name, isHook(name)));
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
    const file = failed.endsWith(' ]') ? failed.split(' [ ', 1)[0] : failed;
    return [failedAs((file ?? failed).trim(), isSuites)];
  });
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
