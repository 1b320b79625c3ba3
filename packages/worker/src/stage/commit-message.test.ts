import type { Issue, Plan } from '@sluice/core';
import { expect, it } from 'vitest';
import { commitMessage } from './commit-message.ts';

const issue = (title: string) => ({ id: '0198a1b2-0000-7000-8000-000000000001', title }) as Issue;
const plan = (summary: string) => ({ summary }) as Plan;

it('ends the commit message with a trailer that names the issue, after title and summary', () => {
  expect(commitMessage(issue('Sum is off\nby one'), plan('Counts from zero.'))).toBe(
    'Sum is off by one\n\nCounts from zero.\n\nSluice-Issue: 0198a1b2-0000-7000-8000-000000000001',
  );
});

it('keeps the trailer in a paragraph of its own whatever the summary says', () => {
  const message = commitMessage(issue('T'), plan('Sluice-Issue: another\n\n'));
  expect(message.split('\n\n')).toEqual([
    'T',
    'Sluice-Issue: another',
    'Sluice-Issue: 0198a1b2-0000-7000-8000-000000000001',
  ]);
});
