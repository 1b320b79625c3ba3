import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readTests } from './read-tests.ts';

/** Outputs of the real runners over one small suite each, with a hostile print and an error text that looks like a result. */
const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}.txt`, import.meta.url), 'utf8');

const failingTests = (output: string) => [...readTests(output).failing];

const nodeTests = [
  'test/a.test.js > adds',
  'test/a.test.js > outer > inner # hash > fails deep',
  'test/a.test.js > outer > async fails',
  'test/a.test.js > parent > child',
  'test/broken.test.js',
];
const vitestTests = [
  'src/a.test.js > adds',
  'src/a.test.js > outer > inner > arrow > fails deep',
  'src/a.test.js > outer > slow',
  'src/broken.test.js',
];
const jestTests = [
  '__tests__/a.test.js > adds',
  '__tests__/a.test.js > outer › inner › arrow › fails deep',
  '__tests__/a.test.js > outer › slow',
  '__tests__/broken.test.js',
];

const expected: Record<string, string[]> = {
  'node24-spec': nodeTests,
  'node24-tap': nodeTests,
  'node24-junit': nodeTests.map((name) => name.replace('outer > inner', 'outer.inner')),
  'node20-spec': nodeTests,
  'node20-tap': nodeTests,
  vitest: vitestTests,
  'vitest-color': vitestTests,
  'vitest-tap': vitestTests,
  'vitest-tap-flat': vitestTests,
  'vitest-junit': vitestTests,
  jest: jestTests,
  'jest-verbose': jestTests,
  mocha: ['adds', 'outer > slow', 'outer > inner > fails deep', 'hooks > "before all" hook for "is not reached"'],
  'mocha-tap': ['adds', 'outer slow', 'outer inner fails deep', 'hooks "before all" hook for "is not reached"'],
  'mocha-xunit': [
    'mtest/a.js > adds',
    'mtest/a.js > outer > slow',
    'mtest/a.js > outer inner > fails deep',
    'mtest/a.js > hooks > "before all" hook for "is not reached"',
  ],
  pytest: [
    'tests/test_a.py::test_adds',
    'tests/test_a.py::test_param[a b]',
    'tests/test_a.py::test_param[c - d]',
    'tests/test_a.py::test_param[\\xfc]',
    'tests/test_a.py::TestThing::test_deep',
    'tests/test_a.py::Old::test_old (i=1)',
    'tests/test_broken.py',
    'tests/test_a.py::test_setup',
  ],
  'pytest-collection': ['tests/test_broken.py'],
  unittest: ['test_old (test_a.Old.test_old) (i=1)'],
  cargo: ['tests::adds', 'tests::wants_panic', 'adds', 'src/lib.rs - f (line 1)'],
  'cargo-compile': ['could not compile `fx` (test "bad")'],
};

/** The failing names that are no tests. */
const broken: Record<string, string[]> = {
  ...Object.fromEntries(
    ['node24-spec', 'node24-tap', 'node24-junit', 'node20-spec', 'node20-tap'].map((name) => [
      name,
      ['test/broken.test.js'],
    ]),
  ),
  ...Object.fromEntries(
    ['vitest', 'vitest-color', 'vitest-tap', 'vitest-tap-flat', 'vitest-junit'].map((name) => [
      name,
      ['src/broken.test.js'],
    ]),
  ),
  jest: ['__tests__/broken.test.js'],
  'jest-verbose': ['__tests__/broken.test.js'],
  mocha: ['hooks > "before all" hook for "is not reached"'],
  'mocha-tap': ['hooks "before all" hook for "is not reached"'],
  'mocha-xunit': ['mtest/a.js > hooks > "before all" hook for "is not reached"'],
  pytest: ['tests/test_broken.py'],
  'pytest-collection': ['tests/test_broken.py'],
  'cargo-compile': ['could not compile `fx` (test "bad")'],
};

/** Half a megabyte of suites, each inside the one before, and as much of failures in the innermost. */
function nested(opens: string, fails: string, indent: number): string {
  const depth = 300;
  const suites = Array.from(
    { length: depth },
    (_, at) => `${' '.repeat(at * indent)}${opens}${at}${'n'.repeat(1_000)}\n`,
  );
  return suites.join('') + `${' '.repeat(depth * indent)}${fails}\n`.repeat(500_000 / (depth * indent));
}

describe('the names of failing tests', () => {
  it.each(Object.entries(expected))('are read from what %s prints, and nothing else is', (name, names) => {
    expect(failingTests(fixture(name)).sort()).toEqual([...names].sort());
  });

  it.each(Object.keys(expected))('of %s tell what is no test', (name) => {
    expect(readTests(fixture(name)).broken).toEqual(broken[name] ?? []);
  });

  it.each([
    ['go test', 'FAIL\tx/store [build failed]\nFAIL', ['x/store [build failed]']],
    [
      'go test whose process died',
      '--- FAIL: TestA (0.00s)\nexit status 2\nFAIL\tx\t0.1s\nFAIL',
      ['x [process ended]'],
    ],
    ['surefire', '[ERROR] COMPILATION ERROR : ', ['compilation error']],
    [
      'surefire with a class that could not be set up',
      '[ERROR] x.AppTest -- Time elapsed: 0.1 s <<< ERROR!\n[ERROR] x.AppTest.adds -- Time elapsed: 0.1 s <<< FAILURE!',
      ['x.AppTest'],
    ],
    ['gradle', '> Task :compileTestJava FAILED', ['compilation error in :compileTestJava']],
    ['gradle with such a class', 'SumTest > initializationError FAILED', ['SumTest > initializationError']],
    ['dotnet', '/w/A.cs(3,5): error CS0103: no such name', ['compilation error']],
    ['mix test', '== Compilation error in file test/a_test.exs ==', ['test/a_test.exs']],
    ['rspec', 'An error occurred while loading ./spec/a_spec.rb.', ['./spec/a_spec.rb']],
    ['deno', './a_test.ts (uncaught error)', ['./a_test.ts']],
    ['ctest', 'The following tests FAILED:\n\t  1 - sums (Failed)\n\t  2 - waits (Not Run)', ['waits']],
    [
      'vitest with a failing hook',
      '⎯⎯ Failed Suites 1 ⎯⎯\n\n FAIL  a.test.ts > hooked\n\n⎯⎯ Failed Tests 1 ⎯⎯\n\n FAIL  a.test.ts > old',
      ['a.test.ts > hooked'],
    ],
    ['vitest with an error outside of tests', '⎯⎯ Unhandled Errors ⎯⎯', ['vitest: unhandled errors']],
    [
      'unittest',
      `${'='.repeat(70)}\nERROR: setUpClass (test_a.A)\n${'='.repeat(70)}\nFAIL: test_b (test_a.A.test_b)`,
      ['setUpClass (test_a.A)'],
    ],
    [
      'pytest as JUnit',
      '<testcase classname="" name="tests.test_a"><error message="collection failure"/></testcase>',
      ['tests.test_a'],
    ],
  ])('tell what is no test in the output of %s', (_runner, output, expected) => {
    const read = readTests(output);
    expect(read.broken).toEqual(expected);
    expect(read.failing).toEqual(expect.arrayContaining(expected));
  });

  it.each([
    [
      'node:test',
      (name: string) =>
        `▶ s\n  ✖ ${name} (1ms)\n  ✖ cancelled\n✖ s (1ms)\nℹ pass 0\nℹ fail 1\nℹ cancelled 1\n\n✖ failing tests:\n\ntest at test/a.js:1:1\n✖ ${name} (1ms)\n  Error: x\n\ntest at test/a.js:2:1\n✖ cancelled\n`,
      ['test/a.js > s > one', 'test/a.js > s > cancelled', 'test/a.js > s > two'],
    ],
    [
      'mocha',
      (name: string) => `  0 passing (1ms)\n  1 failing\n\n  1) s\n       ${name}:\n     Error: x\n  9) no entry\n`,
      ['s > one', 's > two'],
    ],
  ])('of several runs of %s in one output are all read', (_runner, run, names) => {
    const read = readTests(run('one') + run('two'));
    expect(read.failing).toEqual(names);
    expect(read.gap).toBeNull();
  });

  it('have their package where the scripts of several packages ran', () => {
    const run = (name: string) =>
      `\n> ${name}@1.0.0 test\n> node --test\n\n✔ fine (1ms)\n✖ old (1ms)\nℹ pass 1\nℹ fail 1\n\n✖ failing tests:\n\ntest at a.js:1:1\n✖ old (1ms)\n`;
    const several = readTests(`${run('web')}${run('@shop/api')}`);
    expect(several.failing).toEqual(['web > a.js > old', '@shop/api > a.js > old']);
    expect(several.passing).toEqual(['@shop/api > fine', 'web > fine']);
    expect(several.gap).toBeNull();
    expect(readTests(run('web')).failing).toEqual(['a.js > old']);
    expect(readTests(`${run('web')}${run('web')}`).failing).toEqual(['a.js > old']);
  });

  it('of vitest keep brackets at the end of a title', () => {
    const list = '⎯⎯ Failed Tests 2 ⎯⎯\n\n FAIL  a.test.ts > parses [ a ]\n FAIL  a.test.ts > parses [ b ]\n';
    expect(failingTests(list)).toEqual(['a.test.ts > parses [ a ]', 'a.test.ts > parses [ b ]']);
    expect(failingTests('⎯⎯ Failed Suites 1 ⎯⎯\n\n FAIL  |web| a.test.ts [ a.test.ts ]\n')).toEqual([
      '|web| a.test.ts',
    ]);
  });

  it.each(Object.keys(expected))('of %s are all that it counts', (name) => {
    expect(readTests(fixture(name)).gap).toBeNull();
  });

  it('are not all where the output counts more failures than it names', () => {
    expect(readTests('ℹ pass 1\nℹ fail 1\n').gap).toBe('unnamed');
    expect(readTests('FAILED a.py::b\n== 1 failed in 0.1s ==').gap).toBe('unnamed');
  });

  it.each([
    ['pytest', '!!!!!!!!!! stopping after 1 failures !!!!!!!!!!'],
    ['pytest in several processes', '!!!!!!! xdist.dsession.Interrupted: stopping after 1 failures !!!!!!!'],
    ['jest', 'Test Suites: 1 failed, 1 of 3 total'],
    ['vitest', ' Test Files  1 failed (1)\n      Tests  1 failed (6)'],
    ['TAP', 'Bail out! no more'],
    ['bun', 'Bailed out after 1 failure'],
    ['Playwright', '  Testing stopped early after 1 maximum allowed failures.'],
    ['cargo', 'error: test failed, to rerun pass `--test sums`'],
    [
      'cargo nextest',
      'warning: 3/10 tests were not run due to test failure (run with --no-fail-fast to run all tests)',
    ],
    ['AVA', '  `--fail-fast` is on. At least 1 test was skipped.'],
    ['a script of npm', '> shop@1.0.0 test\n> mocha --bail'],
    ['a script of yarn', '$ go test -failfast ./...'],
  ])('are not all where the tests stop at one, in the words of %s', (_runner, words) => {
    const failed = '1..1\nnot ok 1 - a\n';
    expect(readTests(`${failed}${words}\n`).gap).toBe('stopped');
    expect(readTests(words).gap).not.toBe('stopped');
  });

  it('are all where cargo names all targets at the end, and where vitest counts all', () => {
    const cargo = 'error: test failed, to rerun pass `--lib`\nerror: 1 target failed:\n    `--lib`\n';
    expect(readTests(` FAIL  a.test.ts > adds\n${cargo}      Tests  1 failed | 2 passed (3)\n`).gap).toBeNull();
  });

  it('of jest are read once though a long output repeats them', () => {
    const list = 'FAIL a.test.js\n  ● adds\n\n';
    const repeated = `${list}Summary of all failing tests\n${list}\nTest Suites: 1 failed, 1 total\nTests:       2 failed, 2 total\n`;
    expect(readTests(repeated)).toMatchObject({ failing: ['a.test.js > adds'], gap: 'unnamed' });
  });

  it('are expected of every fixture', () => {
    const files = readdirSync(new URL('./fixtures', import.meta.url)).map((name) => name.replace('.txt', ''));
    expect(files.sort()).toEqual(Object.keys(expected).sort());
  });

  it.each(Object.keys(expected))('of %s stay the same when times, colours and line ends differ', (name) => {
    const output = fixture(name);
    const later = output
      .replace(/\d+(\.\d+)?(?= ?m?s\b)/g, (time) => String(Number(time) + 17.25))
      .replace(/^.*$/gm, (line) => `\u001b[31m${line}\u001b[0m\r`);
    expect(failingTests(later)).toEqual(failingTests(output));
  });

  it('are read from go test, with the package and with packages that did not build', () => {
    const output = [
      '--- FAIL: TestAdd (0.00s)',
      '    add_test.go:8: got 1, want 2',
      '--- FAIL: TestTable (0.01s)',
      '    --- FAIL: TestTable/two_words (0.00s)',
      '        add_test.go:20: no',
      'FAIL',
      'FAIL\texample.com/m/add\t0.004s',
      'ok  \texample.com/m/good\t(cached)',
      '?   \texample.com/m/none\t[no test files]',
      '# example.com/m/bad',
      'bad/bad.go:3:1: syntax error',
      'FAIL\texample.com/m/bad [build failed]',
      'panic: boom',
      'FAIL\texample.com/m/exits\t0.002s',
      'FAIL',
    ].join('\n');
    expect(failingTests(output)).toEqual([
      'example.com/m/add TestAdd',
      'example.com/m/add TestTable',
      'example.com/m/add TestTable/two_words',
      'example.com/m/bad [build failed]',
      'example.com/m/exits',
    ]);
  });

  it('of go test are not those that a test of a good package prints', () => {
    expect(failingTests('--- FAIL: TestPrinted (0.00s)\nok  \tx\t0.01s\n')).toEqual([]);
  });

  it('have the package beside them where its process died after go test had named a test', () => {
    const output = [
      '--- FAIL: TestOld (0.00s)',
      'fatal error: all goroutines are asleep - deadlock!',
      '',
      'exit status 2',
    ];
    expect(failingTests([...output, 'FAIL\texample.com/m\t0.004s', 'FAIL'].join('\n'))).toEqual([
      'example.com/m TestOld',
      'example.com/m [process ended]',
    ]);
  });

  it('have the target beside them that a signal ended under cargo test', () => {
    const output = [
      'error: test failed, to rerun pass `--test sums`',
      'Caused by:',
      "  process didn't exit successfully: `/workspace/target/debug/deps/sums-0123456789abcdef` (signal: 11, SIGSEGV: invalid memory reference)",
    ];
    expect(failingTests(output.join('\n'))).toEqual(['sums [process ended]']);
  });

  it('are read from surefire of versions 2 and 3, and a compilation error counts', () => {
    const output = [
      '[ERROR] Tests run: 5, Failures: 2, Errors: 1, Skipped: 1, Time elapsed: 0.05 s <<< FAILURE! -- in x.AppTest',
      '[ERROR] x.AppTest.adds -- Time elapsed: 0.012 s <<< FAILURE!',
      'org.opentest4j.AssertionFailedError: expected: <3> but was: <2>',
      '[ERROR] x.AppTest.param(int)[1] -- Time elapsed: 0.002 s <<< FAILURE!',
      '[ERROR] x.OldTest.throwsIt  Time elapsed: 0.001 s  <<< ERROR!',
      'older(x.OlderTest)  Time elapsed: 0.02 sec  <<< FAILURE!',
      '[ERROR] Failures: ',
      '[ERROR]   AppTest.adds:6 expected: <3> but was: <2>',
      '[ERROR] COMPILATION ERROR : ',
    ].join('\n');
    expect(failingTests(output)).toEqual([
      'x.AppTest.adds',
      'x.AppTest.param(int)[1]',
      'x.OldTest.throwsIt',
      'older(x.OlderTest)',
      'compilation error',
    ]);
  });

  it('of several reports in one output are all read, each once', () => {
    const both = `${fixture('pytest')}\n${fixture('jest')}\n${fixture('jest')}`;
    expect(failingTests(both).sort()).toEqual([...(expected.pytest ?? []), ...jestTests].sort());
  });

  it('keep an outer TAP test that failed by itself beside the inner one', () => {
    const tap = (type: string) =>
      `TAP version 13\n# Subtest: outer\n    # Subtest: inner\n    not ok 1 - inner\n    1..1\nnot ok 1 - outer\n  ---\n  failureType: '${type}'\n  ...\n1..1\n`;
    expect(failingTests(tap('hookFailed'))).toEqual(['outer > inner', 'outer']);
    expect(failingTests(tap('subtestsFailed'))).toEqual(['outer > inner']);
  });

  it('tell equal names of two cargo targets apart', () => {
    const target = 'failures:\n\n---- adds stdout ----\nx\n\nfailures:\n    adds\n\ntest result: FAILED. 0 passed\n';
    expect(failingTests(target + target)).toEqual(['adds', 'adds (2)']);
  });

  it.each([
    '',
    'all is well\n',
    'not ok at all',
    'FAILED\nERROR\nFAIL\n',
    'ok 1 - a\nok 2 - b # TODO x\n1..2\n',
    '<testcase name="',
  ])('are none in %j', (output) => {
    expect(failingTests(output)).toEqual([]);
  });

  it('are at most 200, and the last one changes when any of those left out does', () => {
    const tap = (names: number[]) => `1..${names.length}\n${names.map((n) => `not ok ${n} - case ${n}`).join('\n')}\n`;
    const many = Array.from({ length: 300 }, (_, n) => 1_000 + n);
    const names = failingTests(tap(many));
    expect(names).toHaveLength(200);
    expect(names.at(-1)).toMatch(/^… and 101 more \([0-9a-f]{8}\)$/);
    expect(failingTests(tap(many.toReversed()))).toEqual(names);
    const other = failingTests(tap([...many.slice(0, -1), 9_999]));
    expect(other.slice(0, 199)).toEqual(names.slice(0, 199));
    expect(other.at(-1)).not.toBe(names.at(-1));
  });

  it('are cut to a length and hold no control character', () => {
    const names = failingTests(
      `1..2\nnot ok 1 - ${'x'.repeat(5_000)}1\nnot ok 2 - ${'x'.repeat(5_000)}2\nnot ok 3 - a\u0000b\ud800\n`,
    );
    expect(names).toHaveLength(3);
    expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(300);
    expect(names[2]).toBe('a b\ufffd');
  });

  // Made by tests that want to hold up the service: with a naive expression most of them take minutes.
  it.each([
    ['equal signs', '='.repeat(1_000_000)],
    ['TAP results in one line', `1..1\n${'not ok - # - # '.repeat(50_000)}`],
    ['TAP failures', `1..1\n${'not ok 1 - a\n'.repeat(80_000)}`],
    [
      'TAP failures of many names',
      `1..1\n${Array.from({ length: 60_000 }, (_, at) => `not ok ${at} - a${at}`).join('\n')}`,
    ],
    ['spaces in a TAP name', `1..1\nnot ok 1 x${' '.repeat(1_000_000)}x`],
    ['spaces where a time may follow', `x${' '.repeat(1_000_000)}x`],
    ['half a pytest summary', `${'FAILED a[ - '.repeat(80_000)}`],
    ['brackets of a pytest subtest', `=== short test summary info ===\nSUBFAILED${'()'.repeat(40)}x`],
    ['vitest files', ` FAIL  a${' [ b'.repeat(250_000)}`],
    ['open test cases', '<testcase>'.repeat(100_000)],
    ['half an open test case', '<testcase '.repeat(90_000)],
    ['open CDATA sections', '<testcase><![CDATA['.repeat(50_000)],
    ['unterminated terminal titles', '\x1b]0;'.repeat(262_000)],
    ['spaces before a line separator', `1..1\n${`not ok${' '.repeat(1_900)}\u2028\n`.repeat(500)}`],
    [
      'pytest subtests with many brackets',
      `=== short test summary info ===\n${`SUBFAILED(${') a'.repeat(600)}[\n`.repeat(500)}`,
    ],
    ['cargo names', `failures:\n${'    a\n'.repeat(170_000)}\ntest result: FAILED\n`],
    ['go tests', `${'--- FAIL: a (0s)\n'.repeat(60_000)}FAIL\ta\n`],
    ['scripts of packages', Array.from({ length: 60_000 }, (_, at) => `> a${at}@1 test\n`).join('')],
    ['scripts of as many packages as are read', `> a@1 test\n> b@1 test\n${'x\n'.repeat(900)}`.repeat(250)],
    ['lines of ctest', `1/2 Test #1: ${'...a'.repeat(400)}\n`.repeat(600)],
    ['suites of jest', `PASS a.test.js\n${nested('', '✓ a', 2)}`],
    ['tests of go that pass', '=== RUN   TestA\n--- PASS: TestA (0.00s)\n'.repeat(25_000)],
    ['closing lists of node:test', '✖ failing tests:\ntest at a:1:1\n✖ a (1ms)\n'.repeat(25_000)],
    ['closing lists of mocha', '  1 failing\n  1) a:\n'.repeat(50_000)],
    ['mocha suites around one test', `  1 failing\n  1) a\n${'       b\n'.repeat(110_000)}`],
    ['attributes of a test case', `<testcase ${'a = "b" '.repeat(130_000)}>`],
    ['deep and long suites in a spec report', `${nested('▶ ', '✖ a (1ms)', 2)}✖ failing tests:\n`],
    ['deep and long suites that pass', nested('▶ ', '✔ a (1ms)', 2)],
    ['lines that nearly name a passed test', `${'a ... ok (b) '.repeat(30)}x\n`.repeat(3_000)],
    ['gradle names', `${'a > b '.repeat(150)} FAILED\n`.repeat(1_100)],
    ['lists of numbers', `${'1 failed, '.repeat(18)}x\n`.repeat(5_000)],
    ['deep and long suites in TAP', `1..1\n${nested('# Subtest: ', 'not ok 1 - a', 4)}`],
    [
      'failures in a spec report',
      `${Array.from({ length: 60_000 }, (_, at) => `✖ a${at} (1ms)`).join('\n')}\n✖ failing tests:\n`,
    ],
  ])('are read from a flood of %s in reasonable time', (_what, output) => {
    const started = process.cpuUsage();
    failingTests(output);
    expect(process.cpuUsage(started).user).toBeLessThan(3_000_000); // microseconds of this process: other processes do not count
  });

  it('are read from lines of any length', () => {
    const message = `AssertionError: ${'x'.repeat(5_000)}`;
    expect(
      failingTests(
        `=== short test summary info ===\nFAILED a.py::b - ${message}\nSUBFAILED(i=(1)) a.py::c - ${message}\n`,
      ),
    ).toEqual(['a.py::b', 'a.py::c (i=(1))']);
    expect(failingTests(`<testcase name="b"><failure message="${message}"/></testcase>`)).toEqual(['b']);
  });

  it('of pytest are named in full where their brackets do not close', () => {
    const output =
      '=== short test summary info ===\nFAILED a.py::b[x - y\nFAILED a.py::b[x] - E[1]\nFAILED a.py::c - E[1]\n';
    expect(failingTests(output)).toEqual(['a.py::b[x - y', 'a.py::b[x]', 'a.py::c']);
  });

  it('of JUnit are not taken from what a test printed', () => {
    const printed = '<![CDATA[<testcase name="a"><failure/></testcase>]]>';
    expect(failingTests(`<testcase name="b"><system-out>${printed}</system-out><failure/></testcase>`)).toEqual(['b']);
  });
});
