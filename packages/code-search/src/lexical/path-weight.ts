/** Never worth a place in an answer: other people's code as installed, locks, maps, minified bundles. */
const SKIPPED = [
  /(^|\/)(node_modules|bower_components|\.yarn|\.pnpm-store|\.venv|site-packages|__pycache__)\//,
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|deno\.lock)$/,
  /(^|\/)(Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|pdm\.lock|Gemfile\.lock|composer\.lock|go\.sum|flake\.lock)$/,
  /\.(map|lock)$|[.-]min\.(js|mjs|css)$/,
];

/** Files that are rarely what an issue is about: they have to match far better than written code to be shown. */
const FAINT = [
  /(^|\/)(vendor|vendored|third_party|third-party|external|deps)\//i,
  /(^|\/)(dist|build|out|target|coverage|generated|__generated__|gen|__snapshots__)\//i,
  /\.(generated|gen|pb|g)\.[a-z]+$|_pb2(_grpc)?\.pyi?$|_generated\.[a-z]+$|\.snap$|\.svg$|\.po$/i,
  /(^|\/)(changelog|changes|history|news|authors|licen[cs]e)[^/]*$/i,
  /(^|\/)\.(github|gitlab|circleci|vscode|devcontainer|idea|husky|changeset)\//,
];

/** Files of tests. They say the words of what they test more often than it does itself. */
const TESTS = [
  /(^|\/)(tests?|__tests__|specs?|e2e|fixtures?|__fixtures__|mocks?|__mocks__|testdata|bench(marks)?|examples?)\//i,
  /[._-](test|tests|spec|bench|stories)\.[a-z]+$|(^|\/)test_[^/]*\.py$|(Test|Tests|Spec)\.(java|cs|php|kt|scala|swift)$/,
];

/** Prose and settings. */
const BESIDE_CODE = /\.(md|mdx|markdown|rst|txt|adoc|json|jsonc|json5|ya?ml|toml|ini|cfg|xml|csv|tsv)$|(^|\/)\.[^/]*$/i;

// Chosen with `bench/retrieval.ts` on two histories, none held out: read the order, not the second digit.
const FAINT_WEIGHT = 0.3;
const TEST_WEIGHT = 0.4;
const BESIDE_CODE_WEIGHT = 0.6;

/** How much a match in this file counts: 0 (not indexed), less than 1 (what is rarely meant) or 1. */
export function pathWeight(path: string): number {
  if (SKIPPED.some((pattern) => pattern.test(path))) return 0;
  if (isFaintPath(path)) return FAINT_WEIGHT;
  if (isTestPath(path)) return TEST_WEIGHT;
  return BESIDE_CODE.test(path) ? BESIDE_CODE_WEIGHT : 1;
}

/** Whether a file is vendored, generated or otherwise not written for this repository's own work. */
export function isFaintPath(path: string): boolean {
  return FAINT.some((pattern) => pattern.test(path));
}

function isTestPath(path: string): boolean {
  return TESTS.some((pattern) => pattern.test(path));
}
