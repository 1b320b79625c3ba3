/** Never worth a place in an answer: other people's code as installed, locks, maps, minified bundles. */
const SKIPPED = [
  /(^|\/)(node_modules|bower_components|\.yarn|\.pnpm-store|\.venv|site-packages|__pycache__)\//,
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|deno\.lock)$/,
  /(^|\/)(Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|pdm\.lock|Gemfile\.lock|composer\.lock|go\.sum|flake\.lock)$/,
  /\.(map|lock)$|[.-]min\.(js|mjs|css)$/,
];

/** In the repository, but rarely what an issue is about: it has to match far better than written code to be shown. */
const FAINT = [
  /(^|\/)(vendor|vendored|third_party|third-party|external|deps)\//i,
  /(^|\/)(dist|build|out|target|coverage|generated|__generated__|gen|__snapshots__)\//i,
  /\.(generated|gen|pb|g)\.[a-z]+$|_pb2(_grpc)?\.pyi?$|_generated\.[a-z]+$|\.snap$|\.svg$|\.po$/i,
  /(^|\/)(changelog|changes|history|news|authors|licen[cs]e)[^/]*$/i,
];

const FAINT_WEIGHT = 0.3;

/** How much a match in this file counts: 0 (not indexed), less than 1 (vendored or generated) or 1. */
export function pathWeight(path: string): number {
  if (SKIPPED.some((pattern) => pattern.test(path))) return 0;
  return FAINT.some((pattern) => pattern.test(path)) ? FAINT_WEIGHT : 1;
}
