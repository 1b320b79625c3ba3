import { expect, it } from 'vitest';
import { stageOutcomes } from './stage-outcomes.ts';

const at = '2026-11-20T09:15:00.000Z';
const step = { round: 1, attempt: 1, outcome: 'completed', started_at: at, detail: null } as const;

it('tells what the last test and the last review came to', () => {
  expect(
    stageOutcomes([
      { ...step, stage: 'test', detail: '1 failed' },
      { ...step, stage: 'test', round: 2, detail: 'all passed' },
      { ...step, stage: 'test', round: 3, outcome: 'interrupted', detail: 'cut off' },
      { ...step, stage: 'review', detail: 'approved' },
    ]),
  ).toEqual([
    { name: 'Tests', detail: 'all passed' },
    { name: 'Review', detail: 'approved' },
  ]);
});

it('leaves out what did not run or says nothing', () => {
  expect(stageOutcomes([{ ...step, stage: 'review' }])).toEqual([]);
});
