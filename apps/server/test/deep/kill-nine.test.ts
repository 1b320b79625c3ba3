import { type Stage, stages } from '@sluice/core/pipeline';
import { isSoakRun } from '@sluice/testing';
import { expect, it } from 'vitest';
import { killNine } from '../kill-nine.ts';

// Usual way: apps/server/test/kill-nine.test.ts

// The long version: node_modules/.bin/node apps/server/test/kill-nine.ts 100
it('loses nothing and repeats nothing after kill -9 in a stage', async () => {
  const aim: readonly Stage[] = isSoakRun ? stages : ['implement', 'publish'];
  const report = await killNine({ kills: aim.length, aim, repositories: isSoakRun ? 3 : 2 });
  expect(report.violations).toEqual([]);
  expect(Object.keys(report.killsByStage)).toHaveLength(aim.length);
  expect(report.recoveryMs).toHaveLength(aim.length);
});
