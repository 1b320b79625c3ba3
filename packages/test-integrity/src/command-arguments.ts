/** Programs whose words are tasks, of which another one narrows nothing. */
const TASK_RUNNER =
  /(?:^|\/)(?:make|gmake|just|task|gradlew?|mvnw?|rake|nx|turbo|lerna|npm-run-all2?|run-[sp]|concurrently|wireit)$/;
/** Words that start another program, or are its first word: `go test`, `coverage run`, `cross-env`. */
const LEADING =
  /^(?:run|test|t|nextest|exec|unittest|discover|artisan|dotenv|env|cross-env(?:-shell)?|c8|nyc|coverage|time|timeout|nice|sudo|xvfb-run|npx|bunx)$/;
/** Here the first word is a name already. */
const TAKES_NAMES = /(?:^|\/)(?:jest|mocha|pytest|py\.test|rspec|phpunit|pest|ava|tox|nox)$/;
const INTERPRETER = /(?:^|\/)(?:node|bun|deno|tsx|ts-node|python[\d.]*|ruby|php|perl|sh|bash)$/;
/** Options about reports, coverage, environment and speed, whose value may stand apart. */
const HARMLESS =
  /^(?:-[RrfeEwjnPpIFv]|--?(?:reporters?|test-reporter(?:-destination)?|output(?:-?[fF]ile)?|format|coverage\S*|cov(?:er)?(?:-?\w+)?|environment|env|(?:max-?)?[wW]orkers|jobs|numprocesses|pool|timeout|retr(?:y|ies)|require|import|loader|junit-?xml|log-(?:cli-)?level|durations|tb|features|target|profile|manifest-path|target-dir|seed|parallel|count|vet|tags|color|test-threads|test-concurrency|logger|settings|verbosity))$/;

/** Checks the code without running it. */
const CHECKER =
  /^(?:mypy|pyright|ruff|flake8|pylint|black|isort|eslint|tsc|vue-tsc|biome|prettier|oxlint|golangci-lint|rubocop|phpstan|shellcheck|pre-commit|pip|npm|(?:cargo (?:fmt|clippy|doc|build|check)|go (?:vet|build|mod))\b)/;

/** The words that say which tests a command runs: no program, no option and no value of a harmless one. */
export function commandArguments(command: string): readonly string[] {
  if (CHECKER.test(command)) return [];
  const [program = '', ...words] = plainWords(command);
  if (TASK_RUNNER.test(program)) return [];
  const named = words.filter(
    (word, at) =>
      !/^-|^\w+=|^\d[\d.]*[smh%]?$/.test(word) &&
      !(LEADING.test(word) && !TAKES_NAMES.test(program)) &&
      !HARMLESS.test(words[at - 1] ?? ''),
  );
  const isScript = INTERPRETER.test(program) && !words.includes('--test');
  return isScript ? named.slice(1) : named;
}

/** Without quotes, redirections and variables, whose values are not known. */
function plainWords(command: string): string[] {
  return command
    .replaceAll(/\$\{\{.*?\}\}|\$\([^()]*\)|\$\{[^{}]*\}|\{[^{}]*\}|\$[\w@*]+/g, ' ')
    .replaceAll(/\d?>&?\s*[\w./-]+/g, ' ')
    .replaceAll(/["']/g, '')
    .replace(/[|&].*$/, '')
    .split(/[\s!]+/)
    .filter((word) => word !== '');
}

/** How often the exit code of a command is lost: in a pipe, in the background, by an alternative or a negation. */
export function lostExitCodes(command: string): number {
  const plain = command
    .replaceAll(/"[^"]*"|'[^']*'/g, ' ')
    .replaceAll(/\$\{\{.*?\}\}|\$\([^()]*\)/g, ' ')
    .replaceAll(/\d*>&\d*|&>>?/g, ' ')
    .replaceAll(/\|\|\s*(?:exit\s+(?:[1-9]|\$\?)|return\s+[1-9]|false\b)/g, ' ');
  return plain.match(/\|\||\||&|(?:^|\s)!(?=\s)/g)?.length ?? 0;
}
