/**
 * Reads `go test`: `--- FAIL: TestName (0.00s)`, indented for subtests, and then the package's own line, which gives
 * the names their package. A package that failed without naming a test (it did not build, or its process ended) stands
 * for itself. So does one that named some and then died: a process that comes to its end writes `FAIL` on a line of its own.
 */
export function goFailures(lines: readonly string[]): string[] {
  const names: string[] = [];
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
      const failed = tests.length > 0 ? tests.map((one) => `${name} ${one}`) : [packageName(name, why)];
      for (const one of failed) names.push(one); // a spread of many would overflow the stack
      if (tests.length > 0 && !isWhole) names.push(packageName(name, '[process ended]'));
    }
    tests = [];
    isWhole = false;
  }
  return [...names, ...tests];
}

function packageName(name: string, why: string | undefined): string {
  return why === undefined ? name : `${name} ${why}`;
}
