import { expect, it } from 'vitest';
import { belongsToTests, isTestFile } from './belongs-to-tests.ts';

it.each([
  'src/sum.test.ts',
  'src/sum.spec.tsx',
  'lib/sum-test.js',
  'test/sum.js',
  'tests/fixtures/data.json',
  'packages/a/__tests__/sum.mjs',
  'src/__snapshots__/sum.test.ts.snap',
  'cypress/login.cy.ts',
  'e2e/login.ts',
  'tests/test_sum.py',
  'shop/test_sum.py',
  'shop/sum_test.py',
  'shop/tests.py',
  'lib/test-sum.js',
  'conftest.py',
  'internal/sum/sum_test.go',
  'internal/sum/testdata/golden.txt',
  'tests/adds.rs',
  'src/test/java/x/SumTest.java',
  'app/src/androidTest/kotlin/x/LoginTest.kt',
  'lib/SumIT.java',
  'src/TestSum.java',
  'spec/models/cart_spec.rb',
  'spec/spec_helper.rb',
  'test/models/cart_test.rb',
  'spec/sum.js',
  'tests/Unit/SumTest.php',
  'Shop.Tests/Sums.cs',
  'Shop.UnitTests/Sums.cs',
  'src/SumTests.cs',
  'Tests/ShopTests/SumTests.swift',
  'ShopTests/Sums.swift',
  'test/sum_test.exs',
  'test/test_helper.exs',
  'test/widget_test.dart',
  'src/sum_test.cc',
  'src/SumSpec.scala',
  'SumSpec.hs',
  'test/cart.bats',
  'features/cart.feature',
])('takes %s for a part of the tests', (path) => {
  expect(belongsToTests(path)).toBe(true);
});

it.each([
  'src/sum.ts',
  'src/testing/contract.ts',
  'src/attest.ts',
  'src/latest.py',
  'src/contest/entry.go',
  'src/protest.rs',
  'spec/interface.md',
  'spec/openapi.yaml',
  'docs/tests.md',
  'src/inspector.ts',
  'src/main/java/x/test/Harness.java',
  'lib/greatest.rb',
  'package.json',
  'vitest.config.ts',
  'pytest.ini',
  'README.md',
  'src/Tester.java',
  'app/models/latest_order.rb',
])('does not take %s for a part of the tests', (path) => {
  expect(belongsToTests(path)).toBe(false);
});

it.each([
  'src/sum.test.ts',
  'test/sum.js',
  'tests/adds.rs',
  'Shop.Tests/SumShould.cs',
  'src/integrationTest/java/x/CheckoutFlow.java',
  'src/TestSum.java',
  'spec/spec_helper.rb',
  'features/cart.feature',
  'test/sum_test.sh',
])('takes %s for the code of tests', (path) => {
  expect(isTestFile(path)).toBe(true);
});

it.each([
  'tests/fixtures/data.json',
  'src/__snapshots__/sum.test.ts.snap',
  'test/run.sh',
  'src/main/java/x/test/A.java',
])('does not take %s for the code of tests', (path) => {
  expect(isTestFile(path)).toBe(false);
});
