import { UsageError } from '../usage/usage-error.ts';
import { goTask, mavenTask, npmTask, pythonTask, type ReadyTask, rustTask } from './ready-task.ts';

const UNTRIED = null;

/** Apache's check of licence headers would read what Maven keeps in the tree. */
const NO_LICENCE_CHECK = ' -Drat.skip=true';

/**
 * Tasks for a person who has a key: fixes with tests in 30 public repositories, five in each of six languages. All are of
 * 2025 or 2026, change one or two sources, and have a suite that takes seconds to a few minutes.
 */
export const readyList: readonly ReadyTask[] = [
  // JavaScript
  npmTask(
    { repository: 'expressjs/express', commit: '18e5985b8a9d5e8423db0a9121f22bdaecd5b120', tried: UNTRIED },
    {
      test: 'npx mocha --require test/support/env --check-leaks test/ test/acceptance/',
      verify: 'npx mocha --require test/support/env --check-leaks {files}',
    },
  ),
  npmTask(
    { repository: 'npm/node-semver', commit: '5f3ca133e040210b6ea80c350a1d61d9da02e722', tried: UNTRIED },
    { test: 'npx tap --no-coverage', verify: 'npx tap --no-coverage {files}' },
  ),
  npmTask(
    { repository: 'micromatch/picomatch', commit: 'ab8bc4df8141b53ffb5473f301c289c6108eedf7', tried: UNTRIED },
    { test: 'npx mocha', verify: 'npx mocha {files}' },
  ),
  npmTask(
    { repository: 'sindresorhus/p-limit', commit: 'ef37eb2f372d385883d113803c98ba0bf3828ad1', tried: UNTRIED },
    { test: 'npx ava', verify: 'npx ava {files}' },
  ),
  npmTask(
    { repository: 'koajs/koa', commit: '863c2118f0fcc802678bb12b9dd1ec80a9be4001', tried: UNTRIED },
    { install: 'ci', test: 'node --test', verify: 'node --test {files}' },
  ),

  // TypeScript
  npmTask(
    { repository: 'honojs/hono', commit: 'f8b7847d755d98009feb2d7d1e6dff0921f8c500', tried: UNTRIED },
    {
      test: 'npx vitest --run --project main --coverage.enabled=false',
      verify: 'npx vitest --run --project main --coverage.enabled=false {files}',
    },
  ),
  npmTask(
    { repository: 'markedjs/marked', commit: '681373ccc058b5dc93c1f63291d755d7d714c2fa', tried: UNTRIED },
    {
      install: 'ci',
      test: 'npm run build:esbuild && npm run test:specs && npm run test:unit',
      verify: 'npm run build:esbuild && npm run test:specs',
    },
  ),
  npmTask(
    { repository: 'cheeriojs/cheerio', commit: '367b682f20a28f7ea233e8869442715342dcd0ac', tried: UNTRIED },
    { install: 'ci', test: 'npx vitest run', verify: 'npx vitest run {files}' },
  ),
  npmTask(
    { repository: 'sindresorhus/ky', commit: '06375efbacfc1bdc96f7a4de7560684b765e1274', tried: UNTRIED },
    { test: 'npm run build && npx ava', verify: 'npm run build && npx ava {files}' },
  ),
  npmTask(
    { repository: 'unjs/ufo', commit: 'eb29945470c8629309764f026a36e7f477a9a1ff', tried: UNTRIED },
    { test: 'npx vitest run', verify: 'npx vitest run {files}' },
  ),

  // Python
  pythonTask(
    { repository: 'pallets/click', commit: '762c97eef7c1b3779678992f26a553a2a8c80793', tried: '2026-11-29' },
    { modules: ['pytest'], path: 'src' },
  ),
  pythonTask(
    { repository: 'python-attrs/attrs', commit: 'af9c510912ce604a94896cc35c27368d5baf6ae6', tried: '2026-11-29' },
    { modules: ['pytest', 'hypothesis'], path: 'src' },
  ),
  pythonTask(
    {
      repository: 'more-itertools/more-itertools',
      commit: 'f51a53bfd2fe9504063a33ef5f4a73e30d82d0e2',
      tried: '2026-11-29',
    },
    { modules: ['pytest'], path: '.' },
  ),
  pythonTask(
    { repository: 'python-poetry/tomlkit', commit: '43668ddebc3f082bf385d328aceed18d26976897', tried: '2026-11-29' },
    { modules: ['pytest', 'yaml=pyyaml'], path: '.' },
  ),
  pythonTask(
    { repository: 'pallets/werkzeug', commit: '051fd66352cf8b3f0797249858068dedaead6d39', tried: UNTRIED },
    {
      modules: [
        'pytest',
        'pytest_timeout=pytest-timeout',
        'markupsafe',
        'watchdog',
        'cryptography',
        'ephemeral_port_reserve=ephemeral-port-reserve',
      ],
      path: 'src',
    },
  ),

  // Go
  goTask({ repository: 'spf13/cobra', commit: '746ef07158728502482cea9f880a6f4b21ef29a9', tried: UNTRIED }, '.'),
  goTask(
    { repository: 'go-chi/chi', commit: '38939062c5df4d3e8814aad1a488983112627ced', tried: UNTRIED },
    './middleware',
  ),
  goTask({ repository: 'urfave/cli', commit: 'eaebd6fabb986e1c7c8199973abf02c6d05e08bf', tried: UNTRIED }, '.'),
  goTask({ repository: 'BurntSushi/toml', commit: '4664468d6eafff56a043a217a8981cc72e901122', tried: UNTRIED }, '.'),
  goTask({ repository: 'gin-gonic/gin', commit: '293ad7edebb3ae30369288bd6416ca0d78474727', tried: UNTRIED }, '.'),

  // Rust
  rustTask(
    { repository: 'sharkdp/fd', commit: '6aac84e4ae30c502d22a76c2e80183ac7306d544', tried: UNTRIED },
    '--test tests',
  ),
  rustTask(
    { repository: 'BurntSushi/ripgrep', commit: 'de2567a4c76fa671005538d6cd841abc44932b9a', tried: UNTRIED },
    '--test integration',
  ),
  rustTask(
    { repository: 'tokio-rs/bytes', commit: 'acd1e0ffb8f076225759b8005d04f65ef77cccca', tried: UNTRIED },
    '--test test_buf',
  ),
  rustTask(
    { repository: 'hyperium/http', commit: '6e2dd42a15d4c1711baa2191bd1d15022e1e2e9c', tried: UNTRIED },
    '--test header_map',
  ),
  rustTask(
    { repository: 'toml-rs/toml', commit: 'fb0c1b376d291ee4ffdf5297a67579f2ad7ce70d', tried: UNTRIED },
    '-p toml_writer --test string',
  ),

  // Java
  mavenTask(
    { repository: 'google/gson', commit: 'f4d371d29c04066dbe7fdb31f642831f9c7f40cd', tried: UNTRIED },
    'MapAsArrayTypeAdapterTest,MapTest',
    ' -pl gson -am',
  ),
  mavenTask(
    { repository: 'jhy/jsoup', commit: '598a895abe717a18d9f8b2df27d8c19799e7ae64', tried: UNTRIED },
    'DocumentTypeTest',
  ),
  mavenTask(
    { repository: 'apache/commons-lang', commit: '1d6ef29ce004309e50bd91e27f0f5e80e1a57a76', tried: UNTRIED },
    'CharRangeTest',
    NO_LICENCE_CHECK,
  ),
  mavenTask(
    { repository: 'apache/commons-csv', commit: '68f17d8a9bd91a60b336f87eee040b3d667cfd97', tried: UNTRIED },
    'CSVRecordTest',
    NO_LICENCE_CHECK,
  ),
  mavenTask(
    { repository: 'apache/commons-text', commit: 'f65ff30d4fdf373a083e3c3f931f479ca6eb3ef6', tried: UNTRIED },
    'WordUtilsTest',
    NO_LICENCE_CHECK,
  ),
];

/** The rows of a list with these names, such as `click`. @throws UsageError that names the one that there is not */
export function chosenTasks(list: readonly ReadyTask[], names: readonly string[]): ReadyTask[] {
  const nameOf = ({ repository }: ReadyTask) => repository.split('/')[1] ?? '';
  const unknown = names.find((name) => !list.some((task) => nameOf(task) === name));
  if (unknown !== undefined)
    throw new UsageError(`The ready list has no "${unknown}". It has: ${list.map(nameOf).join(', ')}.`);
  return list.filter((task) => names.length === 0 || names.includes(nameOf(task)));
}
