import { defineConfig } from '@playwright/test';
import { chromiumLaunch } from './chromium-launch.ts';

// Heavier tests have the tag @soak and are run by `npm run soak -- console`.
const isSoakRun = process.env.SLUICE_SOAK === '1';
// Without a tier, files that are named are found in each.
const tier = process.env.SLUICE_TEST_TIER;
const report = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE;

export default defineConfig({
  globalSetup: './test/build-service.ts',
  testDir: tier === 'deep' ? 'test/deep' : 'test',
  testMatch: '**/*.spec.ts',
  testIgnore: tier === 'first' && !isSoakRun ? ['**/deep/**'] : [],
  snapshotPathTemplate: 'test/fixtures/{testFileName}/{arg}{ext}',
  outputDir: 'node_modules/.playwright',
  ...(isSoakRun ? { grep: /@soak/ } : { grepInvert: /@soak/ }),
  forbidOnly: process.env.CI !== undefined,
  workers: 2,
  // Set by .ci/run, which names the tests that passed when they were retried.
  retries: Number(process.env.SLUICE_TEST_RETRIES ?? 0),
  // Machines that run tests are slow and shared: a timeout reports a hang, not a busy neighbour.
  timeout: isSoakRun ? 1_800_000 : 180_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ...(report === undefined ? [] : [['json', { outputFile: report }] as const])],
  use: {
    launchOptions: chromiumLaunch,
    screenshot: 'only-on-failure',
  },
});
