/**
 * Reads `go test`: `--- FAIL: TestName (0.00s)`, indented for subtests, and then the package's own line, which gives
 * the names their package. A package that failed without naming a test (it did not build, or its process ended) stands
 * for itself.
 */
export function goFailures(lines: readonly string[]): string[] {
  const names: string[] = [];
  let tests: string[] = [];
  for (const line of lines) {
    const test = /^ *--- FAIL: (.+) \([\d.]+s\)$/.exec(line)?.[1];
    if (test !== undefined) tests.push(test);
    const end = /^(FAIL|ok {2})\t(\S+)(?:\s.*?(\[[\w ]+ failed\]))?/.exec(line);
    if (end === null) continue;
    const [, outcome, name = '', why] = end;
    if (outcome === 'FAIL') {
      const failed = tests.length > 0 ? tests.map((one) => `${name} ${one}`) : [packageName(name, why)];
      for (const one of failed) names.push(one); // a spread of many would overflow the stack
    }
    tests = [];
  }
  return [...names, ...tests];
}

function packageName(name: string, why: string | undefined): string {
  return why === undefined ? name : `${name} ${why}`;
}
