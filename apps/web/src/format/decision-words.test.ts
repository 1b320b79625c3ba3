import { expect, it } from 'vitest';
import { decisionWords } from './decision-words.ts';

const decided = { action: 'approve', on: 'plan', revision: 2, userId: 'ada' } as const;

it('says who decided what', () => {
  expect(decisionWords(decided, 'ada')).toBe('You approved revision 2 of the plan');
  expect(decisionWords({ ...decided, action: 'instruct' }, 'grace')).toBe(
    'Another person gave instructions on revision 2 of the plan',
  );
  expect(decisionWords({ ...decided, action: 'reject', on: 'publish' }, 'ada')).toBe('You rejected the change');
});
