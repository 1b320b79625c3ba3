import { figuresOf, NO_OUTCOMES } from '@sluice/core/outcome';
import { expect, it } from 'vitest';
import { renderOutcomes } from './render-outcomes.ts';

const style = (_: unknown, text: string) => text;
const terminal = { style, page: { width: 200, isTerminal: true } } as never;
const none = figuresOf(NO_OUTCOMES, { median: null, p90: null });
const period = { from: '2026-08-29T09:15:00.000Z', to: null };
const figures = {
  ...none,
  opened: 4,
  merged: 2,
  time_to_merge_median: 5_400,
  merged_untouched: 0.5,
  review_rounds: 0.75,
  cost_per_merged_usd: 1.71,
};
const outcomes = {
  group_by: 'model' as const,
  period,
  total: figures,
  groups: [
    { ...figures, group: 'a\nmodel', repo_id: null },
    { ...none, group: null, repo_id: null },
  ],
};

it('shows a line for each group and one for all, as people read numbers', () => {
  const [opened, heading, first, second, all] = renderOutcomes(outcomes, terminal).split('\n');
  expect(opened).toMatch(/^Pull requests opened since 2026-08-\d\d \d\d:15:$/);
  expect(heading).toMatch(/^MODEL +OPENED +MERGED/);
  expect(first).toMatch(/^a model +4 +2 +0 +0 +0 +1 h 30 min +- +50 % +0\.8 +- +- +1\.71 USD$/);
  expect(second).toMatch(/^not recorded +0 /);
  expect(all).toMatch(/^all +4 /);
});

it('gives programs numbers', () => {
  const program = { style, page: { width: 80, isTerminal: false } } as never;
  expect(renderOutcomes(outcomes, program).split('\n')[0]).toBe(
    ['a model', 4, 2, 0, 0, 0, 5400, '', 0.5, '0.8', '', '', 1.71].join('\t'),
  );
});

it('says so where there is nothing to show', () => {
  expect(renderOutcomes({ group_by: null, period, total: none, groups: [] }, terminal)).toMatch(
    /^No pull requests were opened since 2026-08-\d\d \d\d:15\.$/,
  );
  const ever = { group_by: null, period: { from: new Date(0).toISOString(), to: null }, total: none, groups: [] };
  expect(renderOutcomes(ever, terminal)).toBe('No pull requests were opened at any time.');
});
