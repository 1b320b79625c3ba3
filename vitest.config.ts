import { defineConfig } from 'vitest/config';

// better-sqlite3 segfaults without a word on an older Node, so say it before a test does.
if (Number.parseInt(process.versions.node, 10) < 24) {
  throw new Error(
    `Tests need Node 24 and this is ${process.version}. Run "npm test -- FILE", or put node_modules/.bin first on PATH.`,
  );
}

const tests = ['src', 'test'].flatMap((folder) => [
  `packages/*/${folder}/**/*.test.ts`,
  `apps/*/${folder}/**/*.test.ts`,
]);

export default defineConfig({
  test: {
    include: [...tests, 'scripts/**/*.test.ts'],
    setupFiles: ['packages/testing/src/run/end-leftovers.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Tests run on slow, shared machines: a timeout tells of a hang, never of a busy neighbour.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    passWithNoTests: true,
  },
});
