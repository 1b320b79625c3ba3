import { type Failure, failedPart, failedTest } from './failure.ts';

/** One test of Go as `go test` writes it: all of them with `-v`, else those that fail. */
interface GoTest {
  /** The name with its package, whose line follows. */
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
}

interface GoPackage {
  readonly tests: readonly GoTest[];
  /** What failed of it besides tests. */
  readonly parts: readonly string[];
}

const OUTCOMES = { PASS: 'passed', FAIL: 'failed', SKIP: 'skipped' } as const;

/**
 * Reads `go test`: `--- FAIL: TestName (0.00s)`, indented for subtests, and then the package's own line, which gives
 * the names their package. A package that failed without naming a test (it did not build, or its process ended) stands
 * for itself. So does one that named some and then died: a process that comes to its end writes `FAIL` on a line of its own.
 */
export function goFailures(lines: readonly string[]): Failure[] {
  return goPackages(lines).flatMap(({ tests, parts }) => [
    ...tests.filter(({ outcome }) => outcome === 'failed').map(({ name }) => failedTest(name)),
    ...parts.map(failedPart),
  ]);
}

export function goTests(lines: readonly string[]): GoTest[] {
  return goPackages(lines).flatMap(({ tests }) => tests);
}

function goPackages(lines: readonly string[]): GoPackage[] {
  const packages: GoPackage[] = [];
  let tests: GoTest[] = [];
  let isWhole = false;
  for (const line of lines) {
    const [, verdict, test] = /^ *--- (PASS|FAIL|SKIP): (.+) \([\d.]+s\)$/.exec(line) ?? [];
    if (test !== undefined) tests.push({ name: test, outcome: OUTCOMES[verdict as keyof typeof OUTCOMES] });
    if (line === 'FAIL') isWhole = true;
    const end = /^(FAIL|ok {2})\t(\S+)(?:\s.*?(\[[\w ]+ failed\]))?/.exec(line);
    if (end === null) continue;
    const [, outcome, name = '', why] = end;
    const named = tests.some((one) => one.outcome === 'failed');
    const parts: string[] = [];
    if (outcome === 'FAIL' && !named) parts.push(why === undefined ? name : `${name} ${why}`);
    else if (outcome === 'FAIL' && !isWhole) parts.push(`${name} [process ended]`);
    // In a package that passes, what looks like a failure was printed by a test.
    const own = tests.filter((one) => outcome === 'FAIL' || one.outcome !== 'failed');
    packages.push({ tests: own.map((one) => ({ ...one, name: `${name} ${one.name}` })), parts });
    tests = [];
    isWhole = false;
  }
  return [...packages, { tests, parts: [] }];
}
