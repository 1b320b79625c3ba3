import { readFileSync } from 'node:fs';
import type { TestCounts } from '@sluice/core/pipeline';
import { describe, expect, it } from 'vitest';
import { readTests } from './read-tests.ts';

const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}.txt`, import.meta.url), 'utf8');
const counts = (passed: number, failed: number, skipped: number): TestCounts => ({ passed, failed, skipped });

/** What runners print that cannot run here, shortened. */
const outputs: [string, string, { failing: string[]; counts: TestCounts | null }][] = [
  [
    'rspec',
    `Failures:

  1) Sum when deep adds
     Failure/Error: expect(1).to eq 2

An error occurred while loading ./spec/broken_spec.rb.
Failure/Error: boom

Finished in 0.01 seconds (files took 0.1 seconds to load)
5 examples, 2 failures, 1 pending, 1 error occurred outside of examples

Failed examples:

rspec ./spec/sum_spec.rb:5 # Sum when deep adds
rspec './spec/sum_spec.rb[1:2:1]' # Sum in a loop adds`,
    {
      failing: [
        './spec/broken_spec.rb',
        './spec/sum_spec.rb > Sum when deep adds',
        './spec/sum_spec.rb > Sum in a loop adds',
      ],
      counts: counts(1, 3, 1),
    },
  ],
  [
    'minitest',
    `  1) Failure:
SumTest#test_adds [test/sum_test.rb:6]:
Expected: 3

  2) Error:
SumTest#test_raises:
RuntimeError: x

12 runs, 15 assertions, 1 failures, 1 errors, 2 skips`,
    { failing: ['SumTest#test_adds', 'SumTest#test_raises'], counts: counts(8, 2, 2) },
  ],
  [
    'phpunit',
    `There was 1 error:

1) Tests\\SumTest::testRaises
Error: x

--

There were 2 failures:

1) Tests\\SumTest::testAdds
Failed asserting that 2 is 3.
9) not an entry

2) Tests\\SumTest::testEach with data set #1 (1, 2)

ERRORS!
Tests: 7, Assertions: 6, Errors: 1, Failures: 2, Skipped: 1.`,
    {
      failing: [
        'Tests\\SumTest::testRaises',
        'Tests\\SumTest::testAdds',
        'Tests\\SumTest::testEach with data set #1 (1, 2)',
      ],
      counts: counts(3, 3, 1),
    },
  ],
  ['phpunit that is green', 'OK (5 tests, 6 assertions)', { failing: [], counts: counts(5, 0, 0) }],
  [
    'dotnet test',
    `  Failed Shop.Tests.SumTests.Adds [12 ms]
  Error Message:
   Assert.Equal() Failure
  Failed Shop.Tests.SumTests.Each(a: 1, b: 2) [< 1 ms]

Failed!  - Failed:     2, Passed:     3, Skipped:     1, Total:     6, Duration: 12 ms - Shop.Tests.dll (net8.0)`,
    { failing: ['Shop.Tests.SumTests.Adds', 'Shop.Tests.SumTests.Each(a: 1, b: 2)'], counts: counts(3, 2, 1) },
  ],
  [
    'gradle',
    `> Task :compileJava
> Task :test FAILED

SumTest > adds() FAILED
    org.opentest4j.AssertionFailedError at SumTest.java:8

SumTest > Deep > raises() FAILED

6 tests completed, 2 failed, 1 skipped`,
    { failing: ['SumTest > adds()', 'SumTest > Deep > raises()'], counts: counts(3, 2, 1) },
  ],
  [
    'gradle that does not compile',
    '> Task :app:compileTestKotlin FAILED\ne: x',
    { failing: ['compilation error in :app:compileTestKotlin'], counts: null },
  ],
  [
    'mix test',
    `  1) test adds (SumTest)
     test/sum_test.exs:5
     Assertion with == failed

  2) test printed by a test

Finished in 0.03 seconds
2 doctests, 5 tests, 1 failure, 1 excluded`,
    { failing: ['SumTest > test adds'], counts: counts(3, 1, 1) },
  ],
  [
    'deno test',
    `running 3 tests from ./sum_test.ts
adds ... FAILED (2ms)
holds ... ok (1ms)

 ERRORS

adds => ./sum_test.ts:3:6
error: AssertionError

./broken_test.ts (uncaught error)

 FAILURES

adds => ./sum_test.ts:3:6
./broken_test.ts (uncaught error)

FAILED | 1 passed | 2 failed | 1 ignored (12ms)`,
    { failing: ['./broken_test.ts', './sum_test.ts > adds'], counts: counts(1, 2, 1) },
  ],
  [
    'bun test',
    `src/sum.test.ts:
(pass) holds [0.12ms]
(fail) outer > adds [0.50ms]
(skip) later

 1 pass
 1 skip
 1 fail
 2 expect() calls`,
    { failing: ['src/sum.test.ts > outer > adds'], counts: counts(1, 1, 1) },
  ],
  [
    'ctest',
    'The following tests FAILED:\n\t  1 - sums (Failed)\n\t  3 - waits (Timeout)\nErrors while running CTest',
    { failing: ['sums', 'waits'], counts: null },
  ],
  [
    'surefire of two modules',
    `[ERROR] x.AppTest.adds -- Time elapsed: 0.012 s <<< FAILURE!
[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 1, Time elapsed: 0.05 s <<< FAILURE! -- in x.AppTest
[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 1
[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0`,
    { failing: ['x.AppTest.adds'], counts: counts(5, 1, 1) },
  ],
  [
    'go test, which says no counts',
    '--- FAIL: TestAdd (0.00s)\nFAIL\nFAIL\tx\t0.1s',
    { failing: ['x TestAdd'], counts: null },
  ],
  ['pytest -q', '.s.F\n1 failed, 2 passed, 1 skipped in 0.12s', { failing: [], counts: counts(2, 1, 1) }],
  [
    'unittest',
    '.\n----------\nRan 9 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=2, expected failures=1)',
    { failing: [], counts: counts(4, 2, 3) },
  ],
  ['vitest without a failure', '      Tests  3 passed (3)', { failing: [], counts: counts(3, 0, 0) }],
  [
    'a program that prints numbers',
    'Tests run by 3 people\n5 tests of patience\npass 7',
    { failing: [], counts: null },
  ],
];

