import { testName } from './test-name.ts';

const NO_TESTS = new Set([
  'Console',
  'Cannot log after tests are done. Did you forget to wait for something async in your test?',
]);

/** Reads jest: `FAIL file`, then `  ● suite › test` for each of its failures. */
export function jestFailures(lines: readonly string[]): string[] {
  const names: string[] = [];
  let file: string | null = null;
  for (const line of lines) {
    const header = /^(FAIL|PASS) (\S.*?)(?: \([\d.]+ m?s\))?$/.exec(line);
    if (header !== null) file = header[1] === 'FAIL' ? (header[2] ?? null) : null;
    const failed = /^ {2}● (\S.*)$/.exec(line)?.[1];
    if (file === null || failed === undefined || NO_TESTS.has(failed)) continue;
    names.push(failed === 'Test suite failed to run' ? file : testName(file, failed));
  }
  return names;
}
