import { configDefaults, defineConfig } from 'vitest/config';

// better-sqlite3 segfaults on an older Node, without a message.
if (Number.parseInt(process.versions.node, 10) < 24) {
  throw new Error(
    `Tests need Node 24 and this is ${process.version}. Run "npm test -- FILE", or put node_modules/.bin first on PATH.`,
  );
}

/*
 * Folders on the path of a test file say where it runs. `deep` and `soak` are the tiers of `npm run test:deep` and
 * `npm run soak`; all other files are the first tier, `npm test`. A file in a folder `apart` has its own process, because
 * it replaces what a process has once (signals, memory, descriptors); the others share a few processes, which load our
 * modules once.
 */
const apps = ['apps/*/{src,test}'];
const others = ['{packages,bench}/*/{src,test}', 'sim/{src,test}', 'scripts'];
const testFiles = (roots: readonly string[], ...folders: readonly string[]) =>
  roots.map((root) => [root, ...folders, '*.test.ts'].join('/**/'));

// Set by `npm test` and `npm run test:deep`. A run that names its files has no tier, and finds them in each.
const tier = process.env.SLUICE_TEST_TIER;
const tierFolders = tier === 'deep' ? ['deep'] : [];
const otherTiers = tier === undefined ? [] : tier === 'deep' ? ['**/soak/**'] : ['**/deep/**', '**/soak/**'];
const excluded = [...configDefaults.exclude, ...otherTiers];

// Set by .ci/run, which prints it. A file that fails in one order only depends on what another left behind.
const orderSeed = process.env.SLUICE_TEST_ORDER;

// Machines that run tests are slow and shared: a timeout reports a hang, not a busy neighbour. No test sets its own.
const timeout = process.env.SLUICE_SOAK === '1' ? 7_200_000 : 600_000;

const shared = (name: string, roots: readonly string[]) => ({
  extends: true as const,
  test: {
    name,
    include: testFiles(roots, ...tierFolders),
    exclude: [...excluded, '**/apart/**'],
    isolate: false,
  },
});

export default defineConfig({
  test: {
    globalSetup: ['packages/testing/src/run/run-folder.ts', 'packages/testing/src/world/run-services.ts'],
    setupFiles: [
      'packages/testing/src/run/measure-cpu.ts',
      'packages/testing/src/run/end-leftovers.ts',
      'packages/testing/src/run/repeatable-properties.ts',
    ],
    // Node runs the sources as they are, so that nothing has to transform them. No test mocks a module.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    // Twice the two cores, because many tests wait for a process, a lease or the pace of a code host.
    maxWorkers: 4,
    sequence: orderSeed === undefined ? {} : { shuffle: { files: true }, seed: Number(orderSeed) },
    // What a test changes in its process is undone before the next one.
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    testTimeout: timeout,
    hookTimeout: timeout,
    teardownTimeout: 20_000,
    expect: { poll: { timeout: 60_000 } },
    // With npm's own value, advice would name `npm run sluice` or not, by how the tests were started.
    env: { npm_package_name: '' },
    // Set by .ci/run, which names the tests that passed when they were retried.
    retry: Number(process.env.SLUICE_TEST_RETRIES ?? 0),
    passWithNoTests: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'apart',
          include: testFiles([...apps, ...others], ...tierFolders, 'apart'),
          exclude: excluded,
          benchmark: { include: [] },
        },
      },
      // Not in the same processes: one that has loaded all apps takes three times as long to start another.
      shared('apps', apps),
      shared('packages', others),
    ],
  },
});
