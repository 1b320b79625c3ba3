/**
 * Whether a file says how tests and checks are run: manifests, configurations of runners, linters and type checkers, build
 * files, and pipelines of build services.
 */
export function isCheckConfiguration(path: string): boolean {
  return NAMES.test(path.slice(path.lastIndexOf('/') + 1)) || PIPELINES.test(path);
}

const NAMES =
  /^(?:package\.json|composer\.json|deno\.jsonc?|bunfig\.toml|pyproject\.toml|setup\.cfg|tox\.ini|pytest\.ini|conftest\.py|noxfile\.py|\.coveragerc|mypy\.ini|\.?ruff\.toml|\.flake8|\.pylintrc|Cargo\.toml|clippy\.toml|tarpaulin\.toml|GNUmakefile|[Mm]akefile|.*\.mk|[Jj]ustfile|Taskfile\.ya?ml|Rakefile|\.rspec|(?:spec|rails|test)_helper\.rb|\.simplecov|\.rubocop\.ya?ml|pom\.xml|build\.gradle(?:\.kts)?|phpunit\.xml(?:\.dist)?|\.golangci\.(?:ya?ml|toml)|\.?testcoverage\.ya?ml|\.?codecov\.ya?ml|tsconfig(?:\.[\w-]+)?\.json|\.(?:nyc|c8|mocha|eslint|stylelint|swc|babel|size-limit|oxlint)(?:rc)?(?:\.\w+)?|(?:jest|vitest|vite|playwright|cypress|karma|ava|mocha|nyc|c8|eslint|stylelint|biome|wdio|web-test-runner|tap|jasmine|codecov|lefthook)(?:\.[\w-]+)*\.(?:[cm]?[jt]s|jsonc?|ya?ml)|(?:run[_-]?)?tests?(?:[_-]\w+)?\.sh)$/;
const PIPELINES =
  /^(?:\.github\/workflows\/|\.gitea\/workflows\/|\.forgejo\/workflows\/|\.circleci\/|\.buildkite\/|\.gitlab-ci\.ya?ml$|azure-pipelines.*\.ya?ml$|\.travis\.ya?ml$|bitbucket-pipelines\.ya?ml$|Jenkinsfile)/;
