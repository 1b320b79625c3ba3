import type { IssueBudget } from '@sluice/client';
import { expect, it } from 'vitest';
import { failureAdvice, isFixedInSettings } from './failure-advice.ts';

const failed = (stage: string | null) => ({ stage, detail: 'It broke.' });

it.each(['prepare', 'index', 'triage', 'plan', 'implement', 'test', 'review', 'publish', null, 'a stage to come'])(
  'says what to do when %s failed',
  (stage) => {
    expect(failureAdvice({ error: failed(stage), budget: null }, false)).toMatch(/[Rr]etry/);
  },
);

it('leads to the settings of the repository where a command or an access token failed', () => {
  expect(['prepare', 'publish', 'implement', null].map((stage) => isFixedInSettings({ error: failed(stage) }))).toEqual(
    [true, true, false, false],
  );
});

it('asks for a higher budget where it is used up, whatever the stage', () => {
  const budget: IssueBudget = {
    tokens: { limit: 10, used: 12, left: 0 },
    cost_usd: { limit: null, used: null, left: null },
    active_ms: { limit: null, used: 5, left: null },
  };
  expect(failureAdvice({ error: failed('test'), budget }, true)).toContain('higher one');
});

it('says what helps where no model can repair the change', () => {
  expect(failureAdvice({ error: failed('implement'), budget: null }, true)).toContain('MODEL');
  expect(failureAdvice({ error: failed('test'), budget: null }, true)).not.toContain('MODEL');
});
