/** Folders that hold tests and nothing else, with whatever the tests need. */
const TEST_FOLDER =
  /(?:^|\/)(?:tests?|__tests__|__snapshots__|__mocks__|testdata|e2e|cypress|integration[-_]tests?)\//i;

/** `spec` is also what people call a specification, so there only code counts. */
const SPEC_FOLDER = /(?:^|\/)specs?\/(?:.*\/)?[^/]+\.(?:[cm]?[jt]sx?|rb|php|cr|lua|snap)$/i;

/** Projects of .NET, SwiftPM and Gradle that are named after what they test: `Shop.Tests/`, `ShopTests/`, `src/androidTest/`. */
const TEST_PROJECT = /(?:^|\/)(?:[\w.-]+\.(?:Unit|Integration)?Tests?|[A-Z]\w*Tests|\w+Test)\//;

const SNAPSHOT = /\.(?:snap|snap\.new)$/i;

const TEST_NAMES = [
  /[._-](?:test|tests|spec|specs|cy|e2e)\.(?:[cm]?[jt]sx?|vue|svelte)$/i, // JavaScript and TypeScript
  /(?:^|\/)(?:test[_-][^/]*|tests?)\.[cm]?[jt]sx?$/,
  /(?:^|\/)(?:test_[^/]*|[^/]*_tests?|tests?|conftest)\.py$/, // Python
  /_test\.(?:go|exs|dart|cc|cpp|cxx|c|h|clj|cljs|lua|zig|nim|ml|jl|erl|gleam|php|rb|rs|sh)$/,
  /(?:^|\/)(?:test_[^/]*|[^/]*_spec|spec_helper|rails_helper|test_helper)\.(?:rb|cr|lua)$/, // Ruby, Crystal
  /(?:^|\/)(?:test_[^/]*|tests?)\.(?:exs|cc|cpp|cxx|c|lua|jl|sh|rs|R)$/,
  /(?:^|\/)(?:\w*(?:Test|Tests|TestCase|Spec|Specs)|\w*[a-z\d]IT)\.(?:java|kt|kts|groovy|scala|cs|fs|vb|swift|php|cpp|cc|m|mm|hs)$/,
  /(?:^|\/)Test[A-Z]\w*\.(?:java|kt|groovy|scala|php|cs)$/,
  /\.(?:bats|feature|t)$/,
];

const CODE = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|groovy|scala|rb|php|cs|exs?|swift|dart)$/;

/** Code that is shipped, whatever its folders are called: libraries for tests have packages named `test`. */
const SHIPPED = /(?:^|\/)src\/main\//;

/**
 * Whether a file belongs to the tests of a repository, by the conventions of the common languages: a test, or what only tests
 * use, as fixtures, snapshots and helpers in a folder of tests. Tests inside a source file, as in Rust, are not seen.
 *
 * @param path relative to the repository, with `/`
 */
export function belongsToTests(path: string): boolean {
  if (SHIPPED.test(path)) return false;
  return [TEST_FOLDER, SPEC_FOLDER, TEST_PROJECT, SNAPSHOT, ...TEST_NAMES].some((pattern) => pattern.test(path));
}

/** Whether a file of the tests is code: it is named like a test, or stands in a folder of tests. */
export function isTestFile(path: string): boolean {
  return belongsToTests(path) && (CODE.test(path) || TEST_NAMES.some((pattern) => pattern.test(path)));
}
