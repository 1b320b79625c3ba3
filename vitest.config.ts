import { existsSync } from 'node:fs';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { leftToSoak } from './scripts/left-to-soak.ts';

// better-sqlite3 segfaults on an older Node, without a message.
if (Number.parseInt(process.versions.node, 10) < 24) {
  throw new Error(
    `Tests need Node 24 and this is ${process.version}. Run "npm test -- FILE", or put node_modules/.bin first on PATH.`,
  );
}

const testsIn = (folder: string) => [`${folder}/src/**/*.test.ts`, `${folder}/test/**/*.test.ts`];

/*
 * These files share a few processes, which load our modules once: loading them for each file took longer than most of
 * these tests. A file that starts processes, counts its own descriptors or fills its own memory has its own process.
 */
const together = [
  ...['core', 'client', 'redis', 'testing', 'fake-code-host', 'worker', 'notify'].flatMap((name) =>
    testsIn(`packages/${name}`),
  ),
  'packages/api/src/**/*.test.ts',
  'packages/api/test/*.test.ts',
  'packages/api/test/feed/*.test.ts',
  'packages/api/test/fuzz/*-judge.test.ts',
  'packages/db/src/**/*.test.ts',
  'packages/db/test/!(copy-database|copy-to-postgres|data-folder|migrate-pg|pg-stores|survey-installation).test.ts',
  ...['agents', 'code-host'].flatMap((name) => testsIn(`packages/${name}`)),
  'packages/workspace/src/project/**/*.test.ts',
  'packages/workspace/src/git/!(orphaned-git|git-limits).test.ts',
  'packages/workspace/src/worktree/!(full-disk|hold-tree|hold-workspaces|large-repositories).test.ts',
  'packages/sandbox/src/{proxy,mounts}/*.test.ts',
  'packages/sandbox/src/limits/{refusal-wait,tree-growth,tree-size}.test.ts',
  'packages/code-search/src/{lexical,semantic}/**/!(*-faults).test.ts',
  'bench/agents/test/{grade,predict,prompt-hash,report,tally,usage}.test.ts',
  'apps/*/src/**/*.test.ts',
  'scripts/**/!(docs).test.ts',
];

/*
 * These share processes too: they start servers in their own one, with all our modules, and stop them. None replaces what
 * the process has only once (signals, metrics, memory).
 */
const servers = [
  ...[
    'answered-question',
    'bound-tokens',
    'cancel',
    'coder-tools',
    'deep/embedding-model',
    'deep/fallback-model',
    'git-lfs',
    'honest-end',
  ],
  ...[
    'local-repos',
    'lost-key',
    'notes-and-budgets',
    'notifications',
    'outside-the-plan',
    'red-base',
    'stale-approval',
  ],
  ...['weakened-tests', 'workspaces-dir'],
  ...['following', 'publish-gate', 'refresh', 'renamed', 'sign-in'].map((name) => `code-host-${name}`),
  ...['cancelled', 'changed-branch', 'lost-answers'].map((name) => `deep/code-host-${name}`),
].map((name) => `apps/server/test/${name}.test.ts`);

/** The others begin with these: the last file to start would otherwise run alone at the end. */
const longest = [
  'apps/server/test/deep/apart/raw-sockets.test.ts',
  'apps/cli/test/run-command.test.ts',
  'apps/cli/test/conformance.test.ts',
  'apps/cli/test/remote-commands.test.ts',
  'packages/db/test/pg-stores.test.ts',
  'apps/server/test/outage.test.ts',
  'scripts/docs/docs.test.ts',
];
const missing = [...servers, ...longest, ...leftToSoak].filter((file) => !existsSync(new URL(file, import.meta.url)));
if (missing.length > 0) throw new Error(`vitest.config.ts names files that do not exist: ${missing.join(', ')}`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = `${this.ctx.config.root}/`;
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.indexOf(moduleId.replace(root, ''));
      return place < 0 ? longest.length : place;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

const isSoakRun = process.env.SLUICE_SOAK === '1';
// Set by `npm test` when it names no file.
const isWholeRun = process.env.SLUICE_WHOLE_RUN === '1';
const left = [...configDefaults.exclude, ...(isWholeRun ? leftToSoak : [])];
// Machines that run tests are slow and shared: a timeout reports a hang, not a busy neighbour. No test sets its own.
const timeout = isSoakRun ? 7_200_000 : 600_000;

export default defineConfig({
  test: {
    globalSetup: ['packages/testing/src/run/run-folder.ts'],
    setupFiles: ['packages/testing/src/run/end-leftovers.ts', 'packages/testing/src/run/repeatable-properties.ts'],
    pool: 'forks',
    // Twice the two cores, because many tests wait for a process, a lease or the pace of a code host.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // What a test changes in its process is undone before the next one.
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    testTimeout: timeout,
    hookTimeout: timeout,
    teardownTimeout: 20_000,
    expect: { poll: { timeout: 60_000 } },
    // As npm sets it, advice would name `npm run sluice` or not, by how the tests were started.
    env: { npm_package_name: '' },
    // Set by .ci/run, which names the tests that passed when they were retried.
    retry: Number(process.env.SLUICE_TEST_RETRIES ?? 0),
    passWithNoTests: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'apart',
          include: [...['packages/*', 'apps/*', 'sim', 'bench/*'].flatMap(testsIn), 'scripts/**/*.test.ts'],
          exclude: [...left, ...servers, ...together],
          benchmark: { include: [] },
        },
      },
      {
        extends: true,
        test: { name: 'servers', include: servers, exclude: left, isolate: false, benchmark: { include: [] } },
      },
      {
        extends: true,
        test: { name: 'together', include: together, exclude: left, isolate: false },
      },
    ],
  },
});
