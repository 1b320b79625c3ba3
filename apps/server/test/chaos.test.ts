import { expect, it } from 'vitest';
import { runChaos } from './chaos/run-chaos.ts';

// The long version: npm run soak -- chaos
it('completes every issue once while processes, the database and Redis fail', async () => {
  const report = await runChaos({
    apis: 2,
    workers: 2,
    issues: 5,
    repositories: 5,
    cap: 2,
    minutes: 4,
    seed: 20_261_121,
    // Each fault comes for the first time after half its interval, and must come before the issues have ended.
    pace: {
      killWorker: 5_000,
      freezeWorker: 30_000,
      stopWorker: 40_000,
      stopApi: 6_000,
      terminate: 7_000,
      redis: 7_000,
      chroma: 0, // outages of Chroma have their own test
      restartPostgres: 8_000,
      postgresRestarts: 1,
    },
    say: (line) => process.stdout.write(`${line}\n`),
  });
  process.stdout.write(`${JSON.stringify({ ...report, violations: report.violations.length })}\n`);
  expect(report.violations).toEqual([]);
  expect(report.sampled.most).toBe(2);
  for (const fault of [
    'worker killed',
    'connections terminated',
    'api stopped',
    'postgres restarted',
    'redis killed',
  ]) {
    expect(report.faults[fault], fault).toBeGreaterThan(0);
  }
});
