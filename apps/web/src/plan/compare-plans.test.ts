import type { Plan, PlanStep } from '@sluice/client';
import { expect, it } from 'vitest';
import { comparePlans, countChanges } from './compare-plans.ts';

const plan = (more: Partial<Plan> = {}): Plan => ({
  revision: 1,
  summary: 'Round once.',
  steps: [],
  acceptance_criteria: [],
  risks: [],
  test_strategy: 'Run the tests.',
  guidance: null,
  created_at: '2026-11-20T09:15:00.000Z',
  ...more,
});

const step = (title: string, detail = `${title} in detail`, files = ['src/a.ts']): PlanStep => ({
  title,
  detail,
  files,
});

const kinds = (before: readonly PlanStep[], after: readonly PlanStep[]) =>
  comparePlans(plan({ steps: [...before] }), plan({ steps: [...after] })).steps.map(
    ({ kind, before: old, after: young }) => `${kind} ${(young ?? old)?.title}`,
  );

it('finds nothing in two equal plans', () => {
  const one = plan({ steps: [step('Round')], risks: ['Cents'], acceptance_criteria: ['Green'] });
  expect(countChanges(comparePlans(one, structuredClone(one)))).toBe(0);
});

it('tells steps that were added, removed and changed apart, each where it stands', () => {
  expect(
    kinds(
      [step('Round the discount'), step('Rename the helper'), step('Add a test')],
      [step('Round the discount', 'Round it once, at the end'), step('Document it'), step('Add a test')],
    ),
  ).toEqual(['changed Round the discount', 'added Document it', 'removed Rename the helper', 'same Add a test']);
});

it('knows a step again whose title was reworded', () => {
  const detail = 'Multiply the full price by one minus the percentage.';
  expect(kinds([step('Fix the price', detail)], [step('Correct the price', detail)])).toEqual([
    'changed Correct the price',
  ]);
});

it('takes a step with other files for changed', () => {
  expect(kinds([step('Round')], [step('Round', 'Round in detail', ['src/b.ts'])])).toEqual(['changed Round']);
});

it('does not pair one step with two', () => {
  expect(kinds([step('Round')], [step('Round'), step('Round')])).toEqual(['same Round', 'added Round']);
});

it('compares criteria, risks and the other texts', () => {
  const compared = comparePlans(
    plan({ acceptance_criteria: ['The total is 18.00'], risks: ['Old invoices differ'] }),
    plan({ acceptance_criteria: ['The total is 18.00 exactly'], summary: 'Round late.', test_command: 'npm test' }),
  );
  expect(compared.criteria.map(({ kind }) => kind)).toEqual(['changed']);
  expect(compared.risks.map(({ kind }) => kind)).toEqual(['removed']);
  expect(compared.texts.map(({ name }) => name)).toEqual(['Summary', 'Test command']);
  expect(countChanges(compared)).toBe(4);
});
