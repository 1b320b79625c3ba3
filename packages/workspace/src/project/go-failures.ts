import { type Failure, failedPart, failedTest } from './failure.ts';

/**
 * Reads `go test`: `--- FAIL: TestName (0.00s)`, indented for subtests, and then the package's own line, which gives
 * the names their package. A package that failed without naming a test (it did not build, or its process ended) stands
 * for itself. So does one that named some and then died: a process that comes to its end writes `FAIL` on a line of its own.
 */
export function goFailures(lines: readonly string[]): Failure[] {
  const failures: Failure[] = [];
  let tests: string[] = [];
  let isWhole = false;
  for (const line of lines) {
    const test = /^ *--- FAIL: (.+) \([\d.]+s\)$/.exec(line)?.[1];
    if (test !== undefined) tests.push(test);
    if (line === 'FAIL') isWhole = true;
    const end = /^(FAIL|ok {2})\t(\S+)(?:\s.*?(\[[\w ]+ failed\]))?/.exec(line);
    if (end === null) continue;
    const [, outcome, name = '', why] = end;
    if (outcome === 'FAIL') {
      for (const one of tests) failures.push(failedTest(`${name} ${one}`));
      if (tests.length === 0) failures.push(failedPart(packageName(name, why)));
      else if (!isWhole) failures.push(failedPart(packageName(name, '[process ended]')));
    }
    tests = [];
    isWhole = false;
  }
  return [...failures, ...tests.map(failedTest)];
}

function packageName(name: string, why: string | undefined): string {
  return why === undefined ? name : `${name} ${why}`;
}
