import { expect, it } from 'vitest';
import { namedTests } from './named-tests.ts';

it.each([
  ['test/a.test.js > cart > adds two prices', 'The test "adds two prices" must pass.'],
  ['test/a.test.js > cart > adds two prices', 'Fix cart > adds two prices in the cart'],
  ['tests/test_a.py::TestCart::test_total', 'test_total fails since the last release.'],
  ['tests/test_a.py::test_param[c - d]', 'Make tests/test_a.py::test_param[c - d] pass.'],
  ['tests/test_a.py::test_param[c - d]', 'test_param is red'],
  ['example.com/m/cart TestTotal', 'Make TestTotal pass'],
  ['example.com/m/cart TestTotal/no_prices', 'TestTotal/no_prices is red'],
  ['x.CartTest.addsPrices', 'CartTest.addsPrices fails'],
  ['x.CartTest.adds', 'The test `adds` fails.'],
  ['cart::tests::adds', '`adds` fails'],
  ['adds', 'The test adds fails.'],
  ['adds', 'adds test fails'],
  ['adds', 'Test: "adds"'],
  ['test_old (test_a.Old.test_old) (i=1)', 'test_old should pass again'],
  ['./spec/cart_spec.rb > Cart with a discount sums up', 'Cart with a discount sums up'],
  ['SumTest#test_adds', 'Fix SumTest#test_adds.'],
  ['Adds Prices', 'make "adds prices" pass'],
  ['tests/test_a.py::test_total', 'test_total keeps failing on CI.'],
  ['tests/test_a.py::test_total', 'Since the upgrade test_total still fails.'],
  ['tests/test_a.py::test_total', 'The parser ignores the offset, see test_total.'],
  ['tests/test_a.py::test_total', 'test_total fails regardless of the order of its items.'],
  ['tests/test_a.py::test_total', 'It leaves a file open, so test_total is red.'],
  ['tests/test_a.py::test_total', 'Discounts are not affected by tax (test_total).'],
  // An excuse beside what asks for a fix.
  ['tests/test_a.py::test_total', 'test_total fails since 2.0, a known issue that we want fixed now'],
  ['tests/test_a.py::test_total', 'Fix the pre-existing failure of test_total.'],
  ['tests/test_a.py::test_total', 'The failure of test_total is pre-existing; this issue is about fixing it'],
  ['tests/test_a.py::test_total', 'Known failure: test_total. Please fix it.'],
  ['tests/test_a.py::test_total', 'test_total might still fail on Windows after the fix, but must pass on Linux'],
  ['tests/test_a.py::test_total', 'Make test_total pass. It is not caused by the tests, but by parse().'],
  ['tests/test_a.py::test_total', 'Parsing is broken, see test_total: do not change the test, fix the parser'],
  ['tests/test_a.py::test_total', 'Do not touch the test test_total, make it pass'],
  ['tests/test_a.py::test_total', 'Fix test_total and leave test_other alone'],
  ['tests/test_a.py::test_total', 'Ignore test_other and fix test_total'],
  ['tests/test_a.py::test_total', 'test_other is a known failure, fix test_total only'],
  ['tests/test_a.py::test_total', 'test_total is red. Leave the other tests as they are.'],
  // Files and suites.
  ['tests/test_a.py::test_total', 'tests/test_a.py fails'],
  ['tests/test_a.py::test_total', 'The tests in `test_a.py` are red since May.'],
  ['tests/test_a.py::test_total', 'Fix the failing tests in tests/test_a.py.'],
  ['src/cart.test.ts > cart > adds up', 'tests in cart.test.ts fail'],
  ['src/cart.test.ts > cart > adds up', 'The cart suite still fails.'],
  ['x.AppTest.adds', 'AppTest is red since May'],
  ['tests/test_a.py::TestCart::test_total', 'TestCart must pass'],
  ['example.com/m TestSum/empty_list', 'TestSum is red'],
])('names %s where a text says: %s', (failing, text) => {
  expect(namedTests([failing, 'something else entirely'], ['Something first.', text])).toEqual([failing]);
});

