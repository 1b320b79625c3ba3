/**
 * Whether a path is a test's by the customs of its language: `x.test.ts`, `__tests__/x.js`, `test_x.py`, `x_test.go`,
 * `tests/x.rs`, `src/test/java/XTest.java`, `x_spec.rb`. A Rust source with tests inside is not told by its path.
 */
export function isTestFile(path: string): boolean {
  return NAMES.test(path) || (FOLDERS.test(path) && CODE.test(path));
}

const NAMES =
  /(?:^|\/)(?:[^/]+[._-](?:test|tests|spec|cy|e2e)\.[^/.]+|test[_-][^/]+\.[^/.]+|tests?\.(?:[cm]?[jt]sx?|py|rs)|[^/]*(?:Test|Tests|TestCase|IT|Spec)\.(?:java|kt|groovy|scala|php|cs|swift)|[^/]+\.bats)$/;
const FOLDERS = /(?:^|\/)(?:__tests__|tests?|specs?|e2e)\//i;
const CODE = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|groovy|scala|rb|php|cs|exs?|swift|dart)$/;
