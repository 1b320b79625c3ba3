import { existsSync } from 'node:fs';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// better-sqlite3 segfaults without a word on an older Node, so say it before a test does.
if (Number.parseInt(process.versions.node, 10) < 24) {
  throw new Error(
    `Tests need Node 24 and this is ${process.version}. Run "npm test -- FILE", or put node_modules/.bin first on PATH.`,
  );
}

const testsIn = (folder: string) => [`${folder}/src/**/*.test.ts`, `${folder}/test/**/*.test.ts`];

/*
 * Files that share a few processes, which read our modules once: to read them again for each file took longer than most
 * of these tests. What starts processes, counts its own descriptors or fills its own memory has a process of its own.
 */
const together = [
  ...['core', 'client', 'cache', 'testing'].flatMap((name) => testsIn(`packages/${name}`)),
  'packages/api/src/**/*.test.ts',
  'packages/api/test/*.test.ts',
  'packages/db/src/**/*.test.ts',
  'packages/agents/src/**/*.test.ts',
  'packages/code-host/src/**/*.test.ts',
  'packages/workspace/src/project/**/*.test.ts',
  'apps/*/src/**/*.test.ts',
  'scripts/**/!(docs).test.ts',
];

/** Of the others, the longest first: begun late, one would run on alone at the end. */
const longest = [
  'apps/server/test/kill-journal.test.ts',
  'apps/server/test/raw-sockets.test.ts',
  'apps/server/test/codehost-kill.test.ts',
  'apps/server/test/backup.test.ts',
  'packages/db/test/pg-stores.test.ts',
  'packages/worker/test/stepped-faults.test.ts',
  'packages/db/test/migrate-pg.test.ts',
  'apps/server/test/chaos.test.ts',
  'apps/server/test/outage.test.ts',
  'apps/server/test/obedient-attacker.test.ts',
  'packages/api/test/fuzz/hostile-requests.test.ts',
  'apps/cli/test/run-command.test.ts',
  'apps/server/test/codehost-publish-faults.test.ts',
  'apps/server/test/codehost-renamed.test.ts',
  'apps/cli/test/conformance.test.ts',
  'apps/cli/test/remote-commands.test.ts',
  'apps/server/test/move-up.test.ts',
  'apps/server/test/built-server.test.ts',
  'apps/server/test/kill-nine.test.ts',
  'scripts/docs/docs.test.ts',
];
const gone = longest.filter((file) => !existsSync(new URL(file, import.meta.url)));
if (gone.length > 0) throw new Error(`vitest.config.ts names files that are gone: ${gone.join(', ')}`);

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

export default defineConfig({
  test: {
    globalSetup: ['packages/testing/src/run/run-folder.ts'],
    setupFiles: ['packages/testing/src/run/end-leftovers.ts', 'packages/testing/src/run/repeatable-properties.ts'],
    pool: 'forks',
    // Two cores and one more: many a test waits, for a process or a lease.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // What a test changes of its process, the next one must not find.
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // Tests run on slow, shared machines: a timeout tells of a hang, never of a busy neighbour.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 20_000,
    // One second unless told, and then a condition that a busy machine meets late counts as one that is never met.
    expect: { poll: { timeout: 60_000 } },
    passWithNoTests: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'apart',
          include: [...['packages/*', 'apps/*'].flatMap(testsIn), 'scripts/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...together],
          benchmark: { include: [] },
        },
      },
      {
        extends: true,
        test: { name: 'together', include: together, isolate: false },
      },
    ],
  },
});