it.each([
  ['adds', 'sum adds its arguments, but forgets the last.'],
  ['cart::tests::adds', 'A cart adds prices.'],
  ['tests/test_a.py::test_total', 'test_total_of_all fails.'],
  ['test/a.test.js > cart > old', 'An old cart fails.'],
  ['tests/test_a.py::test_total', 'test_total fails before the change and is unrelated.'],
  ['tests/test_a.py::test_total', 'The pre-existing failure of test_total stays.'],
  ['tests/test_a.py::test_total', 'test_total is out of scope; leave it as it is.'],
  ['tests/test_a.py::test_total', 'Known failure: test_total. '],
  ['tests/test_a.py::test_total', 'test_total is not part of this issue.'],
  ['tests/test_a.py::test_total', 'test_total will still fail.'],
  ['tests/test_a.py::test_total', 'test_total may keep failing.'],
  ['tests/test_a.py::test_total', 'Ignore the failure of test_total.'],
  ['tests/test_a.py::test_total', 'Leave test_total alone.'],
  ['tests/test_a.py::test_total', 'test_total stays red, which is fine.'],
  ['tests/test_a.py::test_total', 'test_total fails regardless of this change.'],
  ['tests/test_a.py::test_total', 'test_total is not affected by the fix.'],
  ['tests/test_a.py::test_other', 'Fix test_total and leave test_other alone'],
  ['tests/test_a.py::test_total', 'Do not fix test_total.'],
  ['tests/test_a.py::test_total', 'test_total is not to be fixed here.'],
  ['tests/test_a.py::test_total', 'test_total is unrelated to the bug fix.'],
  ['tests/test_a.py::test_total', 'The known failure test_total will be fixed in another pull request.'],
  ['tests/test_a.py::test_total', 'To fix the parser we leave test_total failing.'],
  ['tests/test_a.py::test_total', 'Add a test to tests/test_a.py.'],
  ['tests/test_a.py::test_total', 'Fix the parser, with a test in tests/test_a.py that fails without the fix.'],
  ['tests/test_a.py::test_total', 'tests/test_data.py fails'],
  ['src/cart.test.ts > cart > adds up', 'A cart fails to add up its prices.'],
  ['x.AppTest.adds', 'MyAppTest is red'],
  ['x.AppTest.adds', 'The unrelated AppTest is red.'],
])('does not name %s where a text says: %s', (failing, text) => {
  expect(namedTests([failing], [text])).toEqual([]);
});

it('names a test that one sentence excuses and another one wants', () => {
  expect(namedTests(['a.py::test_total'], ['test_total is unrelated. No: fix test_total.'])).toEqual([
    'a.py::test_total',
  ]);
});

it.each([
  'All tests must pass.',
  'Every one of them fails: all the tests should pass again.',
  'The failing tests are to be fixed',
  'Fix the failing tests',
  'Fix all failing unit tests',
  'Fix the build',
  'make CI green again',
  'Get the test suite to pass',
  'CI must be green.',
])('names all tests where a text says: %s', (text) => {
  const failing = ['a.py::test_one', 'b.py::test_two'];
  expect(namedTests(failing, [text])).toEqual(failing);
  expect(namedTests(failing, [text, 'a plan'], ['an issue'])).toEqual([]);
});

it.each([
  'All tests pass on my machine.',
  'CI is red because of an unrelated failure.',
  'Fix the failing tests in the parser.',
  'The build fails on Windows.',
  'Make the tests faster.',
  'The test suite must run in a minute.',
])('does not name all tests where a text says: %s', (text) => {
  expect(namedTests(['a.py::test_one', 'b.py::test_two'], [text])).toEqual([]);
});

it('leaves out what a clause excuses where another one asks for a test', () => {
  const failing = ['a.py::test_total', 'a.py::test_other'];
  expect(namedTests(failing, ['test_other is a known failure, fix test_total only'])).toEqual(['a.py::test_total']);
});

it('names by its file what a person wants, and not what a plan changes', () => {
  const plan = 'Fix tests/test_a.py.';
  expect(namedTests(['tests/test_a.py::test_total'], ['The total is wrong', plan], ['The total is wrong'])).toEqual([]);
  expect(namedTests(['tests/test_a.py::test_total'], [plan, plan], [plan])).toHaveLength(1);
});

it('takes little time for long texts and many names', () => {
  const names = Array.from({ length: 200 }, (_, at) => `a.py::test_${at}`);
  const started = process.cpuUsage();
  namedTests(names, ['test_ test adds '.repeat(6_000)]);
  namedTests(names, ['leave ignore will still '.repeat(4_000)]);
  expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
});
