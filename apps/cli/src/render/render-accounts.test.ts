import { describe, expect, it } from 'vitest';
import { renderDeletion } from './render-accounts.ts';

describe('what becomes of the things of a deleted account', () => {
  const always = 'Your sessions, tokens, memberships, ways to log in, name and e-mail are deleted.';
  const nothing = { proof: 'password' as const, last_operator: false, issues_to_cancel: 0, issues_kept: 0, repos: [] };

  it('names no issues where there are none', () => {
    expect(renderDeletion(nothing)).toBe(always);
  });

  it('counts those that are cancelled, and those that stay without a name', () => {
    expect(renderDeletion({ ...nothing, issues_to_cancel: 1, issues_kept: 2 }).split('\n')).toEqual([
      '1 issue that has not ended: cancelled.',
      '2 issues of yours in repositories that stay: kept, without your name.',
      always,
    ]);
  });
});
