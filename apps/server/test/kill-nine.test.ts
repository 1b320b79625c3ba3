import { expect, it } from 'vitest';
import { killNine } from './kill-nine.ts';

// The long version: node_modules/.bin/node apps/server/test/kill-nine.ts 100
it('loses nothing and does nothing twice when the process is killed with -9 in every stage', async () => {
  const report = await killNine({ kills: 9 });
  expect(report.violations).toEqual([]);
  expect(Object.keys(report.killsByStage)).toHaveLength(9);
  expect(report.recoveryMs).toHaveLength(9);
}, 1_200_000);
