/** The files that define how tests are run: manifests, lock files, and settings of runners and build tools. */
const NAMES = [
  // JavaScript and TypeScript
  /^(?:package|package-lock|npm-shrinkwrap|deno|tsconfig(?:\.[\w-]+)?|jsconfig|lerna|nx|turbo)\.jsonc?$/,
  /^(?:yarn|bun|deno)\.lock$|^bun\.lockb$|^pnpm-(?:lock|workspace)\.yaml$|^\.pnp(?:file)?\.[cm]?js$|^bunfig\.toml$/,
  /^\.(?:npm|yarn|mocha|nyc|c8|babel|swc|tap)rc(?:\.\w+)?$/,
  /^(?:jest|vitest|vite|playwright|cypress|karma|ava|nyc|babel|wdio|web-test-runner|tap|jasmine)(?:\.[\w-]+)*\.(?:config|conf|workspace|setup)(?:\.[\w-]+)*\.(?:[cm]?[jt]s|jsonc?|ya?ml)$/,
  // Python
  /^(?:pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|\.?pytest\.(?:ini|toml)|conftest\.py|noxfile\.py|\.coveragerc)$/,
  /^(?:Pipfile|Pipfile\.lock|poetry\.lock|uv\.lock|requirements[\w.-]*\.txt)$/,
  // Go, Rust
  /^go\.(?:mod|sum|work)$|^Cargo\.(?:toml|lock)$|^nextest\.toml$/,
  // The JVM, .NET
  /^pom\.xml$|^(?:build|settings)\.(?:gradle(?:\.kts)?|sbt)$|^gradle\.properties$|^(?:gradlew|mvnw)$/,
  /^Directory\.Build\.(?:props|targets)$|\.runsettings$|^global\.json$/,
  // Ruby, PHP, Elixir
  /^Gemfile(?:\.lock)?$|^Rakefile$|^\.rspec$|^composer\.(?:json|lock)$|^phpunit(?:\.dist)?\.xml(?:\.dist)?$|^mix\.(?:exs|lock)$/,
  // Any
  /^(?:GNU)?[Mm]akefile$|\.mk$|^[Jj]ustfile$|^Taskfile\.ya?ml$|^(?:run[_-]?)?tests?\.sh$/,
];

/**
 * Whether a file says how the tests of a repository are run. Build files that list each source, such as `CMakeLists.txt`,
 * are left out: an honest change adds to them.
 *
 * @param path relative to the repository, with `/`
 */
export function isRunnerFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return NAMES.some((pattern) => pattern.test(name));
}
