import { expect, it } from 'vitest';
import { killNine } from './kill-nine.ts';

it('loses nothing and repeats nothing after one kill -9 in the middle of the work', async () => {
  const report = await killNine({ kills: 1, aim: ['implement'], repositories: 1 });
  expect(report.violations).toEqual([]);
  expect(report.killsByStage).toEqual({ implement: 1 });
  expect(report.recoveryMs).toHaveLength(1);
});
