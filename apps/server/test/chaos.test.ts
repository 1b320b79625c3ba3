import { expect, it } from 'vitest';
import { runChaos } from './chaos/run-chaos.ts';

// The long version: npm run chaos
it('brings every issue to its end, once and whole, while processes, database and cache are taken away', async () => {
  const report = await runChaos({
    apis: 2,
    workers: 2,
    issues: 10,
    repositories: 5,
    cap: 3,
    minutes: 4,
    seed: 20_261_121,
    pace: {
      killWorker: 8_000,
      freezeWorker: 30_000,
      stopWorker: 40_000,
      stopApi: 20_000,
      terminate: 20_000,
      redis: 16_000,
      chroma: 0, // its own outages have a test of their own, and a third server is much for a build
      restartPostgres: 40_000,
      postgresRestarts: 1,
    },
    say: (line) => process.stdout.write(`${line}\n`),
  });
  process.stdout.write(`${JSON.stringify({ ...report, violations: report.violations.length })}\n`);
  expect(report.violations).toEqual([]);
  expect(report.sampled.most).toBe(3);
  for (const fault of [
    'worker killed',
    'connections terminated',
    'api stopped',
    'postgres restarted',
    'redis killed',
  ]) {
    expect(report.faults[fault], fault).toBeGreaterThan(0);
  }
}, 1_800_000);
