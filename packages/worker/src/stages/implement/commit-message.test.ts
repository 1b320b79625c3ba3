import type { Issue } from '@sluice/core/issue';
import type { Plan } from '@sluice/core/pipeline';
import { expect, it } from 'vitest';
import { commitMessage } from './implement.ts';

const issue = (title: string) => ({ id: '0198a1b2-0000-7000-8000-000000000001', title }) as Issue;
const plan = (summary: string) => ({ summary }) as Plan;

it('ends the commit message with a trailer that names the issue, after title and summary', () => {
  expect(commitMessage(issue('Sum is off\nby one'), plan('Counts from zero.'))).toBe(
    'Sum is off by one\n\nCounts from zero.\n\nSluice-Issue: 0198a1b2-0000-7000-8000-000000000001',
  );
});

it('keeps the trailer in a separate paragraph whatever the summary contains', () => {
  const message = commitMessage(issue('T'), plan('Sluice-Issue: another\n\n'));
  expect(message.split('\n\n')).toEqual([
    'T',
    'Sluice-Issue: another',
    'Sluice-Issue: 0198a1b2-0000-7000-8000-000000000001',
  ]);
});

it('passes no control character to the terminal of a reader', () => {
  const message = commitMessage(issue('\u001b[31mT'), plan('a\r\nb\tc\u001b]0;owned\u0007\u009b2Jd'));
  expect(message).toMatch(/^\[31mT\n\na\nb\tc\]0;owned2Jd\n\nSluice-Issue: /);
});

it('mentions no user, closes no issue and links to none at a code host', () => {
  const message = commitMessage(issue('Thank @maintainer, fixes #12'), plan('Closes GH-3 as o/r#4 says.'));
  expect(message).toMatch(/^Thank @ maintainer, fixes # 12\n\nCloses GH- 3 as o\/r# 4 says\.\n\n/);
});
