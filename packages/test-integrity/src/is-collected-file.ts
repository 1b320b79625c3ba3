/**
 * Whether a runner takes a file for one with tests if nothing is configured. A repository may have set other names: so this
 * tells only which files are no longer found although they were.
 */
export function isCollectedFile(path: string, source: string): boolean {
  const known = collected.find(({ language, runner }) => language.test(path) && runner.test(source));
  return known === undefined || known.files.test(path);
}

const SCRIPT = /\.[cm]?[jt]sx?$/;

/** The first that fits. The runner of a script is told by its imports; many have none, and any name will do for those. */
const collected: readonly { readonly language: RegExp; readonly runner: RegExp; readonly files: RegExp }[] = [
  { language: SCRIPT, runner: /['"]vitest['"]/, files: /\.(?:test|spec)\.[cm]?[jt]sx?$/ },
  {
    language: SCRIPT,
    runner: /(?:)/,
    files:
      /(?:^|\/)(?:[^/]*[._-](?:test|spec|cy|e2e)|[^/]*Spec|test[_-][^/]*|tests?)\.[cm]?[jt]sx?$|(?:^|\/)(?:__tests__|tests?|specs?|e2e|cypress)\//i,
  },
  { language: /\.py$/, runner: /(?:)/, files: /(?:^|\/)(?:test[^/]*|[^/]*_test)\.py$/ },
  { language: /\.go$/, runner: /(?:)/, files: /^(?:(?!testdata\/)[^_./][^/]*\/|\.{1,2}\/)*[^_./][^/]*_test\.go$/ },
  {
    language: /\.(?:java|kt)$/,
    runner: /(?:)/,
    files: /(?:^|\/)(?:(?:Test|IT)[A-Z_][^/]*|[^/]*(?:Tests?|TestCase|IT|ITCase|Specs?))\.(?:java|kt)$/,
  },
  { language: /\.rb$/, runner: /(?:)/, files: /(?:_spec|_test|(?:^|\/)test[^/]*)\.rb$/ },
  { language: /\.php$/, runner: /(?:)/, files: /Test\.php$/ },
  { language: /\.exs$/, runner: /(?:)/, files: /_test\.exs$/ },
];
