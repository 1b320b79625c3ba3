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
])('does not name %s where a text says: %s', (failing, text) => {
  expect(namedTests([failing], [text])).toEqual([]);
});

it('names a test that one sentence excuses and another one wants', () => {
  expect(namedTests(['a.py::test_total'], ['test_total is unrelated. No: fix test_total.'])).toEqual([
    'a.py::test_total',
  ]);
});

it('takes little time for long texts and many names', () => {
  const names = Array.from({ length: 200 }, (_, at) => `a.py::test_${at}`);
  const started = process.cpuUsage();
  namedTests(names, ['test_ test adds '.repeat(6_000)]);
  namedTests(names, ['leave ignore will still '.repeat(4_000)]);
  expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
});
