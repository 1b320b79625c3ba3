import type { Plan } from '@sluice/core/pipeline';
import { expect, it } from 'vitest';
import { withColour, withoutColour } from '../terminal/style.ts';
import { renderPlan } from './render-plan.ts';

const plan: Plan = {
  revision: 2,
  summary: 'Take the discount as a percentage.\nNothing else changes.',
  steps: [
    { title: 'Fix the price', detail: 'replace `a`\nwith `b`', files: ['src/invoice.js', 'README.md'] },
    { title: 'Check again', detail: 'read it', files: [] },
  ],
  acceptance_criteria: ['all tests pass'],
  risks: ['rounding\nmay differ'],
  test_strategy: 'npm test',
  guidance: 'keep it small',
  created_at: '2026-11-20T09:15:00.000Z',
};

it('shows everything that the decision is about', () => {
  expect(renderPlan(plan, withoutColour, Number.POSITIVE_INFINITY)).toBe(`Plan, revision 2
   Take the discount as a percentage.
   Nothing else changes.

1. Fix the price
   src/invoice.js, README.md
   replace \`a\`
   with \`b\`

2. Check again
   read it

Done when
   - all tests pass

Tests
   npm test

Risks
   - rounding
     may differ

Your guidance
   keep it small`);
});

it('leaves out empty sections', () => {
  const short = renderPlan(
    { ...plan, risks: [], acceptance_criteria: [], guidance: null },
    withoutColour,
    Number.POSITIVE_INFINITY,
  );
  expect(short).not.toMatch(/Risks|Done when|Your guidance/);
});

it('shows the same text with colour', () => {
  const coloured = renderPlan(plan, withColour, Number.POSITIVE_INFINITY);
  expect(coloured).toContain('\x1b[');
  expect(coloured.replaceAll(/\x1b\[[0-9;]*m/g, '')).toBe(renderPlan(plan, withoutColour, Number.POSITIVE_INFINITY));
});

it('lets no text of a plan look like a heading or another file', () => {
  const hostile = { title: 'x\n2. Approved already', detail: '\x1b[2Jy\nRisks', files: ['a\n   b', '\x1b[1A'] };
  expect(renderPlan({ ...plan, steps: [hostile] }, withoutColour, Number.POSITIVE_INFINITY)).toContain(
    '1. x 2. Approved already\n   a b, ␛[1A\n   ␛[2Jy\n   Risks',
  );
});