describe('what a test command printed', () => {
  it.each(outputs)('is read: %s', (_runner, output, { failing, counts }) => {
    const read = readTests(output);
    expect([...read.failing].sort()).toEqual([...failing].sort());
    expect(read.counts).toEqual(counts);
  });

  it.each<[string, TestCounts | null]>([
    ['node24-spec', counts(3, 6, 2)],
    ['node24-tap', counts(3, 6, 2)],
    ['node20-spec', counts(3, 6, 2)],
    ['node24-junit', counts(3, 5, 2)],
    ['vitest', counts(2, 3, 3)],
    ['vitest-color', counts(2, 3, 3)],
    ['jest', counts(2, 3, 2)],
    ['jest-verbose', counts(2, 3, 2)],
    ['mocha', counts(2, 4, 2)],
    ['mocha-tap', counts(2, 4, 0)],
    ['pytest', counts(2, 8, 2)],
    ['unittest', counts(0, 1, 0)],
    ['cargo', counts(1, 4, 1)],
    ['cargo-compile', null],
  ])('has the counts of %s', (name, expected) => {
    expect(readTests(fixture(name)).counts).toEqual(expected);
  });

  it.each<[string, string[]]>([
    ['node24-tap', ['outer > inner # hash > holds', 'passes', 'prints']],
    ['node24-spec', ['outer > inner # hash > holds', 'passes', 'prints']],
    ['mocha', ['outer > inner > holds', 'passes']],
    ['mocha-tap', ['outer inner holds', 'passes']],
  ])('names the tests that passed in %s', (name, passing) => {
    expect(readTests(fixture(name)).passing).toEqual(passing);
  });

  it.each([
    [
      'pytest -v',
      'a.py::test_x[a b] PASSED   [ 50%]\na.py::test_y FAILED [100%]\n= 1 failed, 1 passed in 0.1s =',
      ['a.py::test_x[a b]'],
    ],
    ['cargo', 'test tests::adds ... ok\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured', ['tests::adds']],
    [
      'vitest with its verbose reporter',
      ' ✓ src/a.test.ts > outer > adds 2ms\n      Tests  1 passed (1)',
      ['src/a.test.ts > outer > adds'],
    ],
    ['bun', '(pass) outer > adds [0.12ms]\n 1 pass', ['outer > adds']],
    ['deno', 'adds ... ok (1ms)\nok | 1 passed | 0 failed (5ms)', ['adds']],
    ['JUnit', '<testcase classname="A" name="b"/><testcase name="c"><failure/></testcase>', ['A > b']],
  ])('names the tests that passed in the output of %s', (_runner, output, passing) => {
    expect(readTests(output).passing).toEqual(passing);
  });

  it.each<[string, string, TestCounts, string[]]>([
    [
      'go test -v',
      `=== RUN   TestA
--- PASS: TestA (0.00s)
=== RUN   TestTable
=== RUN   TestTable/two_words
--- FAIL: TestTable (0.01s)
    --- FAIL: TestTable/two_words (0.00s)
=== RUN   TestB
--- SKIP: TestB (0.00s)
FAIL
FAIL\tx/a\t0.01s
=== RUN   TestA
--- PASS: TestA (0.00s)
PASS
ok  \tx/b\t0.01s
FAIL`,
      counts(2, 2, 1),
      ['x/a TestA', 'x/b TestA'],
    ],
    [
      'gradle that writes each test',
      'SumTest > adds() PASSED\n\nSumTest > later() SKIPPED\n\nBUILD SUCCESSFUL in 1s',
      counts(1, 0, 1),
      ['SumTest > adds()'],
    ],
    [
      'gradle that writes each test, and the sum as one fails',
      'SumTest > adds() PASSED\n\nSumTest > subtracts() FAILED\n\n2 tests completed, 1 failed',
      counts(1, 1, 0),
      ['SumTest > adds()'],
    ],
    ['plain TAP', 'TAP version 13\nok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP\n1..3', counts(1, 1, 1), ['a']],
    [
      'nested TAP',
      'TAP version 14\n# Subtest: s\n    ok 1 - a\n    not ok 2 - b\n    1..2\nnot ok 1 - s\n1..1',
      counts(1, 1, 0),
      ['s > a'],
    ],
    [
      'ctest',
      `1/5 Test #1: sums .............................   Passed    0.01 sec
2/5 Test #2: waits ............................***Failed    0.01 sec
3/5 Test #3: with words .......................   Passed    0.10 sec
4/5 Test #4: skipped ..........................***Skipped   0.00 sec
5/5 Test #5: missing ..........................***Not Run   0.00 sec

60% tests passed, 2 tests failed out of 5

The following tests FAILED:
\t  2 - waits (Failed)
\t  5 - missing (Not Run)`,
      counts(2, 2, 1),
      ['sums', 'with words'],
    ],
    [
      'jest --verbose',
      `PASS __tests__/a.test.js (5.1 s)
  sum
    ✓ adds (2 ms)
    ○ skipped later
    deep
      ✓ holds

FAIL __tests__/b.test.js
  ✕ one (3 ms)
  ✓ two

  ● one

    ✓ printed

Tests:       1 failed, 1 skipped, 3 passed, 5 total`,
      counts(3, 1, 1),
      ['__tests__/a.test.js > sum › adds', '__tests__/a.test.js > sum › deep › holds', '__tests__/b.test.js > two'],
    ],
  ])('has the numbers and the passed tests of %s, test by test', (...[, output, expected, passing]) => {
    expect(readTests(output)).toMatchObject({ counts: expected, passing, gap: null });
  });

  it('tells of a runner that counts its tests only where one fails', () => {
    const whenRed = (output: string) => readTests(output).counts_when_red;
    expect(whenRed('6 tests completed, 2 failed, 1 skipped')).toBe(true);
    expect(whenRed('[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 1')).toBe(true);
    expect(whenRed('[INFO] Running x.AppTest\n[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 1')).toBe(false);
    expect(whenRed('1 failed, 2 passed in 0.12s')).toBe(false);
  });

  it('names no passed test where the runner named only some of them, or too many', () => {
    expect(readTests(' ✓ src/a.test.ts > adds\n      Tests  2 passed (2)').passing).toBeNull();
    expect(readTests('ok 1 - adds # SKIP\n1..1\n# tests 1\n# pass 0\n# fail 0\n# skipped 1\n').passing).toEqual([]);
    expect(readTests('      Tests  2 passed (2)').passing).toBeNull();
    const many = Array.from({ length: 5_000 }, (_, at) => `ok ${at + 1} - a${at}`);
    expect(readTests(`1..5000\n${many.join('\n')}\n# pass 5000\n`).passing).toBeNull();
  });
});
