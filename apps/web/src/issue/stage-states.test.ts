import { expect, it } from 'vitest';
import { stageStates } from './stage-states.ts';

const line = (issue: Parameters<typeof stageStates>[0]) =>
  stageStates(issue)
    .map(({ state }) => state)
    .join(' ');

it('has everything ahead before the first stage', () => {
  expect(line({ status: 'pending', stage: null, error: null })).toBe(Array(9).fill('ahead').join(' '));
});

it('tells done, current and ahead apart', () => {
  expect(line({ status: 'running', stage: 'implement', error: null })).toBe(
    'done done done done done current ahead ahead ahead',
  );
});

it('marks the stage that waits for a person', () => {
  expect(line({ status: 'awaiting_approval', stage: 'human_review', error: null })).toContain('done waiting ahead');
});

it('marks the stage at which a failed issue stopped', () => {
  expect(line({ status: 'failed', stage: 'test', error: { stage: 'test', detail: '' } })).toContain(
    'done stopped ahead',
  );
});

it('has all done at the end, and skips what an answered question did not need', () => {
  expect(line({ status: 'completed', stage: 'publish', error: null })).toBe(Array(9).fill('done').join(' '));
  expect(line({ status: 'completed', stage: 'plan', error: null })).toMatch(/^done done done done skipped/);
});
