import { expect, it } from 'vitest';
import { outcomesQuestion } from './outcomes-question.ts';

const now = new Date('2026-11-27T09:15:00Z');

it('asks for the last 90 days unless the address says otherwise', () => {
  expect(outcomesQuestion({}, now)).toEqual({ from: '2026-08-29T00:00:00.000Z' });
  expect(outcomesQuestion({ period: 'all' }, now)).toEqual({ from: '1970-01-01T00:00:00.000Z' });
});

it('asks for what the address says', () => {
  expect(outcomesQuestion({ period: '30d', repo: 'r', by: 'model' }, now)).toEqual({
    from: '2026-10-28T00:00:00.000Z',
    repo_id: 'r',
    group_by: 'model',
  });
});
