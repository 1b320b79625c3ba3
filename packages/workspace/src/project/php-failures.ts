import { type Failure, failedTest } from './failure.ts';

/** Reads PHPUnit's lists: `There was 1 failure:`, then `1) Tests\SumTest::testAdds`. */
export function phpunitFailures(lines: readonly string[]): Failure[] {
  const failures: Failure[] = [];
  let next = 0;
  for (const line of lines) {
    if (/^There (?:was|were) \d+ (?:failure|error)s?:$/.test(line)) next = 1;
    else if (line === '--' || line === 'FAILURES!' || line === 'ERRORS!') next = 0;
    // Numbers count up by one, so that an error's text cannot pass for the next entry by chance.
    const [, number, name] = next === 0 ? [] : (/^(\d+)\) (\S.*)$/.exec(line) ?? []);
    if (name === undefined || number !== `${next}`) continue;
    failures.push(failedTest(name));
    next += 1;
  }
  return failures;
}
