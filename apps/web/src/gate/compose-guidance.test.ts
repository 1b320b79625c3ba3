import { expect, it } from 'vitest';
import { composeGuidance, countRemarks, lengthOfGuidance } from './compose-guidance.ts';

const subject = {
  plan: {
    steps: [
      { title: 'Round once', detail: '', files: [] },
      { title: 'Add a test', detail: '', files: [] },
    ],
    acceptance_criteria: ['The total is 18.00'],
    risks: ['Old invoices differ'],
  },
  triage: { open_questions: ['Which currency?'] },
};

it('puts all remarks into one text, each under what it is on, in the order of the plan', () => {
  const remarks = {
    'risk:0': 'They may.',
    'step:1': 'Two tests, please.',
    'criterion:0': 'And 0.00 for none.',
    'question:0': 'Euro.',
    general: 'Leave the API as it is.',
  } as const;
  expect(composeGuidance(remarks, subject)).toBe(
    [
      'Leave the API as it is.',
      'Answer to question 1, "Which currency?":\nEuro.',
      'On step 2, "Add a test":\nTwo tests, please.',
      'On acceptance criterion 1, "The total is 18.00":\nAnd 0.00 for none.',
      'On risk 1, "Old invoices differ":\nThey may.',
    ].join('\n\n'),
  );
  expect(countRemarks(remarks)).toBe(5);
});

it('leaves out what is empty, and what is on nothing', () => {
  const remarks = { 'step:0': '  \n', 'step:9': 'gone' } as const;
  expect(composeGuidance(remarks, subject)).toBe('');
  expect(countRemarks({ 'step:0': ' ' })).toBe(0);
});

it('names a long title by its beginning', () => {
  const plan = { ...subject.plan, steps: [{ title: `a\n${'b'.repeat(300)}`, detail: '', files: [] }] };
  const text = composeGuidance({ 'step:0': 'No.' }, { ...subject, plan });
  expect(text).toBe(`On step 1, "a ${'b'.repeat(117)}…":\nNo.`);
});

it('counts characters as the server does', () => {
  expect(lengthOfGuidance('a👍é')).toBe(3);
});
